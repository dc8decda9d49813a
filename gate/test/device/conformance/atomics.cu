// Conformance snippets: atomics on global and shared memory.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// snippet: atomic_add_counts_every_thread
// launch: block=200
// expect: 200
extern "C" __global__ void atomic_add_counts_every_thread(unsigned* out) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1u);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}

// snippet: atomic_add_returns_the_old_value
// expect: 5 8
extern "C" __global__ void atomic_add_returns_the_old_value(unsigned* out) {
  __shared__ int v;
  v = 5;
  out[0] = atomicAdd(&v, 3);
  out[1] = v;
}

// snippet: atomic_add_wraps
// expect: 0xffffffff 1
extern "C" __global__ void atomic_add_wraps(unsigned* out) {
  __shared__ unsigned v;
  v = 0xffffffffu;
  out[0] = atomicAdd(&v, 2u);
  out[1] = v;
}

// snippet: atomic_add_of_64_bits
// expect: 0 1
extern "C" __global__ void atomic_add_of_64_bits(unsigned* out) {
  __shared__ unsigned long long v;
  v = 0xffffffffull;
  atomicAdd(&v, 1ull);
  out[0] = static_cast<unsigned>(v);
  out[1] = static_cast<unsigned>(v >> 32);
}

// snippet: atomic_add_of_float
// launch: block=64
// expect: 32f
extern "C" __global__ void atomic_add_of_float(unsigned* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 0.5f);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = __float_as_uint(sum);
}

// snippet: atomic_add_of_double
// launch: block=64
// expect: 16
extern "C" __global__ void atomic_add_of_double(unsigned* out) {
  __shared__ double sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 0.25);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = static_cast<unsigned>(sum);
}

// snippet: atomic_add_of_half
// launch: block=8
// expect: 0x4400
extern "C" __global__ void atomic_add_of_half(unsigned* out) {
  __shared__ __half sum;
  if (threadIdx.x == 0) sum = __float2half(0.0f);
  __syncthreads();
  atomicAdd(&sum, __float2half(0.5f));
  __syncthreads();
  if (threadIdx.x == 0) out[0] = __half_as_ushort(sum);
}

// snippet: atomic_add_of_half2
// launch: block=8
// expect: 0x48004400
extern "C" __global__ void atomic_add_of_half2(unsigned* out) {
  __shared__ __half2 sum;
  if (threadIdx.x == 0) sum = __floats2half2_rn(0.0f, 0.0f);
  __syncthreads();
  atomicAdd(&sum, __floats2half2_rn(0.5f, 1.0f));
  __syncthreads();
  if (threadIdx.x == 0) out[0] = *reinterpret_cast<unsigned*>(&sum);
}

// snippet: atomic_add_of_bfloat16
// launch: block=4
// expect: 0x4080
extern "C" __global__ void atomic_add_of_bfloat16(unsigned* out) {
  __shared__ __nv_bfloat16 sum;
  if (threadIdx.x == 0) sum = __float2bfloat16(0.0f);
  __syncthreads();
  atomicAdd(&sum, __float2bfloat16(1.0f));
  __syncthreads();
  if (threadIdx.x == 0) out[0] = __bfloat16_as_ushort(sum);
}

// snippet: atomic_sub
// expect: 5 -2
extern "C" __global__ void atomic_sub(unsigned* out) {
  __shared__ int v;
  v = 5;
  out[0] = atomicSub(&v, 7);
  out[1] = v;
}

// snippet: atomic_exchange
// expect: 5 9
extern "C" __global__ void atomic_exchange(unsigned* out) {
  __shared__ unsigned v;
  v = 5;
  out[0] = atomicExch(&v, 9u);
  out[1] = v;
}

// snippet: atomic_exchange_of_float
// expect: 1.5f 2.5f
extern "C" __global__ void atomic_exchange_of_float(unsigned* out) {
  __shared__ float v;
  v = 1.5f;
  out[0] = __float_as_uint(atomicExch(&v, 2.5f));
  out[1] = __float_as_uint(v);
}

// snippet: atomic_min_and_max_signed
// launch: block=64
// expect: -31 32
extern "C" __global__ void atomic_min_and_max_signed(unsigned* out) {
  __shared__ int low, high;
  if (threadIdx.x == 0) low = high = 0;
  __syncthreads();
  atomicMin(&low, static_cast<int>(threadIdx.x) - 31);
  atomicMax(&high, static_cast<int>(threadIdx.x) - 31);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = low;
    out[1] = high;
  }
}

// snippet: atomic_min_and_max_unsigned
// expect: 3 0xffffffff
extern "C" __global__ void atomic_min_and_max_unsigned(unsigned* out) {
  __shared__ unsigned low, high;
  low = high = 3;
  atomicMin(&low, 0xffffffffu);
  atomicMax(&high, 0xffffffffu);
  out[0] = low;
  out[1] = high;
}

// snippet: atomic_max_of_64_bits
// expect: 1 2
extern "C" __global__ void atomic_max_of_64_bits(unsigned* out) {
  __shared__ unsigned long long v;
  v = 1ull << 32;
  atomicMax(&v, (2ull << 32) + 1);
  atomicMax(&v, 77ull);
  out[0] = static_cast<unsigned>(v);
  out[1] = static_cast<unsigned>(v >> 32);
}

// snippet: atomic_increment_wraps_at_the_limit
// expect: 0 1 2 3 0 1
extern "C" __global__ void atomic_increment_wraps_at_the_limit(unsigned* out) {
  __shared__ unsigned v;
  v = 0;
  for (int i = 0; i < 5; ++i) out[i] = atomicInc(&v, 3u);
  out[5] = v;
}

// snippet: atomic_decrement_wraps_at_zero
// expect: 1 0 3 9 3
extern "C" __global__ void atomic_decrement_wraps_at_zero(unsigned* out) {
  __shared__ unsigned v;
  v = 1;
  out[0] = atomicDec(&v, 3u);
  out[1] = atomicDec(&v, 3u);
  out[2] = v;
  v = 9;
  out[3] = atomicDec(&v, 3u);
  out[4] = v;
}

// snippet: atomic_compare_and_swap
// expect: 5 7 7 7
extern "C" __global__ void atomic_compare_and_swap(unsigned* out) {
  __shared__ unsigned v;
  v = 5;
  out[0] = atomicCAS(&v, 5u, 7u);
  out[1] = v;
  out[2] = atomicCAS(&v, 5u, 9u);
  out[3] = v;
}

// snippet: atomic_compare_and_swap_of_16_bits
// expect: 5 7
extern "C" __global__ void atomic_compare_and_swap_of_16_bits(unsigned* out) {
  __shared__ unsigned short v;
  v = 5;
  const unsigned short five = 5, seven = 7;
  out[0] = atomicCAS(&v, five, seven);
  out[1] = v;
}

// snippet: atomic_bits
// expect: 0xf0 0x30 0x3f 0xc3
extern "C" __global__ void atomic_bits(unsigned* out) {
  __shared__ unsigned v;
  v = 0xf0;
  out[0] = atomicAnd(&v, 0x3cu);
  out[1] = atomicOr(&v, 0x0fu);
  out[2] = atomicXor(&v, 0xfcu);
  out[3] = v;
}

__device__ float atomic_max_float(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_int(fmaxf(value, __int_as_float(assumed))));
  } while (assumed != old);
  return __int_as_float(old);
}

// snippet: atomic_loop_by_compare_and_swap
// launch: block=128
// expect: 63.5f
extern "C" __global__ void atomic_loop_by_compare_and_swap(unsigned* out) {
  __shared__ float high;
  if (threadIdx.x == 0) high = -1.0f;
  __syncthreads();
  atomic_max_float(&high, threadIdx.x * 0.5f);
  __syncthreads();
  if (threadIdx.x == 0) out[0] = __float_as_uint(high);
}

// snippet: atomic_lock
// launch: block=64
// expect: 64
extern "C" __global__ void atomic_lock(unsigned* out) {
  __shared__ int lock;
  __shared__ volatile unsigned guarded;
  if (threadIdx.x == 0) {
    lock = 0;
    guarded = 0;
  }
  __syncthreads();
  for (bool done = false; !done;) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      __threadfence_block();
      guarded = guarded + 1;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = guarded;
}

// snippet: atomic_histogram
// launch: block=256
// expect: 64 64 64 64
extern "C" __global__ void atomic_histogram(unsigned* out) {
  __shared__ unsigned bins[4];
  if (threadIdx.x < 4) bins[threadIdx.x] = 0;
  __syncthreads();
  atomicAdd(&bins[threadIdx.x * 7 % 4], 1u);
  __syncthreads();
  if (threadIdx.x < 4) out[threadIdx.x] = bins[threadIdx.x];
}
