// Conformance snippets: atomics on device variables, scopes, and as list ends.
// SPDX-License-Identifier: Apache-2.0

__device__ unsigned global_counter;

// snippet: atomic_on_a_device_variable
// launch: grid=8 block=32
// expect: 1
extern "C" __global__ void atomic_on_a_device_variable(unsigned* out) {
  const unsigned ticket = atomicInc(&global_counter, gridDim.x * blockDim.x - 1);
  if (ticket == gridDim.x * blockDim.x - 1) out[0] = 1;
}

// snippet: atomic_scopes
// expect: 1 3 6
extern "C" __global__ void atomic_scopes(unsigned* out) {
  __shared__ unsigned v;
  v = 1;
  out[0] = atomicAdd_block(&v, 2u);
  out[1] = atomicAdd_system(&v, 3u);
  out[2] = v;
}

// snippet: atomic_appends_give_every_slot_once
// launch: block=96
// expect: 4560
extern "C" __global__ void atomic_appends_give_every_slot_once(unsigned* out) {
  __shared__ unsigned n, slots[96];
  if (threadIdx.x == 0) n = 0;
  __syncthreads();
  slots[atomicAdd(&n, 1u)] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (int i = 0; i < 96; ++i) sum += slots[i];
    out[0] = sum;
  }
}
