// Fibers: choosing the next thread by the job's order, and switching to it.
// SPDX-License-Identifier: Apache-2.0
#include <bit>

#include "gate/base/check.h"
#include "gate/device/emu/jump.h"
#include "gate/device/emu/machine.h"

namespace gate {

using boost::context::detail::make_fcontext;

namespace {

unsigned lowest(std::uint32_t set) { return static_cast<unsigned>(std::countr_zero(set)); }
unsigned highest(std::uint32_t set) { return 31u - static_cast<unsigned>(std::countl_zero(set)); }

unsigned nth(std::uint32_t set, unsigned n) {
  for (; n > 0; --n) set &= set - 1;
  return lowest(set);
}

/// A member of the set by draws: two guesses, which nearly always do, before counting.
[[gnu::noinline]] unsigned drawn(std::uint32_t set, ScheduleDraws& draws) {
  if ((set & (set - 1)) == 0) return lowest(set);
  for (int guess = 0; guess < 2; ++guess) {
    const unsigned bit = draws.bit();
    if ((set >> bit & 1) != 0) return bit;
  }
  return nth(set, draws.below(static_cast<unsigned>(std::popcount(set))));
}

}  // namespace

[[gnu::always_inline]] inline unsigned Machine::pick(std::uint32_t set) {
  if (schedule_.order == Schedule::Order::ascending) return lowest(set);
  if (schedule_.order == Schedule::Order::descending) return highest(set);
  return drawn(set, draws_);
}

[[gnu::always_inline]] inline Thread* Machine::choose(Block& block) {
  const unsigned w = pick(block.ready_warps);
  Warp& warp = block.warps[w];
  const unsigned lane = pick(warp.ready);
  warp.ready &= ~(1u << lane);
  if (warp.ready == 0) block.ready_warps &= ~(1u << w);
  return &block.threads[w * gate_emu::warp_size + lane];
}

bool Machine::next_thread(Thread*& next) {
  for (;;) {
    if (resident_.empty() && !admit_block()) return false;
    Block& block = *resident_[current_block_];
    if (block.ready_warps != 0) {
      next = choose(block);
      return true;
    }
    if (block.exited == block.thread_count) {
      finish_block(block);
    } else if (!settle_active(block) && !change_block()) {
      new_round();
    }
  }
}

[[gnu::always_inline]] inline void Machine::make_current(Thread& thread) {
  current_ = &thread;
  *image_->thread_index = thread.index;
  image_->here->linear = thread.linear;
  const bool shuffled = schedule_.order == Schedule::Order::shuffled;
  image_->here->budget = shuffled ? 1 + static_cast<int>(draws_.below(6)) : gate_emu::yield_quantum;
  ++steps_;
  if (watching_) watch_.begin_segment(thread);
}

[[gnu::noinline]] void Machine::start_fiber(Thread& thread) {
  thread.stack = stacks_->take();
  if (thread.stack.top == nullptr) {
    fail(gate_emu::Ending::unsupported, "more threads wait at once than memory allows", {});
  }
  thread.context = make_fcontext(thread.stack.top, thread.stack.bytes, &Machine::fiber_main);
}

[[gnu::always_inline]] inline void Machine::switch_to(Thread& next, Thread* self) {
  make_current(next);
  if (next.context == nullptr) start_fiber(next);
  const transfer_t back = jump(next.context, self);
  if (back.data != nullptr) static_cast<Thread*>(back.data)->context = back.fctx;
}

void Machine::start_threads(Thread& first) { switch_to(first, &main_); }

Thread& Machine::successor(Block& block) {
  if (block.ready_warps != 0) return *choose(block);
  Thread* next = nullptr;
  check(next_thread(next), "a thread that waits is not the last one");
  return *next;
}

void Machine::give_way_to(Thread& next) {
  if (&next == current_) {
    make_current(next);
    return;
  }
  switch_to(next, current_);
}

void Machine::give_way(Thread& self) { give_way_to(successor(*self.block)); }

void Machine::fiber_main(transfer_t from) {
  if (from.data != nullptr) static_cast<Thread*>(from.data)->context = from.fctx;
  machine().run_threads();
}

/// One fiber's life: threads that never wait follow each other on the same stack.
void Machine::run_threads() {
  const bool plainly =
      !image_->needs_fibers && !image_->checked && schedule_.order == Schedule::Order::ascending;
  for (;;) {
    Thread& self = *current_;
    const Stack stack = self.stack;
    if (plainly) {
      Block& block = *self.block;
      body_.range(body_.closure, 0, block.thread_count);
      block.exited = block.thread_count;
      block.ready_warps = 0;
    } else {
      body_.one(body_.closure);
      exit_thread(self);
    }
    Thread* next = nullptr;
    if (!next_thread(next)) leave();
    if (next->context == nullptr) {
      next->stack = stack;
      // Its context is saved when it first gives way; until then it must not look unstarted.
      next->context = stack.top;
      make_current(*next);
      continue;
    }
    stacks_->give_back(stack);
    switch_to(*next, nullptr);
  }
}

void Machine::exit_thread(Thread& thread) {
  settle();
  Block& block = *thread.block;
  Warp& warp = block.warps[thread.warp()];
  warp.exited |= 1u << thread.lane();
  ++block.exited;
  progress_ = true;
  if (!warp.meetings.empty()) check_meetings(block, thread.warp());
  if (block.barrier.arrived != 0) check_barrier(block);
}

void Machine::leave() {
  image_->here->in_kernel = 0;
  jump(main_.context, nullptr);
  __builtin_unreachable();
}

void Machine::yield(gate_emu::Site site) {
  settle();
  Thread& self = *current_;
  self.site = site;
  Block& block = *self.block;
  Warp& warp = block.warps[self.warp()];
  ++steps_;
  ++idle_yields_;
  if (schedule_.order == Schedule::Order::shuffled && draws_.below(4) != 0) {
    // Come back as any other ready thread would: orders within a round are free.
    warp.ready |= 1u << self.lane();
    block.ready_warps |= 1u << self.warp();
  } else {
    warp.yielded |= 1u << self.lane();
    block.yielded_warps |= 1u << self.warp();
  }
  give_way(self);
}

void Machine::pause(unsigned steps, gate_emu::Site site) {
  if (image_->here->in_kernel == 0) return;
  settle();
  steps_ += steps;
  Thread& self = *current_;
  self.site = site;
  Block& block = *self.block;
  block.warps[self.warp()].yielded |= 1u << self.lane();
  block.yielded_warps |= 1u << self.warp();
  ++idle_yields_;
  give_way(self);
}

long long Machine::clock(gate_emu::Site site) {
  if (image_->here->in_kernel == 0) return ++steps_;
  steps_ += 16;
  if (--image_->here->budget <= 0) yield(site);
  return steps_;
}

}  // namespace gate
