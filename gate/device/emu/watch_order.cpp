// Happens-before on cells.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "gate/device/emu/watch.h"

namespace gate {

using gate_emu::Access;
using gate_emu::Ending;

void Watch::barrier_passed(Block& block) {
  block.barrier_segment = segment_;
  block.barrier_acquired = block.acquired_max;
}

/// Lanes that met know all that any of them knew, and each other up to now.
void Watch::warp_met(Block& block, unsigned w, unsigned lanes) {
  Warp& warp = block.warps[w];
  Thread* threads = &block.threads[w * gate_emu::warp_size];
  if (block.acquired_max != 0) {
    std::uint32_t acquired = 0;
    for (unsigned set = lanes; set != 0; set &= set - 1) {
      acquired = std::max(acquired, threads[std::countr_zero(set)].acquired);
    }
    for (unsigned set = lanes; set != 0; set &= set - 1) {
      threads[std::countr_zero(set)].acquired = acquired;
    }
  }
  if (lanes == warp.present) {
    warp.met = segment_;  // the whole warp: nobody knows less
    return;
  }
  constexpr unsigned size = gate_emu::warp_size;
  if (warp.known.empty()) warp.known.assign(size * size, 0);
  std::uint32_t merged[size] = {};
  for (unsigned set = lanes; set != 0; set &= set - 1) {
    const std::uint32_t* row = &warp.known[static_cast<unsigned>(std::countr_zero(set)) * size];
    for (unsigned u = 0; u < size; ++u) merged[u] = std::max(merged[u], row[u]);
  }
  for (unsigned u = 0; u < size; ++u) {
    if ((lanes >> u & 1) != 0) merged[u] = segment_;
  }
  for (unsigned set = lanes; set != 0; set &= set - 1) {
    std::copy_n(merged, size, &warp.known[static_cast<unsigned>(std::countr_zero(set)) * size]);
  }
}

bool Watch::same_thread(const Mark& mark, const Thread& thread) const {
  if (mark.segment <= launch_start_) return false;
  const Owner& by = owner(mark);
  return by.block == thread.block->sequence && by.linear == thread.linear;
}

bool Watch::foreign(const Mark& mark, const Thread& thread) const {
  return mark.segment > launch_start_ && owner(mark).block != thread.block->sequence;
}

bool Watch::ordered(const Mark& mark, const Thread& thread, std::uint32_t floor) const {
  if (mark.segment <= floor || mark.segment == thread.segment) return true;
  const Block& block = *thread.block;
  if (mark.segment <= std::max(thread.acquired, block.barrier_acquired)) return true;
  const Owner& by = owner(mark);
  if (by.block != block.sequence) return false;
  if (by.linear == thread.linear || mark.segment <= block.barrier_segment) return true;
  if (by.linear / gate_emu::warp_size != thread.warp()) return false;
  const Warp& warp = block.warps[thread.warp()];
  if (mark.segment <= warp.met) return true;
  const std::size_t lane = by.linear % gate_emu::warp_size;
  return !warp.known.empty() &&
         mark.segment <= warp.known[thread.lane() * gate_emu::warp_size + lane];
}

/// Atomics and volatile accesses order what others did before they released the location.
void Watch::hand_over(const Access& what, Thread& thread) {
  const bool atomic = (what.what & gate_emu::access_atomic) != 0;
  const bool writes = (what.what & gate_emu::access_write) != 0;
  std::uint32_t& release = releases_[what.pointer];
  if (atomic || !writes) {
    thread.acquired = std::max(thread.acquired, release);
    thread.block->acquired_max = std::max(thread.block->acquired_max, thread.acquired);
  }
  if (atomic || writes) release = thread.segment;
}

bool Watch::found(const WatchedRegion& region, const Cell& cell, Race race) {
  race.region = &region;
  race.offset = static_cast<std::size_t>(&cell - region.cells) << region.shift;
  if (race.before.segment > launch_start_) {
    race.before_block = owner(race.before).block;
    race.before_linear = owner(race.before).linear;
  }
  race_ = race;
  finding_ = {Ending::nondeterministic, {}};
  return true;
}

/// Judges and records one access to one cell.
bool Watch::touch_cell(WatchedRegion& region, Cell& cell, Thread& thread, const Touch& touch) {
  const Mark now = touch.now;
  const auto [atomic, writes] = std::pair(touch.atomic, touch.writes);
  if (region.shared && interleaved_ &&
      (foreign(cell.write, thread) || foreign(cell.read, thread) ||
       foreign(cell.other_read, thread))) {
    cell = {};  // another block's memory at this address
  }
  const bool by_atomic = (cell.write.place & atomic_flag) != 0;
  const bool may_conflict = atomic ? !by_atomic : writes || !by_atomic;
  if (may_conflict && !ordered(cell.write, thread, touch.floor)) {
    return found(region, cell,
                 {nullptr, 0, cell.write, now, true, atomic || writes, 0, 0, &thread});
  }
  if (writes && !atomic) {
    for (const Mark& read : {cell.read, cell.other_read}) {
      if (ordered(read, thread, touch.floor)) continue;
      return found(region, cell, {nullptr, 0, read, now, false, true, 0, 0, &thread});
    }
  }
  if (atomic || writes) {
    cell.write = {now.segment, now.place | (atomic ? atomic_flag : 0)};
  } else if (same_thread(cell.read, thread)) {
    cell.read = now;
  } else {
    cell.other_read = cell.read;
    cell.read = now;
  }
  return false;
}

/// Judges and records one access, cell by cell.
bool Watch::touch(WatchedRegion& region, const Access& what, Thread& thread, Mark now) {
  if (region.cells == nullptr) return false;
  const Touch touched{now, (what.what & gate_emu::access_atomic) != 0,
                      (what.what & gate_emu::access_write) != 0,
                      region.shared ? shared_start_ : launch_start_};
  const std::uint32_t used_from = region.shared ? launch_start_ : job_start_;
  const auto offset =
      static_cast<std::size_t>(static_cast<const std::byte*>(what.pointer) - region.begin);
  Cell* cell = region.cells + (offset >> region.shift);
  Cell* const last = region.cells + ((offset + what.bytes - 1) >> region.shift);
  const bool whole = ((offset | what.bytes) & (region.granule - 1)) == 0;
  const bool only_reads = !touched.atomic && !touched.writes;
  for (; cell <= last; ++cell) {
    if (!whole) cell->write = {now.segment, mixed};
    if (cell->write.place == mixed && cell->write.segment > used_from) continue;
    // Nobody else ran since this thread read it last.
    if (only_reads && cell->read.segment == now.segment) continue;
    if (touch_cell(region, *cell, thread, touched)) return true;
  }
  return false;
}

/// The few bytes of one store; the sizes that occur without a call.
void Watch::copy_store(std::uint64_t* to, const std::byte* from, std::size_t bytes) {
  switch (bytes) {
    case 2:
      std::memcpy(to, from, 2);
      return;
    case 4:
      std::memcpy(to, from, 4);
      return;
    case 8:
      std::memcpy(to, from, 8);
      return;
    case 16:
      std::memcpy(to, from, 16);
      return;
    default:
      std::memcpy(to, from, bytes);
  }
}

bool Watch::settle_store() {
  const PendingStore store = pending_;
  pending_.thread = nullptr;
  std::uint64_t after[2] = {};
  copy_store(after, store.pointer, store.bytes);
  if (after[0] == store.before[0] && after[1] == store.before[1]) return false;
  const Access what{store.pointer, store.bytes, gate_emu::access_write, nullptr, {nullptr, 0}};
  return touch(*store.region, what, *store.thread, {store.thread->segment, store.place});
}

}  // namespace gate
