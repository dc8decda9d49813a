// Threads that check the selected targets while the tests wait for their results: each takes one
// (kernel, column) at a time, with its own worker.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "gate/cli/row.h"

namespace gate {

struct BackgroundOptions {
  int jobs = 1;
  std::vector<int> devices = {0};            // GPU numbers, given to the threads in turn
  std::filesystem::path journals;            // folder for the journals of begun cases
  std::shared_ptr<WorkerStock> first_stock;  // for the first thread
  CheckOptions check;
};

struct Progress {
  std::size_t entries = 0, entries_done = 0, targets = 0, targets_done = 0, findings = 0;
};

class Background {
 public:
  /// `targets` outlives the object.
  Background(const std::vector<SelectedTarget>& targets, BackgroundOptions options);
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  /// Waits for a target's row; calls `idle` several times a second meanwhile.
  const ReportRow& wait(std::size_t target, const std::function<void()>& idle);
  Progress progress() const;
  /// What the workers told of their devices: one JSON object, device -> facts.
  std::string device_facts() const;

 private:
  void work(int thread);
  CheckOptions check_options(std::size_t target, int thread);

  const std::vector<SelectedTarget>& targets_;
  BackgroundOptions options_;
  std::atomic<std::size_t> next_ = 0, entries_done_ = 0, findings_ = 0;
  std::size_t entries_ = 0;
  mutable std::mutex mutex_;
  std::condition_variable ready_;
  std::map<std::string, std::string> device_facts_;
  std::map<std::size_t, ReportRow> rows_;  // of finished targets; entries never move
  std::vector<std::jthread> threads_;      // last: joined before the rest is destroyed
};

}  // namespace gate
