// Conformance snippets: block barriers, their counting forms, fences.
// SPDX-License-Identifier: Apache-2.0

// snippet: barrier_orders_shared_memory
// launch: block=128
// expect: 127 0
extern "C" __global__ void barrier_orders_shared_memory(unsigned* out) {
  __shared__ unsigned s[128];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  const unsigned other = s[127 - threadIdx.x];
  if (threadIdx.x == 0) out[0] = other;
  if (threadIdx.x == 127) out[1] = other;
}

// snippet: barrier_in_a_loop_tree_reduction
// launch: block=256
// expect: 32640
extern "C" __global__ void barrier_in_a_loop_tree_reduction(unsigned* out) {
  __shared__ unsigned s[256];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = s[0];
}

// snippet: barrier_counts_predicates
// launch: block=100
// expect: 34
extern "C" __global__ void barrier_counts_predicates(unsigned* out) {
  const int n = __syncthreads_count(threadIdx.x % 3 == 0);
  if (threadIdx.x == 42) out[0] = n;
}

// snippet: barrier_and
// launch: block=64
// expect: 0 1
extern "C" __global__ void barrier_and(unsigned* out) {
  const int no = __syncthreads_and(threadIdx.x != 40);
  const int yes = __syncthreads_and(threadIdx.x < 64);
  if (threadIdx.x == 0) {
    out[0] = no != 0;
    out[1] = yes != 0;
  }
}

// snippet: barrier_or
// launch: block=64
// expect: 1 0
extern "C" __global__ void barrier_or(unsigned* out) {
  const int yes = __syncthreads_or(threadIdx.x == 40);
  const int no = __syncthreads_or(threadIdx.x > 64);
  if (threadIdx.x == 0) {
    out[0] = yes != 0;
    out[1] = no != 0;
  }
}

// snippet: barrier_counts_exited_threads_as_arrived
// launch: block=64
// expect: 9
extern "C" __global__ void barrier_counts_exited_threads_as_arrived(unsigned* out) {
  __shared__ unsigned s;
  if (threadIdx.x >= 40) return;
  if (threadIdx.x == 39) s = 9;
  __syncthreads();
  if (threadIdx.x == 0) out[0] = s;
}

__device__ void meet() { __syncthreads(); }

// snippet: barrier_in_a_device_function
// launch: block=64
// expect: 63
extern "C" __global__ void barrier_in_a_device_function(unsigned* out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = threadIdx.x;
  meet();
  if (threadIdx.x == 0) out[0] = s[63];
}

// snippet: barrier_in_a_uniform_branch
// launch: grid=2 block=64
// expect: 0 63
extern "C" __global__ void barrier_in_a_uniform_branch(unsigned* out) {
  __shared__ unsigned s[64];
  s[threadIdx.x] = 0;
  if (blockIdx.x == 1) {
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) out[1] = s[63];
  } else {
    __syncthreads();
    if (threadIdx.x == 0) out[0] = s[63];
  }
}

// snippet: barrier_with_a_different_trip_count_per_block
// launch: grid=3 block=32
// expect: 1 2 3
extern "C" __global__ void barrier_with_a_different_trip_count_per_block(unsigned* out) {
  __shared__ unsigned s;
  if (threadIdx.x == 0) s = 0;
  for (unsigned i = 0; i <= blockIdx.x; ++i) {
    __syncthreads();
    if (threadIdx.x == i) ++s;
    __syncthreads();
  }
  if (threadIdx.x == 31) out[blockIdx.x] = s;
}

// snippet: fence_and_barrier_publish_to_the_block
// launch: block=64
// expect: 5
extern "C" __global__ void fence_and_barrier_publish_to_the_block(unsigned* out) {
  if (threadIdx.x == 33) {
    out[0] = 4;
    __threadfence_block();
  }
  __syncthreads();
  if (threadIdx.x == 1) out[0] = out[0] + 1;
}

__device__ unsigned blocks_done = 0;
__device__ unsigned partial[6];

// snippet: fence_last_block_sums_partials
// launch: grid=6 block=32
// expect: 126
extern "C" __global__ void fence_last_block_sums_partials(unsigned* out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = 2u << blockIdx.x;
    __threadfence();
    last = atomicAdd(&blocks_done, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    unsigned sum = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) sum += *(volatile unsigned*)&partial[i];
    out[0] = sum;
    blocks_done = 0;
  }
}

// snippet: barrier_double_buffer
// launch: block=32
// expect: 4960
extern "C" __global__ void barrier_double_buffer(unsigned* out) {
  __shared__ unsigned s[2][32];
  unsigned sum = 0;
  for (unsigned step = 0; step < 10; ++step) {
    s[step % 2][threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (unsigned i = 0; i < 32; ++i) sum += s[step % 2][i];
    }
  }
  if (threadIdx.x == 0) out[0] = sum;
}
