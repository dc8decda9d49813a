// A worker with an image loaded and slots of a given size: starting it, asking it to load, starting
// over when it dies on the way. Jobs are the stream's business.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gate/worker/outcome.h"
#include "gate/worker/pool.h"
#include "gate/worker/wire.h"
#include "gate/worker/worker_process.h"

namespace gate {

class LoadedWorker {
 public:
  LoadedWorker(Image image, SessionOptions options);

  /// A running worker, image loaded, slots of at least `bytes`; else why every job fails. A refusal
  /// of the image is remembered until `forget_refusal`.
  std::optional<Outcome> ensure(std::size_t bytes);
  /// Starts a worker without an image: why there is none, or nothing. `facts` are known afterwards.
  /// It is kept where the options have a stock.
  std::optional<std::string> probe();
  bool running() const { return process_.has_value(); }
  bool fits(std::size_t bytes) const { return process_ && process_->slot_bytes() >= bytes; }
  WorkerProcess& process() { return *process_; }
  /// Ends the worker, if one runs.
  Death end();
  void forget_refusal() { refusal_.reset(); }
  /// Workers from now on run inside compute-sanitizer.
  void run_under(SanitizerChoice sanitizer) { sanitizer_ = std::move(sanitizer); }
  /// Has `count` workers started for the next times, where starting one is slow.
  void prepare(int count);
  const std::string& facts() const { return facts_; }
  const SessionOptions& options() const { return options_; }

 private:
  /// How one attempt to start and load ended.
  struct Attempt {
    bool loaded = false;
    bool final = false;    // the worker said so itself: no use in trying again
    bool in_load = false;  // it died while it had the image: the kernel's fault
    bool by_kill = false;  // SIGKILL from outside
    Kind kind = Kind::environment;
    std::string text;
  };
  /// Tries until it is loaded or believed, at most a few times.
  Attempt try_to_start(bool with_image);
  Attempt attempt(bool with_image);
  Attempt wait_until_ready();
  Attempt load();
  Attempt died(Kind kind, const std::string& stage);
  Attempt gave_up(Kind kind, const std::string& what, std::chrono::milliseconds time);
  Attempt broken(Kind kind, const Result<FromWorker>& message);

  WorkerOptions worker_options() const;

  Image image_;
  SessionOptions options_;
  SanitizerChoice sanitizer_;
  std::optional<WorkerProcess> process_;
  std::optional<Outcome> refusal_;
  std::string facts_ = "{}";
  std::size_t slot_bytes_;
};

/// An outcome that only says why nothing ran.
Outcome failed_outcome(Kind kind, std::string text);

}  // namespace gate
