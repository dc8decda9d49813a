// Conformance snippets: built-in vector types.
// SPDX-License-Identifier: Apache-2.0

// snippet: vector_makers
// expect: 1 2 3 4 10
extern "C" __global__ void vector_makers(unsigned* out) {
  const int1 a = make_int1(1);
  const uint2 b = make_uint2(1, 2);
  const short3 c = make_short3(1, 2, 3);
  const uchar4 d = make_uchar4(1, 2, 3, 4);
  out[0] = a.x;
  out[1] = b.y;
  out[2] = c.z;
  out[3] = d.w;
  out[4] = d.x + d.y + d.z + d.w;
}

// snippet: vector_sizes
// expect: 8 12 16 16 4 6 2
extern "C" __global__ void vector_sizes(unsigned* out) {
  out[0] = sizeof(float2);
  out[1] = sizeof(float3);
  out[2] = sizeof(float4);
  out[3] = sizeof(double2);
  out[4] = sizeof(char4);
  out[5] = sizeof(short3);
  out[6] = sizeof(char2);
}

// snippet: vector_alignments
// expect: 8 4 16 16 4 2 2 16
extern "C" __global__ void vector_alignments(unsigned* out) {
  out[0] = alignof(float2);
  out[1] = alignof(float3);
  out[2] = alignof(float4);
  out[3] = alignof(double2);
  out[4] = alignof(uchar4);
  out[5] = alignof(short3);
  out[6] = alignof(char2);
  out[7] = alignof(int4);
}

// snippet: vector_load_of_four_floats
// launch: block=2
// expect: 6f 22f
extern "C" __global__ void vector_load_of_four_floats(unsigned* out) {
  __shared__ __align__(16) float s[8];
  for (int i = 0; i < 4; ++i) s[threadIdx.x * 4 + i] = threadIdx.x * 4.0f + i;
  __syncthreads();
  const float4 v = reinterpret_cast<const float4*>(s)[threadIdx.x];
  out[threadIdx.x] = __float_as_uint(v.x + v.y + v.z + v.w);
}

// snippet: vector_store
// expect: 1 2 3 4
extern "C" __global__ void vector_store(unsigned* out) {
  __shared__ __align__(16) unsigned s[4];
  *reinterpret_cast<uint4*>(s) = make_uint4(1, 2, 3, 4);
  for (int i = 0; i < 4; ++i) out[i] = s[i];
}

// snippet: vector_bytes_lie_in_order
// expect: 0x04030201 0x00020001
extern "C" __global__ void vector_bytes_lie_in_order(unsigned* out) {
  const uchar4 bytes = make_uchar4(1, 2, 3, 4);
  const ushort2 shorts = make_ushort2(1, 2);
  out[0] = *reinterpret_cast<const unsigned*>(&bytes);
  out[1] = *reinterpret_cast<const unsigned*>(&shorts);
}

__device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}

// snippet: vector_operators_of_the_user
// expect: 11f 22f 33f 44f
extern "C" __global__ void vector_operators_of_the_user(unsigned* out) {
  const float4 v = make_float4(1, 2, 3, 4) + make_float4(10, 20, 30, 40);
  out[0] = __float_as_uint(v.x);
  out[1] = __float_as_uint(v.y);
  out[2] = __float_as_uint(v.z);
  out[3] = __float_as_uint(v.w);
}

// snippet: vector_members_by_reference
// expect: 5f 9f
extern "C" __global__ void vector_members_by_reference(unsigned* out) {
  float3 v = make_float3(1, 2, 3);
  v.x += 4;
  float& z = v.z;
  z *= 3;
  out[0] = __float_as_uint(v.x);
  out[1] = __float_as_uint(v.z);
}

// snippet: vector_of_long_long
// expect: 1 2 16
extern "C" __global__ void vector_of_long_long(unsigned* out) {
  const longlong2 v = make_longlong2(1, 2ll << 32);
  out[0] = static_cast<unsigned>(v.x);
  out[1] = static_cast<unsigned>(v.y >> 32);
  out[2] = sizeof(v);
}

// snippet: vector_read_only_load
// expect: 3
extern "C" __global__ void vector_read_only_load(unsigned* out) {
  __shared__ int2 s[2];
  s[0] = make_int2(1, 2);
  out[0] = s[0].x + s[0].y;
}

// snippet: vector_initialiser_lists
// expect: 1 2 0
extern "C" __global__ void vector_initialiser_lists(unsigned* out) {
  const uint3 v = {1, 2};
  out[0] = v.x;
  out[1] = v.y;
  out[2] = v.z;
}
