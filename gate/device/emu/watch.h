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
#include "gate/device/emu/shadow.h"

namespace gate {

struct WatchedRegion {
  const std::byte* begin = nullptr;
  std::size_t bytes = 0;
  std::size_t granule = 1;  // bytes of a cell: 1, 2 or 4
  std::string name;         // "tensor `y`", "shared array `tile` (a.cu:3)"
  bool shared = false;
  int shift = 0;          // log2 of granule
  Cell* cells = nullptr;  // null: not judged
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
  /// A block begins; `alone`: no other one is under way.
  void begin_block(bool alone);
  void add_shared(const gate_emu::SharedSite& site, const std::byte* begin, std::size_t bytes);
  void begin_segment(Thread& thread) {
    thread.segment = ++segment_;
    owners_.push_back({thread.block->sequence, thread.linear});
  }
  void barrier_passed(Block& block);
  void warp_met(Block& block, unsigned warp, unsigned lanes);

  /// Before an access; the current thread's last store is settled first. True: see finding().
  bool access(const gate_emu::Access& what, Thread& thread, bool in_arena);
  /// The current thread stops running: was its last store a change, and a race?
  bool settle() { return pending_.thread != nullptr && settle_store(); }
  const WatchFinding& finding() const { return finding_; }
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
  // Flags and values of Mark::place.
  static constexpr std::uint32_t site_flag = 1u << 31;       // a site, not a code offset
  static constexpr std::uint32_t atomic_flag = 1u << 30;     // a write mark made by an atomic
  static constexpr std::uint32_t mixed = ~std::uint32_t{0};  // used in pieces, not judged

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
    std::uint64_t before[2] = {};
  };
  /// One access as it is judged.
  struct Touch {
    Mark now;
    bool atomic = false, writes = false;
    std::uint32_t floor = 0;  // marks up to here are settled
  };
  WatchedRegion* find(const std::byte* pointer, bool in_arena);
  bool stray(const gate_emu::Access& what, bool in_arena);
  bool out_of_bounds(std::string text);
  std::uint32_t place_of(const gate_emu::Access& what);
  const Owner& owner(const Mark& mark) const { return owners_[mark.segment - launch_start_ - 1]; }
  bool ordered(const Mark& mark, const Thread& thread, std::uint32_t floor) const;
  bool foreign(const Mark& mark, const Thread& thread) const;
  bool same_thread(const Mark& mark, const Thread& thread) const;
  void hand_over(const gate_emu::Access& what, Thread& thread);
  bool touch(WatchedRegion& region, const gate_emu::Access& what, Thread& thread, Mark now);
  bool touch_cell(WatchedRegion& region, Cell& cell, Thread& thread, const Touch& touch);
  bool found(const WatchedRegion& region, const Cell& cell, Race race);
  static void copy_store(std::uint64_t* to, const std::byte* from, std::size_t bytes);
  bool settle_store();
  void map_slot();

  ShadowMemory shadow_;
  WatchedJob job_;
  std::vector<std::uint16_t> slot_map_;  // by page of the slot: 1 + the region it holds, or 0
  bool slot_holds_all_ = false;          // no region lies elsewhere
  std::vector<WatchedRegion> shared_;
  std::unordered_map<const void*, std::uint32_t> releases_;  // address -> segment of the release
  std::vector<Owner> owners_;                                // of segments after launch_start_
  std::vector<gate_emu::Site> sites_;
  std::uint32_t segment_ = 0, job_start_ = 0, launch_start_ = 0;
  std::uint32_t shared_start_ = 0;  // marks in shared memory up to here are another block's
  bool interleaved_ = false;        // several blocks are or were under way in this launch
  PendingStore pending_;
  WatchedRegion* last_ = nullptr;          // in the arena
  WatchedRegion* last_outside_ = nullptr;  // not in the slot
  const std::byte* image_base_ = nullptr;
  WatchFinding finding_;
  Race race_;
};

}  // namespace gate
