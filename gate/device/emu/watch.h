// What the checked variant of an image sees: accesses outside every tensor and shared array, and
// data races by happens-before. Time is counted in segments: what a thread does between two
// scheduling events. Two accesses are ordered if a barrier, a collective of their warp, or an
// atomic or volatile handover lies between; unordered ones of which one changes the value race.
// A store that changes nothing is no write: threads may agree.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "gate/device/emu/block.h"
#include "gate/device/emu/include/gate_emu/abi.h"

namespace gate {

/// An access somebody made: when, and where in the code.
struct Mark {
  std::uint32_t segment = 0;  // 0: none
  std::uint32_t place = 0;    // offset in the image, or an index of known sites
};
/// The last accesses of some bytes: the write, and reads by two different threads.
struct Cell {
  Mark write, read, other_read;
};

struct WatchedRegion {
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;
  std::size_t granule = 1;  // bytes of a cell
  std::string name;         // "tensor `y`", "shared array `tile` (a.cu:3)"
  bool shared = false;
  std::vector<Cell> cells;  // made on first use
};

struct WatchFinding {
  gate_emu::Ending ending = gate_emu::Ending::pass;
  std::string text;
};

/// Memory of a job outside of which nothing may be touched, with what lies in it.
struct WatchedJob {
  std::vector<WatchedRegion> regions;
  const std::byte* slot = nullptr;
  std::size_t slot_bytes = 0;
};

class Watch {
 public:
  void begin_job(WatchedJob job);
  void begin_launch();
  void add_shared(const gate_emu::SharedSite& site, const std::byte* begin, std::size_t bytes);
  void begin_segment(Thread& thread);
  void barrier_passed(Block& block);
  void warp_met(Block& block, unsigned warp, unsigned lanes);

  /// Before an access; the current thread's last store is settled first.
  std::optional<WatchFinding> access(const gate_emu::Access& what, Thread& thread, bool in_arena);
  /// The current thread stops running: was its last store a change, and a race?
  std::optional<WatchFinding> settle();
  void set_image_base(const void* base) { image_base_ = static_cast<const std::byte*>(base); }
  /// Code offset of a place, or its site.
  std::optional<std::uint32_t> code_offset(std::uint32_t place) const;

  struct Race {
    const WatchedRegion* region = nullptr;
    std::size_t offset = 0;
    Mark before, now;
    bool before_writes = false, now_writes = false;
    std::uint32_t before_block = 0;
    unsigned before_linear = 0;
    const Thread* thread = nullptr;
  };
  /// The race behind the last finding, for wording.
  const Race& race() const { return race_; }
  const gate_emu::Site& site_of(std::uint32_t place) const;

 private:
  struct Owner {
    std::uint32_t block = 0;
    std::uint32_t linear = 0;
  };
  struct PendingStore {
    Thread* thread = nullptr;
    WatchedRegion* region = nullptr;
    const std::byte* pointer = nullptr;
    std::size_t bytes = 0;
    std::uint32_t place = 0;
    std::byte before[16]{};
  };
  WatchedRegion* find(const std::byte* pointer);
  std::optional<WatchFinding> stray(const gate_emu::Access& what, bool in_arena);
  std::uint32_t place_of(const gate_emu::Access& what);
  bool ordered(const Mark& mark, const Thread& thread) const;
  bool foreign(const Mark& mark, const Thread& thread) const;
  bool same_thread(const Mark& mark, const Thread& thread) const;
  void hand_over(const gate_emu::Access& what, Thread& thread);
  std::optional<WatchFinding> touch(WatchedRegion& region, const gate_emu::Access& what,
                                    Thread& thread, Mark now);
  std::optional<WatchFinding> found(WatchedRegion& region, std::size_t cell, Race race);

  WatchedJob job_;
  std::vector<WatchedRegion> shared_;
  std::unordered_map<const void*, std::uint32_t> releases_;  // address -> segment of the release
  std::vector<Owner> owners_;                                // of segments after launch_start_
  std::vector<gate_emu::Site> sites_;
  std::uint32_t segment_ = 0, launch_start_ = 0;
  PendingStore pending_;
  WatchedRegion* last_ = nullptr;
  const std::byte* image_base_ = nullptr;
  Race race_;
};

}  // namespace gate
