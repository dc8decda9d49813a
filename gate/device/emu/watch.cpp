// Happens-before on cells; bounds on regions.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace gate {

using gate_emu::Access;
using gate_emu::Ending;

namespace {

constexpr std::uint32_t site_flag = 1u << 31;       // a place that is a site, not a code offset
constexpr std::uint32_t atomic_flag = 1u << 30;     // a write mark made by an atomic
constexpr std::uint32_t mixed = ~std::uint32_t{0};  // cells used in smaller pieces: not judged
constexpr std::size_t watched_bytes_max = 64u << 20;

std::uint32_t plain_place(std::uint32_t place) { return place & ~atomic_flag; }

}  // namespace

void Watch::begin_job(WatchedJob job) {
  job_ = std::move(job);
  shared_.clear();
  releases_.clear();
  owners_.clear();
  sites_.clear();
  segment_ = launch_start_ = 0;
  pending_ = {};
  last_ = nullptr;
}

void Watch::begin_launch() {
  launch_start_ = segment_;
  owners_.clear();
  releases_.clear();
  shared_.clear();
  last_ = nullptr;
  pending_ = {};
}

void Watch::add_shared(const gate_emu::SharedSite& site, const std::byte* begin,
                       std::size_t bytes) {
  WatchedRegion region;
  region.begin = begin;
  region.bytes = bytes;
  region.granule = std::min<std::size_t>(std::max<std::size_t>(site.element_align, 1), 4);
  region.name = fmt::format("shared array `{}`", site.name);
  region.shared = true;
  shared_.push_back(std::move(region));
  last_ = nullptr;
}

void Watch::begin_segment(Thread& thread) {
  thread.segment = ++segment_;
  owners_.push_back({thread.block->sequence, thread.linear});
}

void Watch::barrier_passed(Block& block) {
  block.barrier_segment = segment_;
  block.barrier_acquired = block.acquired_max;
}

/// Lanes that met know all that any of them knew, and each other up to now.
void Watch::warp_met(Block& block, unsigned w, unsigned lanes) {
  Warp& warp = block.warps[w];
  if (warp.known.empty()) warp.known.assign(gate_emu::warp_size * gate_emu::warp_size, 0);
  std::uint32_t merged[gate_emu::warp_size] = {};
  std::uint32_t acquired = 0;
  for (unsigned t = 0; t < gate_emu::warp_size; ++t) {
    if ((lanes >> t & 1) == 0) continue;
    for (unsigned u = 0; u < gate_emu::warp_size; ++u) {
      merged[u] = std::max(merged[u], warp.known[t * gate_emu::warp_size + u]);
    }
    acquired = std::max(acquired, block.threads[w * gate_emu::warp_size + t].acquired);
  }
  for (unsigned u = 0; u < gate_emu::warp_size; ++u) {
    if ((lanes >> u & 1) != 0) merged[u] = segment_;
  }
  for (unsigned t = 0; t < gate_emu::warp_size; ++t) {
    if ((lanes >> t & 1) == 0) continue;
    std::copy_n(merged, gate_emu::warp_size, &warp.known[t * gate_emu::warp_size]);
    block.threads[w * gate_emu::warp_size + t].acquired = acquired;
  }
}

WatchedRegion* Watch::find(const std::byte* pointer) {
  const auto holds = [&](const WatchedRegion& region) {
    return pointer >= region.begin && pointer < region.begin + region.bytes;
  };
  if (last_ != nullptr && holds(*last_)) return last_;
  for (auto* list : {&shared_, &job_.regions}) {
    for (WatchedRegion& region : *list) {
      if (holds(region)) return last_ = &region;
    }
  }
  return nullptr;
}

std::optional<WatchFinding> Watch::stray(const Access& what, bool in_arena) {
  const auto* pointer = static_cast<const std::byte*>(what.pointer);
  const bool in_slot = pointer >= job_.slot && pointer < job_.slot + job_.slot_bytes;
  if (!in_slot && !in_arena) return std::nullopt;  // a local variable, or memory of the image
  const WatchedRegion* nearest = nullptr;
  std::ptrdiff_t distance = 0;
  bool after = false;
  for (const WatchedRegion& region : in_arena ? shared_ : job_.regions) {
    const std::ptrdiff_t before_it = region.begin - pointer;
    const std::ptrdiff_t after_it = pointer - (region.begin + region.bytes);
    const std::ptrdiff_t far = std::max(before_it, after_it);
    if (nearest != nullptr && far >= distance) continue;
    nearest = &region;
    distance = far;
    after = after_it >= 0;
  }
  const char* verb = (what.what & gate_emu::access_write) != 0 ? "write" : "read";
  if ((what.what & gate_emu::access_atomic) != 0) verb = "atomic";
  if (nearest == nullptr) return WatchFinding{Ending::out_of_bounds, "access outside all memory"};
  return WatchFinding{
      Ending::out_of_bounds,
      fmt::format("{} of {} bytes, {} bytes {} {} of {} bytes", verb, what.bytes, distance,
                  after ? "past the end of" : "before", nearest->name, nearest->bytes)};
}

std::uint32_t Watch::place_of(const Access& what) {
  if (what.pc != nullptr) {
    const auto offset = static_cast<const std::byte*>(what.pc) - image_base_;
    return static_cast<std::uint32_t>(offset) & (atomic_flag - 1);
  }
  for (std::size_t i = 0; i < sites_.size(); ++i) {
    if (sites_[i].line == what.site.line && sites_[i].file == what.site.file) {
      return site_flag | static_cast<std::uint32_t>(i);
    }
  }
  sites_.push_back(what.site);
  return site_flag | static_cast<std::uint32_t>(sites_.size() - 1);
}

std::optional<std::uint32_t> Watch::code_offset(std::uint32_t place) const {
  if ((place & site_flag) != 0) return std::nullopt;
  return plain_place(place);
}

const gate_emu::Site& Watch::site_of(std::uint32_t place) const {
  return sites_[plain_place(place) & ~site_flag];
}

bool Watch::same_thread(const Mark& mark, const Thread& thread) const {
  if (mark.segment <= launch_start_) return false;
  const Owner& owner = owners_[mark.segment - launch_start_ - 1];
  return owner.block == thread.block->sequence && owner.linear == thread.linear;
}

bool Watch::foreign(const Mark& mark, const Thread& thread) const {
  return mark.segment > launch_start_ &&
         owners_[mark.segment - launch_start_ - 1].block != thread.block->sequence;
}

bool Watch::ordered(const Mark& mark, const Thread& thread) const {
  if (mark.segment <= launch_start_) return true;
  const Block& block = *thread.block;
  if (mark.segment <= std::max(thread.acquired, block.barrier_acquired)) return true;
  const Owner& owner = owners_[mark.segment - launch_start_ - 1];
  if (owner.block != block.sequence) return false;
  if (owner.linear == thread.linear || mark.segment <= block.barrier_segment) return true;
  if (owner.linear / gate_emu::warp_size != thread.warp()) return false;
  const Warp& warp = block.warps[thread.warp()];
  const std::size_t lane = owner.linear % gate_emu::warp_size;
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

std::optional<WatchFinding> Watch::found(WatchedRegion& region, std::size_t cell, Race race) {
  race.region = &region;
  race.offset = cell * region.granule;
  if (race.before.segment > launch_start_) {
    const Owner& owner = owners_[race.before.segment - launch_start_ - 1];
    race.before_block = owner.block;
    race.before_linear = owner.linear;
  }
  race_ = race;
  return WatchFinding{Ending::nondeterministic, {}};
}

/// Judges and records one access, cell by cell.
std::optional<WatchFinding> Watch::touch(WatchedRegion& region, const Access& what, Thread& thread,
                                         Mark now) {
  const bool atomic = (what.what & gate_emu::access_atomic) != 0;
  const bool writes = (what.what & gate_emu::access_write) != 0;
  if (region.bytes > watched_bytes_max) return std::nullopt;
  if (region.cells.empty()) region.cells.resize(region.bytes / region.granule + 1);
  const auto offset =
      static_cast<std::size_t>(static_cast<const std::byte*>(what.pointer) - region.begin);
  const std::size_t first = offset / region.granule;
  const std::size_t last = (offset + what.bytes - 1) / region.granule;
  const bool whole = offset % region.granule == 0 && what.bytes % region.granule == 0;
  for (std::size_t i = first; i <= last; ++i) {
    Cell& cell = region.cells[i];
    if (!whole) cell.write.segment = mixed;
    if (cell.write.segment == mixed) continue;
    if (region.shared && (foreign(cell.write, thread) || foreign(cell.read, thread) ||
                          foreign(cell.other_read, thread))) {
      cell = {};  // another block's memory at this address
    }
    const bool by_atomic = (cell.write.place & atomic_flag) != 0;
    const bool may_conflict = atomic ? !by_atomic : writes || !by_atomic;
    if (cell.write.segment != 0 && may_conflict && !ordered(cell.write, thread)) {
      return found(region, i, {nullptr, 0, cell.write, now, true, atomic || writes, 0, 0, &thread});
    }
    if (writes && !atomic) {
      for (const Mark& read : {cell.read, cell.other_read}) {
        if (read.segment == 0 || ordered(read, thread)) continue;
        return found(region, i, {nullptr, 0, read, now, false, true, 0, 0, &thread});
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
  }
  return std::nullopt;
}

std::optional<WatchFinding> Watch::access(const Access& what, Thread& thread, bool in_arena) {
  const auto* pointer = static_cast<const std::byte*>(what.pointer);
  WatchedRegion* region = find(pointer);
  if (region == nullptr) {
    if (auto finding = stray(what, in_arena)) return finding;
  } else if (pointer + what.bytes > region->begin + region->bytes) {
    return WatchFinding{Ending::out_of_bounds,
                        fmt::format("access of {} bytes reaches past the end of {} of {} bytes",
                                    what.bytes, region->name, region->bytes)};
  }
  if ((what.what & (gate_emu::access_atomic | gate_emu::access_volatile)) != 0) {
    hand_over(what, thread);
  }
  std::optional<WatchFinding> finding;
  const bool plain_volatile = (what.what & gate_emu::access_volatile) != 0;
  if (region != nullptr && !plain_volatile) {
    const Mark now{thread.segment, place_of(what)};
    if ((what.what & gate_emu::access_write) != 0 && what.bytes <= sizeof pending_.before) {
      pending_ = {&thread, region, pointer, what.bytes, now.place, {}};
      std::memcpy(pending_.before, pointer, what.bytes);
    } else {
      finding = touch(*region, what, thread, now);
    }
  }
  if ((what.what & (gate_emu::access_atomic | gate_emu::access_volatile)) != 0) {
    begin_segment(thread);
  }
  return finding;
}

std::optional<WatchFinding> Watch::settle() {
  if (pending_.thread == nullptr) return std::nullopt;
  const PendingStore store = pending_;
  pending_ = {};
  if (std::memcmp(store.before, store.pointer, store.bytes) == 0) return std::nullopt;
  const Access what{store.pointer, store.bytes, gate_emu::access_write, nullptr, {nullptr, 0}};
  return touch(*store.region, what, *store.thread, {store.thread->segment, store.place});
}

}  // namespace gate
