// Conformance snippets: built-in indices and sizes.
//
// Form of all files here: a snippet is a kernel `extern "C" __global__ void NAME(unsigned* out)`
// after its comment lines "snippet: …", optionally "launch: grid=X,Y,Z block=X,Y,Z shared=N",
// and "expect:" with the words it writes: integers, 0x…, 1.5f (bits of a float), 1.5f~4 (within 4
// ulp), nan. Whatever a GPU gives by the programming guide; every schedule must give it too.
// SPDX-License-Identifier: Apache-2.0

// snippet: thread_index_is_three_dimensional
// launch: block=2,2,2
// expect: 0 1 2 3 4 5 6 7
extern "C" __global__ void thread_index_is_three_dimensional(unsigned* out) {
  out[threadIdx.x + threadIdx.y * 2 + threadIdx.z * 4] =
      threadIdx.x + 2 * threadIdx.y + 4 * threadIdx.z;
}

// snippet: block_index_is_three_dimensional
// launch: grid=2,3,2
// expect: 0 1 10 11 20 21 100 101 110 111 120 121
extern "C" __global__ void block_index_is_three_dimensional(unsigned* out) {
  out[blockIdx.x + blockIdx.y * 2 + blockIdx.z * 6] =
      blockIdx.x + 10 * blockIdx.y + 100 * blockIdx.z;
}

// snippet: dimensions_of_block_and_grid
// launch: grid=3,2,1 block=4,2,2
// expect: 4 2 2 3 2 1
extern "C" __global__ void dimensions_of_block_and_grid(unsigned* out) {
  out[0] = blockDim.x;
  out[1] = blockDim.y;
  out[2] = blockDim.z;
  out[3] = gridDim.x;
  out[4] = gridDim.y;
  out[5] = gridDim.z;
}

// snippet: warp_size_is_32
// expect: 32
extern "C" __global__ void warp_size_is_32(unsigned* out) { out[0] = warpSize; }

// snippet: global_thread_number
// launch: grid=3 block=4
// expect: 0 1 2 3 4 5 6 7 8 9 10 11
extern "C" __global__ void global_thread_number(unsigned* out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i;
}

// snippet: grid_stride_loop
// launch: grid=2 block=3
// expect: 0 1 4 9 16 25 36 49 64 81
extern "C" __global__ void grid_stride_loop(unsigned* out) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < 10; i += gridDim.x * blockDim.x) {
    out[i] = i * i;
  }
}

__device__ unsigned linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// snippet: indices_in_device_functions
// launch: block=3,2
// expect: 0 1 2 3 4 5
extern "C" __global__ void indices_in_device_functions(unsigned* out) {
  out[linear_thread()] = linear_thread();
}

// snippet: index_types_are_unsigned
// expect: 1 4
extern "C" __global__ void index_types_are_unsigned(unsigned* out) {
  out[0] = threadIdx.x - 1 > 1000;
  out[1] = sizeof(threadIdx.x);
}

// snippet: dim3_defaults_to_one
// expect: 5 1 1
extern "C" __global__ void dim3_defaults_to_one(unsigned* out) {
  const dim3 d(5);
  out[0] = d.x;
  out[1] = d.y;
  out[2] = d.z;
}

// snippet: index_copies_to_uint3
// launch: block=2,2
// expect: 0 1 2 3
extern "C" __global__ void index_copies_to_uint3(unsigned* out) {
  const uint3 t = threadIdx;
  out[t.x + 2 * t.y] = t.x + 2 * t.y + t.z;
}

// snippet: lane_and_warp_numbers
// launch: block=16,4
// expect: 0 31 0 1 1
extern "C" __global__ void lane_and_warp_numbers(unsigned* out) {
  const unsigned linear = threadIdx.x + threadIdx.y * blockDim.x;
  if (linear == 0) out[0] = linear % warpSize;
  if (linear == 31) out[1] = linear % warpSize;
  if (linear == 32) out[2] = linear % warpSize;
  if (linear == 32) out[3] = linear / warpSize;
  if (threadIdx.x == 15 && threadIdx.y == 3) out[4] = linear / warpSize;
}
