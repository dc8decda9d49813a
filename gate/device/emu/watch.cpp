// Regions: where they lie, what is outside of all, and the way of one access.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/watch.h"

#include <fmt/format.h>

#include <algorithm>

namespace gate {

using gate_emu::Access;
using gate_emu::Ending;

namespace {

constexpr std::uint32_t segments_max = 1u << 31;
/// Pages of the slot's map: shorter than a red zone, so that none holds two regions.
constexpr int slot_page_shift = 11;

void give_cells(WatchedRegion& region, ShadowMemory& shadow) {
  region.shift = region.granule == 1 ? 0 : region.granule == 2 ? 1 : 2;
  region.granule = std::size_t{1} << region.shift;
  region.cells = shadow.take((region.bytes >> region.shift) + 1);
}

}  // namespace

void Watch::begin_job(WatchedJob job) {
  job_ = std::move(job);
  if (segment_ > segments_max || shadow_.is_large()) {
    shadow_.clear();
    segment_ = 0;
  }
  shadow_.release(0);
  for (WatchedRegion& region : job_.regions) give_cells(region, shadow_);
  map_slot();
  sites_.clear();
  job_start_ = segment_;
  begin_launch();
}

void Watch::map_slot() {
  slot_map_.assign((job_.slot_bytes >> slot_page_shift) + 1, 0);
  slot_holds_all_ = true;
  for (std::size_t i = 0; i < job_.regions.size(); ++i) {
    const WatchedRegion& region = job_.regions[i];
    const auto offset = static_cast<std::size_t>(region.begin - job_.slot);
    if (offset >= job_.slot_bytes || region.bytes > job_.slot_bytes - offset) {
      slot_holds_all_ = false;
      continue;
    }
    if (region.bytes == 0) continue;
    const std::size_t last = (offset + region.bytes - 1) >> slot_page_shift;
    for (std::size_t page = offset >> slot_page_shift; page <= last; ++page) {
      slot_map_[page] = static_cast<std::uint16_t>(i + 1);
    }
  }
}

void Watch::begin_launch() {
  launch_start_ = shared_start_ = segment_;
  interleaved_ = false;
  owners_.clear();
  releases_.clear();
  std::size_t kept = 0;
  for (const WatchedRegion& region : job_.regions) {
    if (region.cells != nullptr) kept += (region.bytes >> region.shift) + 1;
  }
  shadow_.release(kept);
  shared_.clear();
  last_ = last_outside_ = nullptr;
  pending_ = {};
}

void Watch::begin_block(bool alone) {
  if (alone) {
    shared_start_ = segment_;
  } else {
    interleaved_ = true;
  }
}

void Watch::add_shared(const gate_emu::SharedSite& site, const std::byte* begin,
                       std::size_t bytes) {
  WatchedRegion region;
  region.begin = begin;
  region.bytes = bytes;
  region.granule = std::min<std::size_t>(std::max<std::size_t>(site.element_align, 1), 4);
  region.name = fmt::format("shared array `{}`", site.name);
  region.shared = true;
  give_cells(region, shadow_);
  shared_.push_back(std::move(region));
  last_ = nullptr;
}

WatchedRegion* Watch::find(const std::byte* pointer, bool in_arena) {
  const auto holds = [pointer](const WatchedRegion& region) {
    return static_cast<std::size_t>(pointer - region.begin) < region.bytes;
  };
  if (in_arena) {
    if (last_ != nullptr && holds(*last_)) return last_;
    for (WatchedRegion& region : shared_) {
      if (holds(region)) return last_ = &region;
    }
    return nullptr;
  }
  const auto offset = static_cast<std::size_t>(pointer - job_.slot);
  if (offset < job_.slot_bytes) {
    const std::uint16_t number = slot_map_[offset >> slot_page_shift];
    if (number == 0) return nullptr;
    WatchedRegion& region = job_.regions[number - 1u];
    return holds(region) ? &region : nullptr;
  }
  if (slot_holds_all_) return nullptr;
  if (last_outside_ != nullptr && holds(*last_outside_)) return last_outside_;
  for (WatchedRegion& region : job_.regions) {
    if (holds(region)) return last_outside_ = &region;
  }
  return nullptr;
}

bool Watch::out_of_bounds(std::string text) {
  finding_ = {Ending::out_of_bounds, std::move(text)};
  return true;
}

bool Watch::stray(const Access& what, bool in_arena) {
  const auto* pointer = static_cast<const std::byte*>(what.pointer);
  const bool in_slot = pointer >= job_.slot && pointer < job_.slot + job_.slot_bytes;
  if (!in_slot && !in_arena) return false;  // a local variable, or memory of the image
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
  if (nearest == nullptr) return out_of_bounds("access outside all memory");
  return out_of_bounds(fmt::format("{} of {} bytes, {} bytes {} {} of {} bytes", verb, what.bytes,
                                   distance, after ? "past the end of" : "before", nearest->name,
                                   nearest->bytes));
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
  return place & ~atomic_flag;
}

const gate_emu::Site& Watch::site_of(std::uint32_t place) const {
  return sites_[place & ~atomic_flag & ~site_flag];
}

bool Watch::access(const Access& what, Thread& thread, bool in_arena) {
  const auto* pointer = static_cast<const std::byte*>(what.pointer);
  constexpr int handover = gate_emu::access_atomic | gate_emu::access_volatile;
  WatchedRegion* region = find(pointer, in_arena);
  if (region == nullptr) {
    if (stray(what, in_arena)) return true;
    if ((what.what & handover) == 0) return false;
  } else if (pointer + what.bytes > region->begin + region->bytes) {
    return out_of_bounds(fmt::format("access of {} bytes reaches past the end of {} of {} bytes",
                                     what.bytes, region->name, region->bytes));
  }
  if ((what.what & handover) != 0) hand_over(what, thread);
  bool bad = false;
  if (region != nullptr && (what.what & gate_emu::access_volatile) == 0) {
    const Mark now{thread.segment, place_of(what)};
    if ((what.what & gate_emu::access_write) != 0 && what.bytes <= sizeof pending_.before) {
      pending_ = {&thread, region, pointer, what.bytes, now.place, {}};
      copy_store(pending_.before, pointer, what.bytes);
    } else {
      bad = touch(*region, what, thread, now);
    }
  }
  if ((what.what & handover) != 0) begin_segment(thread);
  return bad;
}

}  // namespace gate
