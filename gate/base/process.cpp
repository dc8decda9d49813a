// posix_spawn with pipes for the output: no shell, no fork handlers, own process group.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <optional>
#include <thread>

#include "gate/base/process_tree.h"

namespace gate {

namespace {

using Clock = std::chrono::steady_clock;

/// One open descriptor, or none.
struct Descriptor {
  int number = -1;
  Descriptor() = default;
  explicit Descriptor(int opened) : number(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { reset(); }
  void reset() {
    if (number >= 0) ::close(number);
    number = -1;
  }
};

struct Pipe {
  Descriptor read, write;

  bool open() {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return false;
    read.number = ends[0];
    write.number = ends[1];
    return ::fcntl(read.number, F_SETFL, O_NONBLOCK) == 0;
  }
};

/// The input stands in memory: no writer that could block or be hit by SIGPIPE.
bool open_input(const std::string& input, Descriptor& file) {
  file.number = ::memfd_create("input", MFD_CLOEXEC);
  if (file.number < 0) return false;
  for (std::size_t at = 0; at < input.size();) {
    const ssize_t written = ::write(file.number, input.data() + at, input.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += static_cast<std::size_t>(written);
  }
  return ::lseek(file.number, 0, SEEK_SET) == 0;
}

struct Streams {
  Descriptor input;
  Pipe output, errors;
};

/// Returns 0 or an errno value; `child` is the leader of its own process group.
int spawn(const std::vector<std::string>& arguments, const ProcessOptions& options,
          const Streams& streams, pid_t& child) {
  std::vector<std::string> assignments;
  for (const auto& [name, value] : options.environment) assignments.push_back(name + "=" + value);
  const auto pointers = [](const std::vector<std::string>& texts) {
    std::vector<char*> list;
    for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
    list.push_back(nullptr);
    return list;
  };
  std::vector<char*> argv = pointers(arguments);
  std::vector<char*> own = pointers(assignments);
  const bool inherits = options.environment.empty() && options.inherit_environment;
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return ENOMEM;
  }
  int error = 0;
  const auto add = [&error](int status) { error = error != 0 ? error : status; };
  add(posix_spawn_file_actions_adddup2(&actions, streams.input.number, STDIN_FILENO));
  add(posix_spawn_file_actions_adddup2(&actions, streams.output.write.number, STDOUT_FILENO));
  add(posix_spawn_file_actions_adddup2(&actions, streams.errors.write.number, STDERR_FILENO));
  add(posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1));
  if (!options.folder.empty()) {
    add(posix_spawn_file_actions_addchdir_np(&actions, options.folder.c_str()));
  }
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  add(posix_spawnattr_setsigmask(&attributes, &none));
  add(posix_spawnattr_setsigdefault(&attributes, &all));
  add(posix_spawnattr_setpgroup(&attributes, 0));
  add(posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  if (error == 0) {
    error = posix_spawnp(&child, argv[0], &actions, &attributes, argv.data(),
                         inherits ? environ : own.data());
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

/// Takes what is there; beyond the cap it is read and dropped, so that the program goes on.
void drain(Descriptor& source, std::string& text, std::size_t bytes_max) {
  std::array<char, 65536> piece;
  while (source.number >= 0) {
    const ssize_t got = ::read(source.number, piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0 && errno == EAGAIN) return;
    if (got <= 0) return source.reset();
    const std::size_t room = bytes_max - std::min(bytes_max, text.size());
    text.append(piece.data(), std::min(room, static_cast<std::size_t>(got)));
  }
}

/// True once the child has ended; it stays a zombie, so that its group number is not reused.
bool has_ended(pid_t child) {
  siginfo_t state{};
  const int status = ::waitid(P_PID, static_cast<id_t>(child), &state, WEXITED | WNOHANG | WNOWAIT);
  return status != 0 || state.si_pid == child;
}

void wait_for_output(const Streams& streams, int wait_ms) {
  // Negative descriptors are skipped by poll; with both closed this is a sleep.
  std::array<pollfd, 2> sources = {pollfd{streams.output.read.number, POLLIN, 0},
                                   pollfd{streams.errors.read.number, POLLIN, 0}};
  ::poll(sources.data(), sources.size(), wait_ms);
}

/// The time of a process: until a deadline, and longer while the machine keeps it waiting.
class Allowance {
 public:
  Allowance(pid_t child, const ProcessOptions& options)
      : child_(child),
        full_(options.timeout_ms),
        deadline_(Clock::now() + full_),
        last_(deadline_ + full_ * options.starved_times_max),
        patient_(options.starved_times_max > 0) {}

  /// `starved`: what it wanted to the end, and never got.
  bool over(bool& starved) {
    const auto now = Clock::now();
    if (now < deadline_) return false;
    if (!patient_) return true;
    const std::optional<Clock::duration> due = waited_for();
    if (!due) return true;
    starved = now >= last_;
    deadline_ = std::min(now + *due, last_);
    return starved;
  }

 private:
  /// Processor time that it was kept waiting for; nothing if it had all, or does not want it.
  std::optional<Clock::duration> waited_for() const {
    constexpr int looks = 10;  // a program that works may be asleep for a moment
    constexpr auto between = std::chrono::milliseconds(20);
    constexpr auto least = std::chrono::milliseconds(50);
    for (int i = 0; i < looks; ++i) {
      const ProcessTree tree = look_at_tree(child_);
      if (tree.processor_time >= full_) return std::nullopt;
      if (tree.wants_processor) {
        return std::max<Clock::duration>(full_ - tree.processor_time, least);
      }
      std::this_thread::sleep_for(between);
    }
    return std::nullopt;
  }

  pid_t child_;
  std::chrono::milliseconds full_;
  Clock::time_point deadline_, last_;
  bool patient_;
};

/// Reads until the child has ended or its time is over, then ends what is left of its group.
void follow(pid_t child, const ProcessOptions& options, Streams& streams, ProcessResult& result) {
  constexpr int slice_ms = 10;           // an exit that leaves a pipe open is noticed this late
  constexpr int leftovers_ms_max = 200;  // descendants that left the group may hold the pipes
  const auto read = [&] {
    drain(streams.output.read, result.output, options.output_bytes_max);
    drain(streams.errors.read, result.errors, options.output_bytes_max);
  };
  Allowance allowance(child, options);
  while (!has_ended(child)) {
    if (allowance.over(result.starved)) {
      result.timed_out = true;
      break;
    }
    const bool closed = streams.output.read.number < 0 && streams.errors.read.number < 0;
    wait_for_output(streams, closed ? 1 : slice_ms);
    read();
  }
  ::kill(-child, SIGKILL);
  read();
  for (int waited_ms = 0; waited_ms < leftovers_ms_max; waited_ms += slice_ms) {
    if (streams.output.read.number < 0 && streams.errors.read.number < 0) break;
    wait_for_output(streams, slice_ms);
    read();
  }
}

}  // namespace

Result<ProcessResult> run_process(const std::vector<std::string>& arguments,
                                  const ProcessOptions& options) {
  check(!arguments.empty(), "a process has a program");
  Streams streams;
  if (!open_input(options.input, streams.input) || !streams.output.open() ||
      !streams.errors.open()) {
    return machine_failure("cannot open pipes: " + std::string(std::strerror(errno)));
  }
  pid_t child = -1;
  if (const int error = spawn(arguments, options, streams, child); error != 0) {
    return machine_failure("cannot start program: " + arguments[0] + ": " + std::strerror(error));
  }
  streams.input.reset();
  streams.output.write.reset();
  streams.errors.write.reset();
  ProcessResult result;
  follow(child, options, streams, result);
  int status = 0;
  pid_t ended = -1;
  do {
    ended = ::waitpid(child, &status, 0);
  } while (ended < 0 && errno == EINTR);
  if (ended != child) return machine_failure("lost a child process: " + arguments[0]);
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
  return result;
}

}  // namespace gate
