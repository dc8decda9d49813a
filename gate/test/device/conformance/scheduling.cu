// Conformance snippets: threads that wait for each other, clocks, forward progress.
// SPDX-License-Identifier: Apache-2.0

__device__ volatile unsigned flag_of_blocks[4];
__device__ unsigned tickets;
__device__ volatile unsigned turn;

// snippet: flag_between_warps
// launch: block=64
// expect: 99
extern "C" __global__ void flag_between_warps(unsigned* out) {
  __shared__ volatile unsigned flag;
  __shared__ volatile unsigned data;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 32) {
    data = 99;
    __threadfence_block();
    flag = 1;
  }
  if (threadIdx.x == 0) {
    while (flag == 0) {
    }
    __threadfence_block();
    out[0] = data;
  }
}

// snippet: chain_of_blocks
// launch: grid=4 block=32
// expect: 4
extern "C" __global__ void chain_of_blocks(unsigned* out) {
  // Blocks take numbers in order of arrival, so each waits only for one that already runs.
  __shared__ unsigned mine;
  if (threadIdx.x == 0) {
    mine = atomicInc(&tickets, gridDim.x - 1);
    if (mine > 0) {
      while (flag_of_blocks[mine - 1] == 0) {
      }
    }
    __threadfence();
    const unsigned before = mine == 0 ? 0 : flag_of_blocks[mine - 1];
    if (mine == gridDim.x - 1) {
      out[0] = before + 1;
      for (unsigned i = 0; i < gridDim.x; ++i) flag_of_blocks[i] = 0;
    } else {
      flag_of_blocks[mine] = before + 1;
    }
  }
}

// snippet: turns_within_a_block
// launch: block=8
// expect: 0 1 2 3 4 5 6 7
extern "C" __global__ void turns_within_a_block(unsigned* out) {
  __shared__ volatile unsigned next;
  __shared__ unsigned written;
  if (threadIdx.x == 0) {
    next = 0;
    written = 0;
  }
  __syncthreads();
  bool done = false;
  while (!done) {
    if (next == threadIdx.x) {
      out[atomicAdd(&written, 1u)] = threadIdx.x;
      __threadfence_block();
      next = threadIdx.x + 1;
      done = true;
    }
  }
}

// snippet: clock_advances
// expect: 1 1
extern "C" __global__ void clock_advances(unsigned* out) {
  const long long begin = clock64();
  long long end = begin;
  while (end - begin < 1000) end = clock64();
  out[0] = end > begin;
  const unsigned a = static_cast<unsigned>(clock());
  const unsigned b = static_cast<unsigned>(clock());
  out[1] = b - a < 0x80000000u;
}

// snippet: sleeping_lets_others_go_on
// launch: block=64
// expect: 5
extern "C" __global__ void sleeping_lets_others_go_on(unsigned* out) {
  __shared__ volatile unsigned ready;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    while (ready == 0) __nanosleep(100);
    out[0] = ready;
  } else if (threadIdx.x == 33) {
    ready = 5;
  }
}

// snippet: atomic_spin_between_blocks
// launch: grid=3 block=32
// expect: 3
extern "C" __global__ void atomic_spin_between_blocks(unsigned* out) {
  if (threadIdx.x != 0) return;
  const unsigned arrived = atomicAdd(const_cast<unsigned*>(&turn), 1u) + 1;
  if (arrived == gridDim.x) {
    out[0] = arrived;
    atomicExch(const_cast<unsigned*>(&turn), 0u);
  } else {
    while (atomicAdd(const_cast<unsigned*>(&turn), 0u) % gridDim.x != 0) {
    }
  }
}
