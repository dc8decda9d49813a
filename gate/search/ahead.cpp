// Threads with a window of entries before the one that is wanted.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/ahead.h"

#include <algorithm>
#include <utility>

namespace gate {
namespace {

constexpr std::size_t window = 32;
constexpr std::size_t plan_min = 16;  // fewer are not worth a thread
constexpr unsigned cores_min = 4;     // elsewhere the gate's other threads have the cores
constexpr unsigned cores_a_thread = 4;
constexpr unsigned threads_min = 2, threads_max = 4;
constexpr std::int64_t elements_max = 16'384;  // what waits in the window stays small

}  // namespace

int threads_ahead(std::size_t entries) {
  const unsigned cores = std::thread::hardware_concurrency();
  if (entries < plan_min || cores < cores_min) return 0;
  return static_cast<int>(std::clamp(cores / cores_a_thread, threads_min, threads_max));
}

Ahead::Ahead(const RunContext& context, const std::vector<Entry>& plan, int threads)
    : context_(context), plan_(plan) {
  for (int i = 0; i < threads; ++i) threads_.emplace_back([this] { work(); });
}

Ahead::~Ahead() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  room_.notify_all();
}

CaseRun Ahead::prepared(std::size_t number) const {
  const Entry& entry = plan_[number];
  CaseRun run(context_, entry.test_case, entry.siblings);
  if (cost_of(entry.test_case, *context_.target.op).elements <= elements_max) run.prepare();
  return run;
}

void Ahead::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    room_.wait(lock,
               [this] { return stopping_ || next_ >= plan_.size() || next_ < wanted_ + window; });
    if (stopping_ || next_ >= plan_.size()) return;
    const std::size_t number = next_++;
    lock.unlock();
    CaseRun run = prepared(number);
    lock.lock();
    done_.emplace(number, std::move(run));
    if (number == wanted_) ready_.notify_one();
  }
}

CaseRun Ahead::take(std::size_t number) {
  std::unique_lock lock(mutex_);
  wanted_ = number;
  if (next_ <= number) {  // nobody has begun it
    next_ = number + 1;
    lock.unlock();
    const Entry& entry = plan_[number];
    return {context_, entry.test_case, entry.siblings};
  }
  if (next_ < number + window / 2) room_.notify_all();
  ready_.wait(lock, [&] { return done_.count(number) > 0; });
  auto at = done_.find(number);
  CaseRun run = std::move(at->second);
  done_.erase(at);
  return run;
}

}  // namespace gate
