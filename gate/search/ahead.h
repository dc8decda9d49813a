// Prepares the cases of a plan on threads of its own while earlier ones run: inputs and expected
// values are more work than everything else about a small case. Changes no result.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "gate/search/case_run.h"

namespace gate {

class Ahead {
 public:
  /// `context` and `plan` outlive the object. No threads: cases are prepared when they start.
  Ahead(const RunContext& context, const std::vector<Entry>& plan, int threads);
  Ahead(const Ahead&) = delete;
  Ahead& operator=(const Ahead&) = delete;
  ~Ahead();

  /// The run of entry `number`, asked for in plan order.
  CaseRun take(std::size_t number);

 private:
  void work();
  CaseRun prepared(std::size_t number) const;

  const RunContext& context_;
  const std::vector<Entry>& plan_;
  std::mutex mutex_;
  std::condition_variable ready_, room_;
  std::map<std::size_t, CaseRun> done_;
  std::size_t next_ = 0;    // entry to prepare
  std::size_t wanted_ = 0;  // entry asked for
  bool stopping_ = false;
  std::vector<std::jthread> threads_;
};

/// Threads worth having for a plan of this size on this machine.
int threads_ahead(std::size_t entries);

}  // namespace gate
