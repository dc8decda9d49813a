// Blocks of a launch: their order, which are resident, rounds of waiting, and getting stuck.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <bit>

#include "gate/device/emu/machine.h"

namespace gate {

namespace {

/// Fibers at once: two mappings a stack, below the kernel's usual limit of 65,530.
constexpr std::size_t threads_resident_max = 24'576;
/// Soft yields without any thread exiting, passing a barrier or meeting others: an endless spin.
constexpr std::uint64_t idle_yields_max = 6'000'000;
/// Rounds without progress before another block is brought in.
constexpr unsigned idle_rounds_before_admission = 2;

}  // namespace

void Machine::prepare(Block& block, std::uint64_t number) {
  block.index = block_index(number);
  block.exited = 0;
  block.barrier = {};
  block.ready_warps = 0;
  block.yielded_warps = 0;
  block.barrier_segment = block.barrier_acquired = block.acquired_max = 0;
  for (unsigned w = 0; w < block.warps.size(); ++w) {
    Warp& warp = block.warps[w];
    warp.known.clear();
    warp.met = 0;
    warp.ready = warp.present;
    warp.yielded = warp.at_barrier = warp.collecting = warp.exited = 0;
    warp.meetings.clear();
    block.ready_warps |= 1u << w;
  }
  for (Thread& thread : block.threads) {
    thread.context = nullptr;
    thread.acquired = 0;
  }
}

std::uint64_t Machine::block_number(std::uint64_t sequence) const {
  if (schedule_.order == Schedule::Order::descending) return blocks_total_ - 1 - sequence;
  return block_order_.empty() ? sequence : block_order_[sequence];
}

gate_emu::Index3 Machine::block_index(std::uint64_t number) const {
  const std::uint64_t gx = shape_.grid.x, gy = shape_.grid.y;
  return {static_cast<unsigned>(number % gx), static_cast<unsigned>(number / gx % gy),
          static_cast<unsigned>(number / (gx * gy))};
}

namespace {

std::unique_ptr<Block> make_block(const gate_emu::LaunchShape& shape) {
  auto block = std::make_unique<Block>();
  const gate_emu::Index3 size = shape.block;
  block->thread_count = size.x * size.y * size.z;
  block->threads.resize(block->thread_count);
  block->warps.resize((block->thread_count + 31) / 32);
  for (unsigned linear = 0; linear < block->thread_count; ++linear) {
    Thread& thread = block->threads[linear];
    thread.linear = linear;
    thread.index = {linear % size.x, linear / size.x % size.y, linear / (size.x * size.y)};
    thread.block = block.get();
    block->warps[linear / 32].present |= 1u << linear % 32;
  }
  return block;
}

}  // namespace

bool Machine::admit_block() {
  if (blocks_started_ == blocks_total_) return false;
  const std::uint64_t sequence = blocks_started_++;
  progress_ = true;
  if (!resident_.empty()) arena_.save(resident_[current_block_]->shared);
  std::unique_ptr<Block> block;
  if (spare_.empty()) {
    block = make_block(shape_);
  } else {
    block = std::move(spare_.back());
    spare_.pop_back();
  }
  prepare(*block, block_number(sequence));
  block->sequence = static_cast<std::uint32_t>(sequence);
  resident_.push_back(std::move(block));
  current_block_ = resident_.size() - 1;
  *image_->block_index = resident_.back()->index;
  arena_.begin_block();
  if (watching_) watch_.begin_block(resident_.size() == 1);
  return true;
}

void Machine::finish_block(Block& block) {
  check_shared();
  std::unique_ptr<Block> done = std::move(resident_[current_block_]);
  resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(current_block_));
  (void)block;
  spare_.push_back(std::move(done));
  progress_ = true;
  if (resident_.empty()) return;
  current_block_ = 0;
  bring_in(*resident_[0]);
}

void Machine::bring_in(Block& block) {
  arena_.bring_back(block.shared);
  *image_->block_index = block.index;
}

/// Another resident block with ready threads, if there is one.
bool Machine::change_block() {
  for (std::size_t step = 1; step < resident_.size(); ++step) {
    const std::size_t other = (current_block_ + step) % resident_.size();
    const Block& block = *resident_[other];
    if (block.ready_warps == 0 && block.exited != block.thread_count) continue;
    arena_.save(resident_[current_block_]->shared);
    current_block_ = other;
    bring_in(*resident_[other]);
    return true;
  }
  return false;
}

/// Nobody is ready: those that gave way go on; if all do nothing but that, more blocks come in.
void Machine::new_round() {
  bool any = false;
  for (const auto& block : resident_) {
    for (std::uint32_t set = block->yielded_warps; set != 0; set &= set - 1) {
      Warp& warp = block->warps[static_cast<unsigned>(std::countr_zero(set))];
      warp.ready |= warp.yielded;
      warp.yielded = 0;
    }
    any = any || block->yielded_warps != 0;
    block->ready_warps |= block->yielded_warps;
    block->yielded_warps = 0;
  }
  if (!any) report_stuck();
  idle_rounds_ = progress_ ? 0 : idle_rounds_ + 1;
  if (progress_) idle_yields_ = 0;
  progress_ = false;
  if (idle_yields_ > idle_yields_max) report_spin();
  if (idle_rounds_ < idle_rounds_before_admission || blocks_started_ == blocks_total_) return;
  if ((resident_.size() + 1) * resident_[0]->thread_count > threads_resident_max) return;
  admit_block();
}

void Machine::report_spin() {
  for (const auto& block : resident_) {
    for (const Thread& thread : block->threads) {
      const Warp& warp = block->warps[thread.warp()];
      if ((warp.ready >> thread.lane() & 1) == 0) continue;
      fail(gate_emu::Ending::timeout,
           fmt::format("endless spin: no thread makes progress; {} spins at {}", where(thread),
                       site_text(thread)),
           {});
    }
  }
  fail(gate_emu::Ending::timeout, "endless spin: no thread makes progress", {});
  __builtin_unreachable();
}

/// No thread can go on: name two that wait for different things.
void Machine::report_stuck() {
  const Thread* first = nullptr;
  const Thread* second = nullptr;
  for (const auto& block : resident_) {
    for (const Thread& thread : block->threads) {
      const Warp& warp = block->warps[thread.warp()];
      if (warp.exited >> thread.lane() & 1) continue;
      if (first == nullptr) first = &thread;
      const bool differs = thread.site.line != first->site.line ||
                           (block->warps[first->warp()].at_barrier >> first->lane() & 1) !=
                               (warp.at_barrier >> thread.lane() & 1);
      if (second == nullptr && differs) second = &thread;
    }
    if (first != nullptr) break;
  }
  std::string text = "threads wait for each other for ever: ";
  for (const Thread* thread : {first, second}) {
    if (thread == nullptr) continue;
    text +=
        fmt::format("{}{} at {}", thread == first ? "" : ", ", where(*thread), site_text(*thread));
    for (const Rendezvous& meeting : thread->block->warps[thread->warp()].meetings) {
      if ((meeting.arrived >> thread->lane() & 1) == 0) continue;
      text +=
          fmt::format(" (mask {:#010x}, reached by {:#010x} only)", meeting.mask, meeting.arrived);
    }
  }
  fail(gate_emu::Ending::barrier, text, {});
  __builtin_unreachable();
}

}  // namespace gate
