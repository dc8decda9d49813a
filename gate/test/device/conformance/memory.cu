// Conformance snippets: memory spaces, cached loads and stores, local arrays.
// SPDX-License-Identifier: Apache-2.0

__constant__ unsigned table[4] = {10, 20, 30, 40};
__constant__ float scale = 2.5f;
__device__ unsigned counter_from_seven = 7;
__device__ unsigned words[8];
__device__ const unsigned fixed[3] = {1, 2, 3};
__managed__ unsigned managed = 11;

// snippet: constant_array
// launch: block=4
// expect: 40 30 20 10
extern "C" __global__ void constant_array(unsigned* out) {
  out[threadIdx.x] = table[3 - threadIdx.x];
}

// snippet: constant_scalar
// expect: 2.5f
extern "C" __global__ void constant_scalar(unsigned* out) { out[0] = __float_as_uint(scale); }

// snippet: device_variable_starts_from_its_initialiser
// expect: 7
extern "C" __global__ void device_variable_starts_from_its_initialiser(unsigned* out) {
  out[0] = counter_from_seven;
}

// snippet: device_array
// launch: block=8
// expect: 0 1 4 9 16 25 36 49
extern "C" __global__ void device_array(unsigned* out) {
  words[threadIdx.x] = threadIdx.x * threadIdx.x;
  out[threadIdx.x] = words[threadIdx.x];
}

// snippet: device_constant
// expect: 6
extern "C" __global__ void device_constant(unsigned* out) {
  out[0] = fixed[0] + fixed[1] + fixed[2];
}

// snippet: managed_variable
// expect: 11
extern "C" __global__ void managed_variable(unsigned* out) { out[0] = managed; }

// snippet: read_only_load
// expect: 40 2.5f
extern "C" __global__ void read_only_load(unsigned* out) {
  out[0] = __ldg(&fixed[0]) * 40;
  float v = 2.5f;
  out[1] = __float_as_uint(v);
}

// snippet: loads_with_cache_hints
// expect: 1 2 3 1
extern "C" __global__ void loads_with_cache_hints(unsigned* out) {
  out[0] = __ldcg(&fixed[0]);
  out[1] = __ldcs(&fixed[1]);
  out[2] = __ldca(&fixed[2]);
  out[3] = __ldcv(&fixed[0]);
}

// snippet: stores_with_cache_hints
// expect: 5 6 7 8
extern "C" __global__ void stores_with_cache_hints(unsigned* out) {
  __stwb(&out[0], 5u);
  __stcg(&out[1], 6u);
  __stcs(&out[2], 7u);
  __stwt(&out[3], 8u);
}

// snippet: local_array_with_variable_index
// launch: block=4
// expect: 0 10 20 30
extern "C" __global__ void local_array_with_variable_index(unsigned* out) {
  unsigned local[4];
  for (unsigned i = 0; i < 4; ++i) local[i] = i * 10;
  out[threadIdx.x] = local[threadIdx.x];
}

// snippet: local_array_of_several_kilobytes
// launch: block=32
// expect: 65536
extern "C" __global__ void local_array_of_several_kilobytes(unsigned* out) {
  unsigned local[2048];
  for (unsigned i = 0; i < 2048; ++i) local[i] = i;
  unsigned sum = 0;
  for (unsigned i = threadIdx.x; i < 2048; i += 32) sum += local[i] % 64;
  if (threadIdx.x == 0) out[0] = sum * 64;
}

__device__ void swap_words(unsigned* __restrict__ a, unsigned* __restrict__ b) {
  const unsigned t = *a;
  *a = *b;
  *b = t;
}

// snippet: pointers_to_locals
// expect: 2 1
extern "C" __global__ void pointers_to_locals(unsigned* out) {
  unsigned a = 1, b = 2;
  swap_words(&a, &b);
  out[0] = a;
  out[1] = b;
}

// snippet: pointer_arithmetic_between_types
// expect: 0x44332211 0x66
extern "C" __global__ void pointer_arithmetic_between_types(unsigned* out) {
  __shared__ __align__(4) unsigned char raw[8];
  for (int i = 0; i < 8; ++i) raw[i] = static_cast<unsigned char>(0x11 * (i + 1));
  out[0] = *reinterpret_cast<unsigned*>(raw);
  out[1] = *(raw + 5);
}

// snippet: memory_copy_and_set
// expect: 3 0x05050505
extern "C" __global__ void memory_copy_and_set(unsigned* out) {
  unsigned from[4] = {1, 2, 3, 4}, to[4];
  memcpy(to, from, sizeof(from));
  out[0] = to[2];
  memset(to, 5, sizeof(to));
  out[1] = to[0];
}

// snippet: device_heap
// expect: 42
extern "C" __global__ void device_heap(unsigned* out) {
  unsigned* p = static_cast<unsigned*>(malloc(16));
  p[1] = 42;
  out[0] = p[1];
  free(p);
}

// snippet: static_local_variable
// expect: 1
extern "C" __global__ void static_local_variable(unsigned* out) {
  static const unsigned one = 1;
  out[0] = one;
}
