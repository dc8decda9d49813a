// Other programs: streams, exit, deadline, environment, and that no shell is in between.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <thread>
#include <vector>

#include "gate/base/files.h"
#include "gate/base/text.h"

namespace gate {
namespace {

ProcessResult shell(const std::string& script, const ProcessOptions& options = {}) {
  const auto result = run_process({"/bin/sh", "-c", script}, options);
  EXPECT_TRUE(result) << to_text(result.failure());
  return result ? *result : ProcessResult{};
}

TEST(Process, ReturnsStreamsAndExitCode) {
  const ProcessResult result = shell("cat; echo problem >&2; exit 3", {.input = "text in"});
  EXPECT_EQ(result.exit_code, 3);
  EXPECT_EQ(result.signal, 0);
  EXPECT_FALSE(result.timed_out);
  EXPECT_EQ(result.output, "text in");
  EXPECT_EQ(result.errors, "problem\n");
}

TEST(Process, CarriesLargeStreamsBothWays) {
  const std::string input(1'000'000, 'x');
  EXPECT_EQ(shell("cat", {.input = input}).output, input);
  EXPECT_EQ(shell("exit 0", {.input = input}).exit_code, 0) << "unread input hurts nobody";
}

TEST(Process, TakesArgumentsAsTheyAre) {
  const auto result = run_process({"printf", "%s|", "a b", "$HOME", "`id`", ""});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "a b|$HOME|`id`||");
}

TEST(Process, ReportsSignals) {
  const ProcessResult result = shell("kill -SEGV $$");
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_FALSE(result.timed_out);
}

TEST(Process, CapsItsOutputAndLetsTheProgramFinish) {
  const ProcessResult result =
      shell("head -c 500000 /dev/zero; echo done >&2; exit 5", {.output_bytes_max = 1000});
  EXPECT_EQ(result.output.size(), 1000u);
  EXPECT_EQ(result.errors, "done\n");
  EXPECT_EQ(result.exit_code, 5);
}

/// Waits a little for a killed process to vanish; true if it did.
bool vanishes(pid_t process) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    if (::kill(process, 0) != 0 && errno == ESRCH) return true;
    const auto state = read_file("/proc/" + std::to_string(process) + "/stat");
    if (!state || state->find(") Z ") != std::string::npos) return true;  // not ours to reap
    ::usleep(10'000);
  }
  return false;
}

TEST(Process, KillsTheWholeGroupAtTheDeadline) {
  const ProcessResult result =
      shell("sleep 100 & echo $!; trap '' TERM; sleep 100", {.timeout_ms = 1000});
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
  const auto background = parse_integer(trim(result.output));
  ASSERT_TRUE(background) << result.output;
  EXPECT_TRUE(vanishes(static_cast<pid_t>(*background)));
}

/// Programs that leave little of one processor to whoever shares it.
class BusyProcessor {
 public:
  explicit BusyProcessor(int milliseconds) {
    for (int i = 0; i < 8; ++i) {
      threads_.emplace_back([milliseconds] {
        (void)run_process({"taskset", "-c", "0", "sh", "-c", "while :; do :; done"},
                          {.timeout_ms = milliseconds});
      });
    }
  }

 private:
  std::vector<std::jthread> threads_;
};

ProcessResult on_processor_0(const std::string& code, const ProcessOptions& options) {
  const auto ended = run_process({"taskset", "-c", "0", "sh", "-c", code}, options);
  EXPECT_TRUE(ended);
  return ended ? *ended : ProcessResult{};
}

TEST(Process, ABusyMachineDoesNotUseUpAProgramsTime) {
  const BusyProcessor busy(5000);
  const std::string a_while = "i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done";
  const ProcessResult waited =
      on_processor_0(a_while, {.timeout_ms = 1000, .starved_times_max = 29});
  EXPECT_EQ(waited.exit_code, 0);
  EXPECT_FALSE(waited.timed_out);
}

TEST(Process, AMachineThatIsBusyForTooLongIsSaidToBe) {
  const BusyProcessor busy(5000);
  const ProcessResult gave_up =
      on_processor_0("while :; do :; done", {.timeout_ms = 1000, .starved_times_max = 1});
  EXPECT_TRUE(gave_up.timed_out);
  EXPECT_TRUE(gave_up.starved);
}

TEST(Process, WhoHadItsTimeOrSleepsIsNotStarved) {
  for (const char* code : {"while :; do :; done", "sleep 100"}) {
    const auto begin = std::chrono::steady_clock::now();
    const ProcessResult result = shell(code, {.timeout_ms = 300, .starved_times_max = 100});
    EXPECT_TRUE(result.timed_out) << code;
    EXPECT_FALSE(result.starved) << code;
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(25)) << code;
  }
}

TEST(Process, DoesNotWaitForABackgroundProgramThatHoldsItsPipes) {
  const ProcessResult result = shell("sleep 100 & echo $!; exit 4");
  EXPECT_EQ(result.exit_code, 4);
  EXPECT_FALSE(result.timed_out);
  const auto background = parse_integer(trim(result.output));
  ASSERT_TRUE(background) << result.output;
  EXPECT_TRUE(vanishes(static_cast<pid_t>(*background)));
}

TEST(Process, WaitsForAProgramThatClosedItsStreams) {
  EXPECT_EQ(shell("exec >&- 2>&-; sleep 0.2; exit 6").exit_code, 6);
}

TEST(Process, RunsInTheGivenFolder) {
  const auto folder = TemporaryFolder::create("process-test");
  ASSERT_TRUE(folder);
  ASSERT_TRUE(write_file(folder->path() / "here", ""));
  EXPECT_EQ(shell("ls", {.folder = folder->path()}).output, "here\n");
}

TEST(Process, InheritsNoDescriptor) {
  const int leak = ::open("/dev/null", O_RDONLY);  // no O_CLOEXEC
  ASSERT_GE(leak, 0);
  const ProcessResult result = shell("ls -l /proc/$$/fd/" + std::to_string(leak));
  ::close(leak);
  EXPECT_NE(result.exit_code, 0) << result.output;
}

TEST(Process, ChoosesTheEnvironment) {
  ::setenv("GATE_PROCESS_TEST", "ours", 1);
  EXPECT_EQ(shell("echo $GATE_PROCESS_TEST").output, "ours\n");
  EXPECT_EQ(shell("echo $GATE_PROCESS_TEST", {.inherit_environment = false}).output, "\n");
  const ProcessOptions options{.environment = {{"GIVEN", "a=b c"}}};
  EXPECT_EQ(shell("echo $GATE_PROCESS_TEST/$GIVEN", options).output, "/a=b c\n");
  ::unsetenv("GATE_PROCESS_TEST");
}

TEST(Process, StartsWithNoSignalBlockedOrIgnored) {
  const ProcessResult result = shell("grep -E '^Sig(Blk|Ign)' /proc/self/status");
  const std::vector<std::string> lines = split(trim(result.output), '\n');
  EXPECT_EQ(lines.size(), 2u) << result.output;
  for (const std::string& line : lines) {
    const auto mask = parse_hex64(trim(std::string_view(line).substr(line.find(':') + 1)));
    ASSERT_TRUE(mask) << line;
    EXPECT_EQ(*mask & 0x7FFFFFFF, 0u) << line << " (32 and 33 belong to the C library)";
  }
}

TEST(Process, FailsAsMachineWhenItCannotStart) {
  const auto missing = run_process({"/nowhere/program"});
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.failure().fault, Fault::machine);
  EXPECT_EQ(to_text(missing.failure()),
            "error: cannot start program: /nowhere/program: No such file or directory");
  EXPECT_FALSE(run_process({"true"}, {.folder = "/nowhere"}));
  EXPECT_EXIT(run_process({}), testing::ExitedWithCode(70), "has a program");
}

}  // namespace
}  // namespace gate
