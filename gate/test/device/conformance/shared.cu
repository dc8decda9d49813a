// Conformance snippets: shared memory in all the ways it can be declared.
// SPDX-License-Identifier: Apache-2.0

// snippet: shared_static_array
// launch: block=64
// expect: 63 0
extern "C" __global__ void shared_static_array(unsigned* out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = s[63];
  if (threadIdx.x == 63) out[1] = s[0];
}

// snippet: shared_scalar
// launch: block=64
// expect: 7 7
extern "C" __global__ void shared_scalar(unsigned* out) {
  __shared__ unsigned s;
  if (threadIdx.x == 5) s = 7;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = s;
  if (threadIdx.x == 63) out[1] = s;
}

// snippet: shared_two_dimensional_transpose
// launch: block=4,4
// expect: 0 10 20 30 1 11 21 31 2 12 22 32 3 13 23 33
extern "C" __global__ void shared_two_dimensional_transpose(unsigned* out) {
  __shared__ unsigned tile[4][4 + 1];
  tile[threadIdx.y][threadIdx.x] = threadIdx.y * 10 + threadIdx.x;
  __syncthreads();
  out[threadIdx.y * 4 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

// snippet: shared_two_arrays_in_one_declaration
// launch: block=2
// expect: 11 22 21 12
extern "C" __global__ void shared_two_arrays_in_one_declaration(unsigned* out) {
  __shared__ unsigned a[2], b[2];
  a[threadIdx.x] = 11 + 10 * threadIdx.x;
  b[threadIdx.x] = 12 + 10 * threadIdx.x;
  __syncthreads();
  out[threadIdx.x * 2] = a[threadIdx.x];
  out[threadIdx.x * 2 + 1] = b[1 - threadIdx.x];
}

struct Pair {
  unsigned key;
  float value;
};

// snippet: shared_array_of_structs
// launch: block=3
// expect: 2 1.5f
extern "C" __global__ void shared_array_of_structs(unsigned* out) {
  __shared__ Pair pairs[3];
  pairs[threadIdx.x].key = threadIdx.x;
  pairs[threadIdx.x].value = threadIdx.x * 0.75f;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = pairs[2].key;
    out[1] = __float_as_uint(pairs[2].value);
  }
}

// snippet: shared_anonymous_union
// expect: 0x3f800000
extern "C" __global__ void shared_anonymous_union(unsigned* out) {
  __shared__ union {
    float f;
    unsigned u;
  } both;
  both.f = 1.0f;
  out[0] = both.u;
}

template <typename T, int n>
__device__ T reversed(T v) {
  __shared__ T buffer[n];
  __syncthreads();
  buffer[threadIdx.x] = v;
  __syncthreads();
  return buffer[n - 1 - threadIdx.x];
}

// snippet: shared_in_template_device_function
// launch: block=4
// expect: 3 2 1 0 30 20 10 0
extern "C" __global__ void shared_in_template_device_function(unsigned* out) {
  out[threadIdx.x] = reversed<unsigned, 4>(threadIdx.x);
  out[4 + threadIdx.x] = static_cast<unsigned>(reversed<float, 4>(threadIdx.x * 10.0f));
}

// snippet: shared_dynamic
// launch: block=32 shared=128
// expect: 31
extern "C" __global__ void shared_dynamic(unsigned* out) {
  extern __shared__ unsigned dynamic_words[];
  dynamic_words[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = dynamic_words[31];
}

// snippet: shared_dynamic_divided
// launch: block=8 shared=96
// expect: 7 3.5f 7
extern "C" __global__ void shared_dynamic_divided(unsigned* out) {
  extern __shared__ __align__(16) unsigned char raw[];
  double* d = reinterpret_cast<double*>(raw);
  float* f = reinterpret_cast<float*>(d + 8);
  d[threadIdx.x] = threadIdx.x;
  f[threadIdx.x] = threadIdx.x * 0.5f;
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = static_cast<unsigned>(d[7]);
    out[1] = __float_as_uint(f[7]);
    out[2] = static_cast<unsigned>(d[3] + f[7] + 0.5f);
  }
}

extern __shared__ float file_scope_dynamic[];

// snippet: shared_dynamic_at_file_scope
// launch: block=4 shared=16
// expect: 3
extern "C" __global__ void shared_dynamic_at_file_scope(unsigned* out) {
  file_scope_dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = static_cast<unsigned>(file_scope_dynamic[3]);
}

// snippet: shared_volatile
// launch: block=2
// expect: 1 0
extern "C" __global__ void shared_volatile(unsigned* out) {
  volatile __shared__ unsigned s[2];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[1 - threadIdx.x];
}

// snippet: shared_aligned_for_vectors
// launch: block=4
// expect: 0 12
extern "C" __global__ void shared_aligned_for_vectors(unsigned* out) {
  __shared__ __align__(16) unsigned s[16];
  uint4* v = reinterpret_cast<uint4*>(s);
  v[threadIdx.x] = make_uint4(threadIdx.x * 4, 0, 0, 0);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = static_cast<unsigned>(reinterpret_cast<unsigned long long>(s) % 16);
    out[1] = s[12];
  }
}

__device__ unsigned sum_of(const unsigned* values, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) sum += values[i];
  return sum;
}

// snippet: shared_passed_by_pointer
// launch: block=8
// expect: 28
extern "C" __global__ void shared_passed_by_pointer(unsigned* out) {
  __shared__ unsigned s[8];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = sum_of(s, 8);
}

// snippet: shared_is_private_to_a_block
// launch: grid=4 block=32
// expect: 496 1520 2544 3568
extern "C" __global__ void shared_is_private_to_a_block(unsigned* out) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, blockIdx.x * 32 + threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

#define BUFFER(type, name, count) __shared__ type name[count]

// snippet: shared_declared_by_a_macro
// launch: block=4
// expect: 3
extern "C" __global__ void shared_declared_by_a_macro(unsigned* out) {
  BUFFER(unsigned, s, 4);
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = s[3];
}

template <int rows, int cols>
struct Tile {
  float v[rows][cols];
};

// snippet: shared_of_template_type
// launch: block=2,3
// expect: 5
extern "C" __global__ void shared_of_template_type(unsigned* out) {
  __shared__ Tile<3, 2> tile;
  tile.v[threadIdx.y][threadIdx.x] = threadIdx.y * 2 + threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0 && threadIdx.y == 0) out[0] = static_cast<unsigned>(tile.v[2][1]);
}

// snippet: shared_size_of
// expect: 48 4
extern "C" __global__ void shared_size_of(unsigned* out) {
  __shared__ float s[3][4];
  s[0][0] = 0;
  out[0] = sizeof(s);
  out[1] = sizeof(s[0][0]);
}
