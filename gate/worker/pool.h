// Running jobs in worker processes: sessions with restart, deadlines, journal, several in flight.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/cases/inputs.h"
#include "gate/spec/kernel_spec.h"
#include "gate/worker/outcome.h"

namespace gate {

class WorkerStock;  // worker_stock.h

/// A built kernel column: what `load` needs.
struct Image {
  std::string device;          // cuda emu host python reference
  std::filesystem::path path;  // in the build cache
  KernelSpec kernel;
  std::string column;
  std::map<std::string, DType> dtypes;  // tensor -> dtype
  bool uses_shared_or_atomics = false;  // siblings are worth running (emu, from the source)
};

struct BuildOutcome {
  Kind kind = Kind::pass;  // pass, build_failed, unsupported, environment
  std::string text;        // compiler's message, "construct at file:line"
  Image image;
};

/// Compiles (or finds in the cache) in a separate process; never throws, never hangs.
BuildOutcome build_kernel(const OpSchema& op, const KernelSpec& kernel, const std::string& column,
                          const std::string& device);

struct Job {
  Inputs inputs;
  Schedule schedule;
  bool second_poison = false;  // outputs and gaps poisoned with the other pattern
  bool zeroed = false;         // fixed-shape oracles: outputs and workspace zeroed
  int repeat = 1;              // calls on the same memory: 2 shows what a second call does
  std::string journal_line;    // case text, written before the job is sent
};

struct SessionOptions {
  std::int64_t case_timeout_ms = 10'000;
  int slots = 4;                         // in flight
  int device_index = 0;                  // which GPU
  std::filesystem::path journal;         // empty: none
  std::filesystem::path worker_program;  // empty: gate-worker beside this program
  std::filesystem::path scratch;         // of the run, for compilers' caches of python workers
  std::shared_ptr<WorkerStock> stock;    // of the thread, empty: one of the session's own
};

/// One worker process with one image loaded; restarts itself after a death. Not thread safe: one
/// session per thread, which has to live as long: workers die with the thread that started them.
class Session {
 public:
  Session(Image image, SessionOptions options);
  ~Session();
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;

  /// Pipelined: asks `next` while slots are free (empty: no more), reports each outcome by the
  /// job's number, in any order. A job that lost its worker is repeated once in a fresh one; only
  /// a second loss is reported as crash (or timeout).
  void stream(const std::function<std::optional<Job>()>& next,
              const std::function<void(std::size_t, Outcome)>& done);
  Outcome run(const Job& job);
  /// Ends the worker, so that the next job meets a fresh one.
  void restart();
  /// Starts the workers that the next `count` restarts will meet, where starting one is slow.
  void prepare_restarts(int count);
  /// Facts of the device as the worker told them (name, driver, architecture), JSON text.
  const std::string& device_facts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Why a device cannot be used here, or nothing: starts a worker and asks it. With a stock in the
/// options the worker is kept there.
std::optional<std::string> device_problem(const std::string& device,
                                          const SessionOptions& options = {});
/// Asks the device's compiler who it is, which building needs to know; takes a while on a GPU.
void prepare_builder(const std::string& device);
/// Starts the first worker of a session that is still to be made, where starting one is slow.
void prepare_worker(const std::string& device, const SessionOptions& options);
/// Why this kernel is not selected on this device (from file pair and device alone), or nothing.
std::optional<std::string> not_selected_reason(const KernelSpec& kernel, const std::string& device);
/// Device a kernel's source runs on when `requested` is auto, cuda or emu.
std::string device_for(const KernelSpec& kernel, const std::string& requested);

}  // namespace gate
