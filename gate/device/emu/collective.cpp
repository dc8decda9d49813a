// Warp collectives: lanes meet under their mask; the last one to come computes for all.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "gate/device/emu/machine.h"

namespace gate {

using gate_emu::Collective;
using gate_emu::CollectiveKind;

namespace {

constexpr unsigned lanes = gate_emu::warp_size;
/// What a shuffle gives that reads a lane which is not there: NaN in every float format.
constexpr std::uint64_t poison_word = ~std::uint64_t{0};

struct Shuffle {
  CollectiveKind kind;
  unsigned parameter, width;
};

/// Source lane of a shuffle, or the lane itself where the hardware keeps the own value.
[[gnu::always_inline]] inline unsigned source_lane(const Shuffle& call, unsigned lane) {
  const unsigned width = call.width;
  const unsigned base = lane & ~(width - 1);
  switch (call.kind) {
    case CollectiveKind::shuffle_index:
      return base | (call.parameter & (width - 1));
    case CollectiveKind::shuffle_up:
      return lane < base + call.parameter || call.parameter >= lanes ? lane : lane - call.parameter;
    case CollectiveKind::shuffle_down:
      return call.parameter >= lanes || lane + call.parameter > (base | (width - 1))
                 ? lane
                 : lane + call.parameter;
    case CollectiveKind::shuffle_xor: {
      const unsigned source = lane ^ call.parameter;
      return source > (base | (width - 1)) || source >= lanes ? lane : source;
    }
    default:
      return lane;
  }
}

std::uint64_t folded(CollectiveKind kind, std::uint64_t a, std::uint64_t b) {
  const auto ua = static_cast<std::uint32_t>(a), ub = static_cast<std::uint32_t>(b);
  const auto sa = static_cast<std::int32_t>(ua), sb = static_cast<std::int32_t>(ub);
  switch (kind) {
    case CollectiveKind::add:
      return ua + ub;
    case CollectiveKind::min_unsigned:
      return ua < ub ? ua : ub;
    case CollectiveKind::max_unsigned:
      return ua > ub ? ua : ub;
    case CollectiveKind::min_signed:
      return static_cast<std::uint32_t>(sa < sb ? sa : sb);
    case CollectiveKind::max_signed:
      return static_cast<std::uint32_t>(sa > sb ? sa : sb);
    case CollectiveKind::bit_and:
      return ua & ub;
    case CollectiveKind::bit_or:
      return ua | ub;
    case CollectiveKind::bit_xor:
      return ua ^ ub;
    default:
      return 0;
  }
}

template <class Visit>
void each_lane(unsigned set, Visit visit) {
  for (; set != 0; set &= set - 1) visit(static_cast<unsigned>(std::countr_zero(set)));
}

bool is_shuffle(CollectiveKind kind) {
  return kind >= CollectiveKind::shuffle_index && kind <= CollectiveKind::shuffle_xor;
}

Shuffle shuffle_of(const Warp& warp, CollectiveKind kind, unsigned lane) {
  return {kind, warp.parameters[lane], warp.widths[lane] == 0 ? lanes : warp.widths[lane]};
}

/// Fills the results of a shuffle; the lanes whose source is not there.
unsigned shuffle(Warp& warp, CollectiveKind kind, unsigned arrived) {
  unsigned absent = 0;
  for (unsigned set = arrived; set != 0; set &= set - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(set));
    const unsigned source = source_lane(shuffle_of(warp, kind, lane), lane);
    const bool there = (arrived >> source & 1) != 0;
    warp.results[lane] = there ? warp.values[source] : poison_word;
    if (!there) absent |= 1u << lane;
  }
  return absent;
}

/// Votes, matches and reductions: one walk over the lanes that came.
void compute_for_all(Warp& warp, CollectiveKind kind, unsigned arrived) {
  unsigned votes = 0;
  std::uint64_t fold = 0;
  bool first = true, equal = true;
  std::uint64_t first_value = 0;
  each_lane(arrived, [&](unsigned lane) {
    const std::uint64_t value = warp.values[lane];
    if (value != 0) votes |= 1u << lane;
    fold = first ? value : folded(kind, fold, value);
    if (first) first_value = value;
    equal = equal && value == first_value;
    first = false;
  });
  each_lane(arrived, [&](unsigned lane) {
    std::uint64_t result = fold;
    switch (kind) {
      case CollectiveKind::sync:
        result = 0;
        break;
      case CollectiveKind::active:
        result = arrived;
        break;
      case CollectiveKind::ballot:
        result = votes;
        break;
      case CollectiveKind::vote_all:
        result = votes == arrived;
        break;
      case CollectiveKind::vote_any:
        result = votes != 0;
        break;
      case CollectiveKind::match_all:
        result = equal ? arrived : 0;
        break;
      case CollectiveKind::match_any:
        result = 0;
        each_lane(arrived, [&](unsigned other) {
          if (warp.values[other] == warp.values[lane]) result |= 1u << other;
        });
        break;
      default:
        break;
    }
    warp.results[lane] = result;
  });
}

}  // namespace

/// A lane meets the others; the thread that runs next. Its frame is gone when the lane waits.
[[gnu::noinline]] Thread& Machine::meet(const Collective& what) {
  settle();
  Thread& self = *current_;
  Block& block = *self.block;
  Warp& warp = block.warps[self.warp()];
  const unsigned lane = self.lane(), bit = 1u << lane;
  const bool active = what.kind == CollectiveKind::active;
  if (!active && (what.mask & bit) == 0) not_named(self, what);
  self.site = what.site;
  warp.values[lane] = what.value;
  warp.parameters[lane] = what.parameter;
  warp.widths[lane] = static_cast<std::uint8_t>(what.width);
  warp.collecting |= bit;
  const unsigned mask = active ? static_cast<unsigned>(what.site.line) : what.mask;
  Rendezvous* meeting = nullptr;
  for (Rendezvous& open : warp.meetings) {
    if (open.kind == what.kind && open.mask == mask) meeting = &open;
  }
  if (meeting == nullptr) meeting = &warp.meetings.emplace_back(Rendezvous{what.kind, mask, 0});
  meeting->arrived |= bit;
  if (!active) complete(block, self.warp(), *meeting);
  return successor(block);
}

[[gnu::noinline, gnu::cold]] void Machine::not_named(const Thread& self, const Collective& what) {
  fail(gate_emu::Ending::barrier,
       fmt::format("{} calls a collective whose mask {:#010x} does not name it", where(self),
                   what.mask),
       what.site);
}

std::uint64_t Machine::collective(const Collective& what) {
  if (image_->here->in_kernel == 0) {
    fail(gate_emu::Ending::crash, "warp collective outside a kernel", what.site);
    return 0;
  }
  give_way_to(meet(what));
  const Thread& self = *current_;
  return self.block->warps[self.warp()].results[self.lane()];
}

/// Ends the meeting if every lane named in its mask has come or exited.
[[gnu::noinline]] bool Machine::complete(Block& block, unsigned w, Rendezvous& meeting) {
  Warp& warp = block.warps[w];
  const bool active = meeting.kind == CollectiveKind::active;
  const unsigned expected = active ? 0 : meeting.mask & warp.present & ~warp.exited;
  if ((meeting.arrived & expected) != expected) return false;
  const unsigned arrived = meeting.arrived;
  if (is_shuffle(meeting.kind)) {
    const unsigned absent = shuffle(warp, meeting.kind, arrived);
    if (absent != 0 && note_.empty()) note_absent(block, w, meeting);
  } else {
    compute_for_all(warp, meeting.kind, arrived);
  }
  if (watching_) watch_.warp_met(block, w, arrived);
  warp.collecting &= ~arrived;
  warp.ready |= arrived;
  block.ready_warps |= 1u << w;
  progress_ = true;
  warp.meetings.erase(warp.meetings.begin() + (&meeting - warp.meetings.data()));
  return true;
}

/// A shuffle that reads a lane which is not there is no error, but good to know.
void Machine::note_absent(const Block& block, unsigned w, const Rendezvous& meeting) {
  const Warp& warp = block.warps[w];
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((meeting.arrived >> lane & 1) == 0) continue;
    const unsigned source = source_lane(shuffle_of(warp, meeting.kind, lane), lane);
    if ((meeting.arrived >> source & 1) != 0) continue;
    const Thread& thread = block.threads[w * lanes + lane];
    note_ = fmt::format("shuffle at {} by {} reads lane {}, which {}", text_of(thread.site),
                        where(thread), source,
                        (warp.exited >> source & 1) != 0 ? "has exited" : "takes no part");
    return;
  }
}

/// After a lane's exit: meetings that waited for it alone.
void Machine::check_meetings(Block& block, unsigned w) {
  Warp& warp = block.warps[w];
  for (std::size_t i = 0; i < warp.meetings.size();) {
    const bool active = warp.meetings[i].kind == CollectiveKind::active;
    if (active || !complete(block, w, warp.meetings[i])) ++i;
  }
}

/// __activemask: once nobody else can move, lanes at the same line are the converged ones.
bool Machine::settle_active(Block& block) {
  bool any = false;
  for (unsigned w = 0; w < block.warps.size(); ++w) {
    Warp& warp = block.warps[w];
    for (std::size_t i = 0; i < warp.meetings.size();) {
      const bool active = warp.meetings[i].kind == CollectiveKind::active;
      if (!active) {
        ++i;
        continue;
      }
      complete(block, w, warp.meetings[i]);
      any = true;
    }
  }
  return any;
}

}  // namespace gate
