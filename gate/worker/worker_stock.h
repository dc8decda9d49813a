// Workers started before they are needed. Opening a GPU takes most of a second, importing PyTorch
// several: the next worker comes up while the current one works. Nothing foreign has run in them.
// Belongs to one thread at a time, as sessions do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/worker/worker_process.h"

namespace gate {

/// Whether a device takes so long to open that a worker is worth starting in advance.
bool starts_slowly(const std::string& device);

class WorkerStock {
 public:
  /// Starts workers until `count` of this kind wait; others that wait are ended.
  void prepare(const WorkerOptions& options, int count);
  /// One that waits and has slots as large, or nothing. `facts`: what it said when it was ready, if
  /// that has been read.
  std::optional<WorkerProcess> take(const WorkerOptions& options, std::string& facts);
  /// Keeps a worker that is ready and has done nothing.
  void keep(const WorkerOptions& options, WorkerProcess process, std::string facts);

 private:
  struct Waiting {
    WorkerOptions options;
    WorkerProcess process;
    std::string facts;
  };
  std::vector<Waiting> waiting_;
};

}  // namespace gate
