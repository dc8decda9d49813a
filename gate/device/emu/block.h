// Blocks, warps and threads of a launch as the scheduler keeps them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <vector>

#include "gate/device/emu/arena.h"
#include "gate/device/emu/include/gate_emu/abi.h"
#include "gate/device/emu/stacks.h"

namespace gate {

struct Block;

/// What every switch reads comes first, within one cache line.
struct alignas(64) Thread {
  boost::context::detail::fcontext_t context = nullptr;  // null: not started
  Block* block = nullptr;
  gate_emu::Index3 index{};
  unsigned linear = 0;
  std::uint32_t segment = 0, acquired = 0;  // see watch.h
  gate_emu::Site site{};                    // where it waits or gave way last
  const void* pc = nullptr;                 // the same as code, where the site is unknown
  Stack stack;

  unsigned warp() const { return linear / gate_emu::warp_size; }
  unsigned lane() const { return linear % gate_emu::warp_size; }
};

/// A collective some lanes of a warp have reached.
struct Rendezvous {
  gate_emu::CollectiveKind kind{};
  unsigned mask = 0;
  unsigned arrived = 0;
};

/// Lane sets are bit masks. Every present lane is in exactly one of ready, yielded, at_barrier,
/// collecting, exited, or runs.
struct Warp {
  unsigned present = 0, ready = 0, yielded = 0, at_barrier = 0, collecting = 0, exited = 0;
  std::vector<Rendezvous> meetings;
  // By lane: what it brought to its collective, and got.
  std::uint64_t values[gate_emu::warp_size]{};
  std::uint64_t results[gate_emu::warp_size]{};
  unsigned parameters[gate_emu::warp_size]{};
  std::uint8_t widths[gate_emu::warp_size]{};  // 0: the whole warp
  std::uint32_t met = 0;             // all lanes met then; only when watched, as is the next
  std::vector<std::uint32_t> known;  // [lane][other]: segments ordered before
};

struct BarrierState {
  unsigned arrived = 0;
  unsigned count = 0;  // predicates that held
  int result = 0;
  gate_emu::BarrierKind kind{};
  const Thread* first = nullptr;
  const Thread* other = nullptr;  // waits at another site
};

struct Block {
  gate_emu::Index3 index{};
  unsigned thread_count = 0;
  unsigned exited = 0;
  std::uint32_t ready_warps = 0;  // bit per warp: has ready lanes
  std::uint32_t yielded_warps = 0;
  BarrierState barrier;
  std::uint32_t sequence = 0;  // number in order of start
  std::uint32_t barrier_segment = 0, barrier_acquired = 0, acquired_max = 0;  // see watch.h
  std::vector<Thread> threads;
  std::vector<Warp> warps;
  SavedShared shared;  // while another block runs
};

}  // namespace gate
