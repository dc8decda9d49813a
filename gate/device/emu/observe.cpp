// Accesses of checked images: watched, used as places to give way, and worded when they are bad.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fmt/format.h>

#include "gate/device/emu/machine.h"

namespace gate {

using gate_emu::Access;

namespace {

/// Mean number of accesses between two preemptions of a shuffled run.
constexpr std::uint32_t preempt_spread = 96;

}  // namespace

void Machine::access(const Access& what) {
  const bool waits = (what.what & gate_emu::access_volatile) != 0;
  if (waits) {
    gate_emu::Here& here = *image_->here;
    if (here.in_kernel == 0 || here.probing != 0) return;
    if (--here.budget <= 0) {
      current_->pc = what.pc;
      yield(what.site);
    }
  }
  // Set while a kernel runs only; an atomic turns it off around its own change.
  if (image_->here->watching == 0) return;
  settle();
  if (--preempt_after_ <= 0) preempt(what);
  if (watch_.access(what, *current_, arena_.contains(what.pointer))) {
    report(watch_.finding(), what);
  }
}

void Machine::preempt(const Access& what) {
  preempt_after_ = 1 + static_cast<int>(draws_.below(2 * preempt_spread));
  Thread& self = *current_;
  self.site = what.site;
  self.pc = what.pc;
  Block& block = *self.block;
  block.warps[self.warp()].ready |= 1u << self.lane();
  block.ready_warps |= 1u << self.warp();
  give_way(self);
}

std::string Machine::place_text(std::uint32_t place) const {
  if (const auto offset = watch_.code_offset(place)) {
    Dl_info info{};
    dladdr(image_, &info);
    return place_of_code_(static_cast<const std::byte*>(info.dli_fbase) + *offset);
  }
  return text_of(watch_.site_of(place));
}

std::string Machine::site_text(const Thread& thread) const {
  if (thread.site.file == nullptr && thread.pc != nullptr) return place_of_code_(thread.pc);
  return text_of(thread.site);
}

std::string Machine::race_text() const {
  const Watch::Race& race = watch_.race();
  const gate_emu::Index3 block = block_index(block_number(race.before_block));
  const gate_emu::Index3 size = shape_.block;
  const unsigned linear = race.before_linear;
  const gate_emu::Index3 before{linear % size.x, linear / size.x % size.y,
                                linear / (size.x * size.y)};
  return fmt::format(
      "race on {} at byte {}: thread ({},{},{}) of block ({},{},{}) {} it at {}, {} {} it at {}, "
      "and nothing orders them",
      race.region->name, race.offset, before.x, before.y, before.z, block.x, block.y, block.z,
      race.before_writes ? "writes" : "reads", place_text(race.before.place), where(*race.thread),
      race.now_writes ? "writes" : "reads", place_text(race.now.place));
}

void Machine::report(const WatchFinding& finding, const Access& what) {
  if (finding.ending == gate_emu::Ending::nondeterministic) {
    fail(finding.ending, race_text(), {});
    return;
  }
  std::string text = finding.text + " by " + where(*current_);
  const std::string at = what.pc != nullptr ? place_of_code_(what.pc) : text_of(what.site);
  if (!at.empty()) text += " at " + at;
  fail(finding.ending, text, {});
}

}  // namespace gate
