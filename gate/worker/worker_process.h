// One gate-worker process: its control socket, its slots in shared memory, its death. Knows nothing
// of jobs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"

namespace gate {

using Deadline = std::chrono::steady_clock::time_point;

/// compute-sanitizer around a worker: its tool and the file for its words. No tool: without.
struct SanitizerChoice {
  std::string tool;
  std::filesystem::path log;
};

struct WorkerOptions {
  std::string device;
  std::filesystem::path program;  // gate-worker
  int device_index = 0;
  int slots = 1;
  std::size_t slot_bytes = 0;
  std::filesystem::path scratch;  // where a python worker may write; empty: a folder of its own
  SanitizerChoice sanitizer;
};

/// How a worker ended.
struct Death {
  int signal = 0;  // 0: it exited
  int exit_code = 0;
  std::string text;  // "ended by signal 11 (Segmentation fault)"
};

/// gate-worker beside this program, or in a folder above it (test programs).
std::filesystem::path find_worker_program();

/// Keeps workers from looking into this process where the kernel lacks Landlock; once, by main.
void hide_from_workers();

class WorkerProcess {
 public:
  static Result<WorkerProcess> start(const WorkerOptions& options);
  WorkerProcess(WorkerProcess&& other) noexcept;
  WorkerProcess& operator=(WorkerProcess&& other) noexcept;
  ~WorkerProcess();

  enum class Event { message, closed, late };
  /// Sends one message; `late` if the worker does not read until the deadline.
  Event send(std::string_view message, Deadline deadline);
  /// Receives one message, at most one byte longer than allowed; the view lives until the next
  /// call.
  Event receive(std::string_view& message, Deadline deadline);

  std::byte* slot(int number) const;
  std::size_t slot_bytes() const { return slot_bytes_; }
  pid_t process_id() const { return process_; }
  /// Processor time of the process so far; zero if it cannot be told.
  std::chrono::nanoseconds processor_time() const;
  /// True if its first thread runs or would run if it got a processor, rather than sleeps.
  bool wants_processor() const;
  /// SIGKILL to its group, unless it has ended already; waits and tells how it ended.
  Death end();

 private:
  WorkerProcess() = default;
  void swap(WorkerProcess& other) noexcept;

  pid_t process_ = -1;
  int socket_ = -1;
  std::byte* memory_ = nullptr;
  std::size_t memory_bytes_ = 0;
  std::size_t slot_bytes_ = 0;
  std::vector<char> buffer_;
};

}  // namespace gate
