// Spawning with exactly two descriptors, and talking over SOCK_SEQPACKET with deadlines.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/worker_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <utility>
#include <vector>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/worker/wire.h"

namespace gate {

namespace {

constexpr int control_descriptor = 3;
constexpr int memory_descriptor = 4;
constexpr int free_descriptor = 10;  // ours stay above those that the child gets

/// A descriptor that closes itself, moved out of the way of the child's numbers.
class Descriptor {
 public:
  explicit Descriptor(int opened) {
    if (opened < 0) return;
    number_ = ::fcntl(opened, F_DUPFD_CLOEXEC, free_descriptor);
    ::close(opened);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  int number() const { return number_; }
  int release() { return std::exchange(number_, -1); }

 private:
  int number_ = -1;
};

/// What a worker sees of our environment: where programs are and which GPUs a person allows. The
/// driver's default of 8 queues nearly trebles the time that opening a GPU takes.
std::vector<std::string> worker_environment(const WorkerOptions& options) {
  std::vector<std::string> assignments = {
      "HOME=/tmp", "LANG=C.UTF-8", "CUDA_CACHE_DISABLE=1", "CUDA_DEVICE_MAX_CONNECTIONS=1",
      "GATE_DEVICE_INDEX=" + std::to_string(options.device_index)};
  if (!options.scratch.empty()) assignments.push_back("GATE_SCRATCH=" + options.scratch.string());
  for (const char* name : {"PATH", "CUDA_HOME", "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER"}) {
    if (const char* value = std::getenv(name)) {
      assignments.push_back(std::string(name) + "=" + value);
    }
  }
  return assignments;
}

std::vector<std::string> worker_arguments(const WorkerOptions& options) {
  std::vector<std::string> arguments = {options.program.string(),
                                        "--device",
                                        options.device,
                                        "--control",
                                        std::to_string(control_descriptor),
                                        "--memory",
                                        std::to_string(memory_descriptor),
                                        "--slots",
                                        std::to_string(options.slots),
                                        "--parent",
                                        std::to_string(::getpid())};
  if (!options.sanitizer.tool.empty()) {
    arguments.insert(arguments.end(), {"--sanitizer", options.sanitizer.tool, "--sanitizer-log",
                                       options.sanitizer.log.string()});
  }
  return arguments;
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> list;
  for (const std::string& text : texts) list.push_back(const_cast<char*>(text.c_str()));
  list.push_back(nullptr);
  return list;
}

/// Returns 0 or an errno value.
int spawn(const WorkerOptions& options, int control, int memory, pid_t& child) {
  const auto arguments = worker_arguments(options);
  const auto environment = worker_environment(options);
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0) return ENOMEM;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return ENOMEM;
  }
  int error = 0;
  const auto add = [&error](int status) { error = error != 0 ? error : status; };
  add(posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0));
  add(posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0));
  add(posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0));
  add(posix_spawn_file_actions_adddup2(&actions, control, control_descriptor));
  add(posix_spawn_file_actions_adddup2(&actions, memory, memory_descriptor));
  add(posix_spawn_file_actions_addclosefrom_np(&actions, memory_descriptor + 1));
  sigset_t none, all;
  sigemptyset(&none);
  sigfillset(&all);
  add(posix_spawnattr_setsigmask(&attributes, &none));
  add(posix_spawnattr_setsigdefault(&attributes, &all));
  add(posix_spawnattr_setpgroup(&attributes, 0));
  add(posix_spawnattr_setflags(
      &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  if (error == 0) {
    error = posix_spawn(&child, options.program.c_str(), &actions, &attributes,
                        pointers(arguments).data(), pointers(environment).data());
  }
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return error;
}

Failure failed(const std::string& what) {
  return machine_failure(what + ": " + std::string(std::strerror(errno)));
}

/// Milliseconds until the deadline for poll, rounded up.
int wait_ms(Deadline deadline) {
  const auto left = deadline - std::chrono::steady_clock::now();
  const auto ms = std::chrono::ceil<std::chrono::milliseconds>(left).count();
  return static_cast<int>(std::clamp<std::int64_t>(ms, 0, 1 << 30));
}

/// False when the deadline passed.
bool wait_for(int socket, short events, Deadline deadline) {
  pollfd state{socket, events, 0};
  for (;;) {
    const int ready = ::poll(&state, 1, wait_ms(deadline));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

}  // namespace

std::filesystem::path find_worker_program() {
  constexpr int levels_max = 4;
  std::filesystem::path folder = program_folder();
  for (int level = 0; level < levels_max && !folder.empty(); ++level) {
    std::error_code error;
    if (std::filesystem::is_regular_file(folder / "gate-worker", error)) {
      return folder / "gate-worker";
    }
    folder = folder.parent_path();
  }
  return program_folder() / "gate-worker";
}

void hide_from_workers() { ::prctl(PR_SET_DUMPABLE, 0); }

Result<WorkerProcess> WorkerProcess::start(const WorkerOptions& options) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends) != 0) {
    return failed("cannot open a control socket");
  }
  Descriptor ours(ends[0]), theirs(ends[1]);
  Descriptor memory(::memfd_create("gate-slots", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (ours.number() < 0 || theirs.number() < 0 || memory.number() < 0) {
    return failed("cannot open shared memory");
  }
  WorkerProcess worker;
  worker.slot_bytes_ = options.slot_bytes;
  worker.memory_bytes_ = options.slot_bytes * static_cast<std::size_t>(options.slots);
  // Sealed: a worker that shrinks the file would turn our reads into SIGBUS.
  if (::ftruncate(memory.number(), static_cast<off_t>(worker.memory_bytes_)) != 0 ||
      ::fcntl(memory.number(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return failed("cannot size shared memory");
  }
  void* mapped =
      ::mmap(nullptr, worker.memory_bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, memory.number(), 0);
  if (mapped == MAP_FAILED) return failed("cannot map shared memory");
  worker.memory_ = static_cast<std::byte*>(mapped);
  if (const int error = spawn(options, theirs.number(), memory.number(), worker.process_)) {
    worker.process_ = -1;
    return machine_failure("cannot start " + options.program.filename().string() + ": " +
                           std::strerror(error));
  }
  worker.socket_ = ours.release();
  return worker;
}

WorkerProcess::WorkerProcess(WorkerProcess&& other) noexcept { swap(other); }

WorkerProcess& WorkerProcess::operator=(WorkerProcess&& other) noexcept {
  WorkerProcess taken(std::move(other));
  swap(taken);
  return *this;
}

WorkerProcess::~WorkerProcess() {
  end();
  if (memory_ != nullptr) ::munmap(memory_, memory_bytes_);
}

void WorkerProcess::swap(WorkerProcess& other) noexcept {
  std::swap(process_, other.process_);
  std::swap(socket_, other.socket_);
  std::swap(memory_, other.memory_);
  std::swap(memory_bytes_, other.memory_bytes_);
  std::swap(slot_bytes_, other.slot_bytes_);
  std::swap(buffer_, other.buffer_);
}

WorkerProcess::Event WorkerProcess::send(std::string_view message, Deadline deadline) {
  for (;;) {
    const ssize_t sent =
        ::send(socket_, message.data(), message.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent == static_cast<ssize_t>(message.size())) return Event::message;
    if (sent < 0 && errno == EINTR) continue;
    if (sent >= 0 || (errno != EAGAIN && errno != ENOBUFS)) return Event::closed;
    if (!wait_for(socket_, POLLOUT, deadline)) return Event::late;
  }
}

WorkerProcess::Event WorkerProcess::receive(std::string_view& message, Deadline deadline) {
  buffer_.resize(message_bytes_max + 1);
  for (;;) {
    const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
    if (got > 0) {
      message = std::string_view(buffer_.data(), static_cast<std::size_t>(got));
      return Event::message;
    }
    // Reset: it died with our messages unread. Told once, before those that it left for us.
    if (got < 0 && (errno == EINTR || errno == ECONNRESET)) continue;
    if (got == 0 || errno != EAGAIN) return Event::closed;
    if (!wait_for(socket_, POLLIN, deadline)) return Event::late;
  }
}

std::chrono::nanoseconds WorkerProcess::processor_time() const {
  clockid_t clock{};
  timespec time{};
  if (process_ < 0 || ::clock_getcpuclockid(process_, &clock) != 0) return {};
  if (::clock_gettime(clock, &time) != 0) return {};
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

bool WorkerProcess::wants_processor() const {
  const auto text = read_file("/proc/" + std::to_string(process_) + "/stat");
  if (!text) return false;
  // "12 (name) R …": the name may hold anything.
  const std::size_t name_end = text->rfind(") ");
  if (name_end == std::string::npos || name_end + 2 >= text->size()) return false;
  const char state = (*text)[name_end + 2];
  return state == 'R' || state == 'D';
}

std::byte* WorkerProcess::slot(int number) const {
  return memory_ + slot_bytes_ * static_cast<std::size_t>(number);
}

Death WorkerProcess::end() {
  Death death;
  if (process_ < 0) return death;
  // The exit status of a process that is already dying stays what it was.
  ::kill(-process_, SIGKILL);
  int status = 0;
  while (::waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (WIFSIGNALED(status)) {
    death.signal = WTERMSIG(status);
    death.text =
        "ended by signal " + std::to_string(death.signal) + " (" + ::strsignal(death.signal) + ")";
  } else {
    death.exit_code = WEXITSTATUS(status);
    death.text = "ended with exit code " + std::to_string(death.exit_code);
  }
  return death;
}

}  // namespace gate
