// Conformance snippets: votes, matches, warp reductions, __syncwarp.
// SPDX-License-Identifier: Apache-2.0

#define FULL 0xffffffffu

// snippet: vote_all
// launch: block=32
// expect: 1 0
extern "C" __global__ void vote_all(unsigned* out) {
  const int yes = __all_sync(FULL, threadIdx.x < 32);
  const int no = __all_sync(FULL, threadIdx.x != 9);
  if (threadIdx.x == 0) {
    out[0] = yes != 0;
    out[1] = no != 0;
  }
}

// snippet: vote_any
// launch: block=32
// expect: 1 0
extern "C" __global__ void vote_any(unsigned* out) {
  const int yes = __any_sync(FULL, threadIdx.x == 9);
  const int no = __any_sync(FULL, threadIdx.x > 31);
  if (threadIdx.x == 0) {
    out[0] = yes != 0;
    out[1] = no != 0;
  }
}

// snippet: vote_ballot
// launch: block=32
// expect: 0x55555555
extern "C" __global__ void vote_ballot(unsigned* out) {
  const unsigned votes = __ballot_sync(FULL, threadIdx.x % 2 == 0);
  if (threadIdx.x == 7) out[0] = votes;
}

// snippet: vote_ballot_of_a_partial_mask
// launch: block=32
// expect: 0x50
extern "C" __global__ void vote_ballot_of_a_partial_mask(unsigned* out) {
  if (threadIdx.x < 8) {
    const unsigned votes = __ballot_sync(0xffu, threadIdx.x > 3 && threadIdx.x % 2 == 0);
    if (threadIdx.x == 0) out[0] = votes;
  }
}

// snippet: vote_ballot_of_a_short_warp
// launch: block=40
// expect: 0xff
extern "C" __global__ void vote_ballot_of_a_short_warp(unsigned* out) {
  if (threadIdx.x >= 32) {
    const unsigned votes = __ballot_sync(0xffu, 1);
    if (threadIdx.x == 32) out[0] = votes;
  }
}

// snippet: vote_all_of_some_lanes
// launch: block=32
// expect: 1
extern "C" __global__ void vote_all_of_some_lanes(unsigned* out) {
  if (threadIdx.x % 4 == 0) {
    const int yes = __all_sync(0x11111111u, threadIdx.x % 4 == 0);
    if (threadIdx.x == 28) out[0] = yes != 0;
  }
}

// snippet: active_mask_of_a_whole_warp
// launch: block=32
// expect: 0xffffffff
extern "C" __global__ void active_mask_of_a_whole_warp(unsigned* out) {
  const unsigned mask = __activemask();
  if (threadIdx.x == 3) out[0] = mask;
}

// snippet: match_any
// launch: block=32
// expect: 0x11111111 0x88888888
extern "C" __global__ void match_any(unsigned* out) {
  const unsigned peers = __match_any_sync(FULL, threadIdx.x % 4);
  if (threadIdx.x == 4) out[0] = peers;
  if (threadIdx.x == 7) out[1] = peers;
}

// snippet: match_any_of_64_bits
// launch: block=32
// expect: 0xffff
extern "C" __global__ void match_any_of_64_bits(unsigned* out) {
  const unsigned long long key = static_cast<unsigned long long>(threadIdx.x / 16) << 40;
  const unsigned peers = __match_any_sync(FULL, key);
  if (threadIdx.x == 2) out[0] = peers;
}

// snippet: match_all
// launch: block=32
// expect: 0xffffffff 1 0 0
extern "C" __global__ void match_all(unsigned* out) {
  int same = -1, different = -1;
  const unsigned all = __match_all_sync(FULL, 12u, &same);
  const unsigned none = __match_all_sync(FULL, threadIdx.x, &different);
  if (threadIdx.x == 0) {
    out[0] = all;
    out[1] = same;
    out[2] = none;
    out[3] = different;
  }
}

// snippet: reduce_add
// launch: block=32
// expect: 496
extern "C" __global__ void reduce_add(unsigned* out) {
  const unsigned sum = __reduce_add_sync(FULL, threadIdx.x);
  if (threadIdx.x == 20) out[0] = sum;
}

// snippet: reduce_min_and_max_unsigned
// launch: block=32
// expect: 3 0xfffffffe
extern "C" __global__ void reduce_min_and_max_unsigned(unsigned* out) {
  const unsigned v = threadIdx.x == 5 ? 0xfffffffeu : threadIdx.x + 3;
  const unsigned low = __reduce_min_sync(FULL, v), high = __reduce_max_sync(FULL, v);
  if (threadIdx.x == 0) {
    out[0] = low;
    out[1] = high;
  }
}

// snippet: reduce_min_and_max_signed
// launch: block=32
// expect: -2 34
extern "C" __global__ void reduce_min_and_max_signed(unsigned* out) {
  const int v = threadIdx.x == 5 ? -2 : static_cast<int>(threadIdx.x) + 3;
  const int low = __reduce_min_sync(FULL, v), high = __reduce_max_sync(FULL, v);
  if (threadIdx.x == 0) {
    out[0] = low;
    out[1] = high;
  }
}

// snippet: reduce_bits
// launch: block=32
// expect: 0x100 0x11f 0
extern "C" __global__ void reduce_bits(unsigned* out) {
  const unsigned v = 0x100u | threadIdx.x;
  const unsigned both = __reduce_and_sync(FULL, v), any = __reduce_or_sync(FULL, v);
  const unsigned parity = __reduce_xor_sync(FULL, v);
  if (threadIdx.x == 31) {
    out[0] = both;
    out[1] = any;
    out[2] = parity;
  }
}

// snippet: reduce_over_a_partial_mask
// launch: block=32
// expect: 6
extern "C" __global__ void reduce_over_a_partial_mask(unsigned* out) {
  if (threadIdx.x < 4) {
    const unsigned sum = __reduce_add_sync(0xfu, threadIdx.x);
    if (threadIdx.x == 0) out[0] = sum;
  }
}

// snippet: syncwarp_orders_shared_memory
// launch: block=32
// expect: 496
extern "C" __global__ void syncwarp_orders_shared_memory(unsigned* out) {
  __shared__ unsigned s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  for (unsigned half = 16; half > 0; half /= 2) {
    unsigned v = 0;
    if (threadIdx.x < half) v = s[threadIdx.x + half];
    __syncwarp();
    if (threadIdx.x < half) s[threadIdx.x] += v;
    __syncwarp();
  }
  if (threadIdx.x == 0) out[0] = s[0];
}

// snippet: syncwarp_of_some_lanes
// launch: block=32
// expect: 2
extern "C" __global__ void syncwarp_of_some_lanes(unsigned* out) {
  __shared__ unsigned s[4];
  if (threadIdx.x < 4) {
    s[threadIdx.x] = threadIdx.x;
    __syncwarp(0xf);
    if (threadIdx.x == 1) out[0] = s[2];
  }
}

// snippet: lanes_below_by_ballot
// launch: block=32
// expect: 0 1 3
extern "C" __global__ void lanes_below_by_ballot(unsigned* out) {
  const bool keep = threadIdx.x % 8 == 3;
  const unsigned votes = __ballot_sync(FULL, keep);
  const unsigned before = __popc(votes & ((1u << threadIdx.x) - 1));
  if (threadIdx.x == 3) out[0] = before;
  if (threadIdx.x == 11) out[1] = before;
  if (threadIdx.x == 27) out[2] = before;
}
