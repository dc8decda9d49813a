// __syncthreads and its counting forms. Exited threads count as arrived; threads that wait at
// different barriers make it a divergent one.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "gate/device/emu/machine.h"

namespace gate {

using gate_emu::BarrierKind;

namespace {

bool same_site(const gate_emu::Site& a, const gate_emu::Site& b) {
  return a.line == b.line && (a.file == b.file || std::strcmp(a.file, b.file) == 0);
}

int result_of(const BarrierState& barrier) {
  switch (barrier.kind) {
    case BarrierKind::plain:
      return 0;
    case BarrierKind::count:
      return static_cast<int>(barrier.count);
    case BarrierKind::all:
      return barrier.count == barrier.arrived;
    case BarrierKind::any:
      return barrier.count != 0;
  }
  return 0;
}

}  // namespace

/// A thread comes to the barrier; the thread that runs next. Its frame is gone when it waits.
[[gnu::noinline]] Thread& Machine::arrive(BarrierKind kind, int predicate, gate_emu::Site site) {
  settle();
  Thread& self = *current_;
  Block& block = *self.block;
  self.site = site;
  BarrierState& state = block.barrier;
  if (state.arrived == 0) {
    state.kind = kind;
    state.first = &self;
    state.other = nullptr;
    state.count = 0;
  } else if (state.other == nullptr &&
             (state.kind != kind || !same_site(state.first->site, site))) {
    state.other = &self;
  }
  ++state.arrived;
  state.count += predicate != 0;
  block.warps[self.warp()].at_barrier |= 1u << self.lane();
  check_barrier(block);
  return successor(block);
}

int Machine::barrier(BarrierKind kind, int predicate, gate_emu::Site site) {
  if (image_->here->in_kernel == 0) {
    fail(gate_emu::Ending::crash, "__syncthreads() outside a kernel", site);
    return 0;
  }
  give_way_to(arrive(kind, predicate, site));
  return current_->block->barrier.result;
}

void Machine::check_barrier(Block& block) {
  const BarrierState& state = block.barrier;
  if (state.arrived == 0 || state.arrived + block.exited != block.thread_count) return;
  if (state.other != nullptr) {
    fail(gate_emu::Ending::barrier,
         fmt::format("divergent barrier: {} waits at {}, {} at {}", where(*state.first),
                     text_of(state.first->site), where(*state.other), text_of(state.other->site)),
         {});
  }
  release_barrier(block);
}

void Machine::release_barrier(Block& block) {
  check_shared();
  if (watching_) watch_.barrier_passed(block);
  block.barrier.result = result_of(block.barrier);
  block.barrier.arrived = 0;
  for (unsigned w = 0; w < block.warps.size(); ++w) {
    Warp& warp = block.warps[w];
    if (warp.at_barrier == 0) continue;
    warp.ready |= warp.at_barrier;
    warp.at_barrier = 0;
    block.ready_warps |= 1u << w;
  }
  progress_ = true;
}

}  // namespace gate
