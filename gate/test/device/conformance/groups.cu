// Conformance snippets: cooperative groups up to the thread block.
// SPDX-License-Identifier: Apache-2.0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

// snippet: group_thread_block
// launch: block=8,4
// expect: 32 31 496
extern "C" __global__ void group_thread_block(unsigned* out) {
  __shared__ unsigned s[32];
  cg::thread_block block = cg::this_thread_block();
  s[block.thread_rank()] = block.thread_rank();
  block.sync();
  if (block.thread_rank() == 31) {
    out[0] = static_cast<unsigned>(block.size());
    out[1] = block.thread_rank();
    unsigned sum = 0;
    for (int i = 0; i < 32; ++i) sum += s[i];
    out[2] = sum;
  }
}

// snippet: group_block_indices
// launch: grid=2 block=2,3
// expect: 1 1 2
extern "C" __global__ void group_block_indices(unsigned* out) {
  cg::thread_block block = cg::this_thread_block();
  if (block.group_index().x == 1 && block.thread_index().x == 1 && block.thread_index().y == 2) {
    out[0] = block.group_index().x;
    out[1] = block.thread_index().x;
    out[2] = block.thread_index().y;
  }
}

// snippet: group_tile_ranks
// launch: block=64
// expect: 8 3 5 8
extern "C" __global__ void group_tile_ranks(unsigned* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  if (threadIdx.x == 43) {
    out[0] = static_cast<unsigned>(tile.size());
    out[1] = static_cast<unsigned>(tile.thread_rank());
    out[2] = static_cast<unsigned>(tile.meta_group_rank());
    out[3] = static_cast<unsigned>(tile.meta_group_size());
  }
}

// snippet: group_tile_shuffles
// launch: block=32
// expect: 16 19 17 16
extern "C" __global__ void group_tile_shuffles(unsigned* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  const unsigned first = tile.shfl(threadIdx.x, 0);
  const unsigned down = tile.shfl_down(threadIdx.x, 2);
  const unsigned up = tile.shfl_up(threadIdx.x, 1);
  const unsigned crossed = tile.shfl_xor(threadIdx.x, 1);
  if (threadIdx.x == 17) {
    out[0] = first;
    out[1] = down;
    out[3] = crossed;
  }
  if (threadIdx.x == 18) out[2] = up;
}

// snippet: group_tile_votes
// launch: block=32
// expect: 1 0 0xa
extern "C" __global__ void group_tile_votes(unsigned* out) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  const int any = tile.any(threadIdx.x == 9), all = tile.all(threadIdx.x == 9);
  const unsigned votes = tile.ballot(threadIdx.x % 2 == 1);
  if (threadIdx.x == 8) {
    out[0] = any != 0;
    out[1] = all != 0;
    out[2] = votes;
  }
}

// snippet: group_tile_reduction
// launch: block=64
// expect: 28 92 63
extern "C" __global__ void group_tile_reduction(unsigned* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned sum = cg::reduce(tile, threadIdx.x, cg::plus<unsigned>());
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const unsigned high = cg::reduce(warp, threadIdx.x, cg::greater<unsigned>());
  if (threadIdx.x == 3) out[0] = sum;
  if (threadIdx.x == 8) out[1] = sum;
  if (threadIdx.x == 40) out[2] = high;
}

// snippet: group_tile_match
// launch: block=32
// expect: 0x5 0xa
extern "C" __global__ void group_tile_match(unsigned* out) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  const unsigned peers = tile.match_any(threadIdx.x % 2);
  if (threadIdx.x == 4) out[0] = peers;
  if (threadIdx.x == 7) out[1] = peers;
}

// snippet: group_coalesced
// launch: block=32
// expect: 8 3 28
extern "C" __global__ void group_coalesced(unsigned* out) {
  if (threadIdx.x % 4 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    const unsigned last = active.shfl(threadIdx.x, static_cast<int>(active.size()) - 1);
    if (threadIdx.x == 12) {
      out[0] = static_cast<unsigned>(active.size());
      out[1] = static_cast<unsigned>(active.thread_rank());
      out[2] = last;
    }
  }
}

// snippet: group_aggregated_atomic
// launch: block=64
// expect: 22
extern "C" __global__ void group_aggregated_atomic(unsigned* out) {
  __shared__ unsigned count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  if (threadIdx.x % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    if (active.thread_rank() == 0) atomicAdd(&count, static_cast<unsigned>(active.size()));
  }
  __syncthreads();
  if (threadIdx.x == 0) out[0] = count;
}

// snippet: group_scans
// launch: block=32
// expect: 10 6 0
extern "C" __global__ void group_scans(unsigned* out) {
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const unsigned v = static_cast<unsigned>(tile.thread_rank()) + 1;
  const unsigned inclusive = cg::inclusive_scan(tile, v, cg::plus<unsigned>());
  const unsigned exclusive = cg::exclusive_scan(tile, v, cg::plus<unsigned>());
  if (threadIdx.x == 11) out[0] = inclusive;
  if (threadIdx.x == 11) out[1] = exclusive;
  if (threadIdx.x == 8) out[2] = exclusive;
}

// snippet: group_generic_thread_group
// launch: block=32
// expect: 16 2
extern "C" __global__ void group_generic_thread_group(unsigned* out) {
  cg::thread_group group = cg::tiled_partition(cg::this_thread_block(), 16);
  group.sync();
  if (threadIdx.x == 18) {
    out[0] = static_cast<unsigned>(group.size());
    out[1] = static_cast<unsigned>(group.thread_rank());
  }
}

// snippet: group_binary_partition
// launch: block=32
// expect: 10 22
extern "C" __global__ void group_binary_partition(unsigned* out) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const bool low = threadIdx.x < 10;
  cg::coalesced_group part = cg::binary_partition(warp, low);
  if (threadIdx.x == 0) out[0] = static_cast<unsigned>(part.size());
  if (threadIdx.x == 31) out[1] = static_cast<unsigned>(part.size());
}
