// Workers that die, lie, hang or are missing: every job still gets the right answer, or one that
// names the machine.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include "gate/base/random.h"
#include "gate/test/integration/children.h"
#include "gate/test/integration/host_kernel.h"
#include "gate/worker/worker_process.h"

namespace gate {
namespace {

using WorkerFaults = HostKernels;

TEST_F(WorkerFaults, killed_at_random_50_times_and_every_outcome_is_right) {
  constexpr int kills_wanted = 50;
  std::atomic<int> kills = 0;
  std::atomic<bool> over = false;
  Session session(image(R"(extern "C" void kernel(const float* x, float* y, int n) {
                             for (int r = 0; r < 200; ++r)
                               for (int i = 0; i < n; ++i) ((volatile float*)y)[i] = 2 * x[i]; })"),
                  {});
  std::thread killer([&] {
    RandomStream random(7, 0);
    while (!over && kills < kills_wanted) {
      std::this_thread::sleep_for(std::chrono::microseconds(random.between(500, 25'000)));
      for (const Child& worker : children_of(::getpid(), "(gate-worker)")) {
        if (::kill(worker.process, SIGKILL) == 0) ++kills;
      }
    }
  });
  std::int64_t given = 0;
  std::vector<int> answers;
  int wrong = 0;
  session.stream(
      [&]() -> std::optional<Job> {
        if (kills >= kills_wanted && given >= 500) return {};
        answers.push_back(0);
        return vector_job(100 + given++ % 900);
      },
      [&](std::size_t number, Outcome outcome) {
        answers.at(number) += 1;
        const auto size = static_cast<std::int64_t>(100 + number % 900);
        const bool right = is_doubled(outcome) && outcome.after[1].elements() == size;
        if (!right && ++wrong < 5) ADD_FAILURE() << name(outcome.end) << " " << outcome.text;
      });
  over = true;
  killer.join();
  EXPECT_GE(kills, kills_wanted);
  EXPECT_EQ(wrong, 0);
  for (const int count : answers) EXPECT_EQ(count, 1);
}

TEST_F(WorkerFaults, idle_death_is_not_noticed) {
  Session session(image(doubling_code), {});
  EXPECT_TRUE(is_doubled(session.run(vector_job(5))));
  for (const Child& worker : children_of(::getpid(), "(gate-worker)"))
    ::kill(worker.process, SIGKILL);
  const Outcome outcome = session.run(vector_job(5));
  EXPECT_TRUE(is_doubled(outcome));
  EXPECT_FALSE(outcome.worker_lost);
}

TEST_F(WorkerFaults, a_missing_worker_is_environment) {
  SessionOptions options;
  options.worker_program = file("no-such-worker");
  Session session(image(doubling_code), options);
  const Outcome outcome = session.run(vector_job(5));
  EXPECT_EQ(outcome.end, Kind::environment);
  EXPECT_NE(outcome.text.find("cannot start"), std::string::npos) << outcome.text;
}

TEST_F(WorkerFaults, a_device_that_is_not_there_is_environment) {
  Image image;
  image.device = "abacus";
  const Outcome outcome = Session(image, {}).run(vector_job(5));
  EXPECT_EQ(outcome.end, Kind::environment);
  EXPECT_NE(outcome.text.find("abacus"), std::string::npos) << outcome.text;
  EXPECT_TRUE(device_problem("abacus"));
  EXPECT_FALSE(device_problem("host"));
}

/// A shell script in the worker's place. A datagram is one printf or one dd.
class FakeWorker : public HostKernels {
 protected:
  Outcome answer_of(const std::string& script) {
    const auto path = file("fake-worker");
    std::ofstream(path) << "#!/bin/sh\n"
                           "say() { printf '%s' \"$1\" >&3; }\n"
                           "hear() { dd bs=65536 count=1 <&3 2>/dev/null; }\n"
                           "ready='{\"type\":\"ready\",\"facts\":\"{}\"}'\n"
                           "loaded='{\"type\":\"loaded\"}'\n"
                           "begin='{\"type\":\"begin\",\"job\":\"0x0\"}'\n"
                        << script;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    SessionOptions options;
    options.worker_program = path;
    options.case_timeout_ms = 300;
    Image image;
    image.device = "host";
    image.column = "f32";
    return Session(image, options).run(vector_job(3));
  }
};

TEST_F(FakeWorker, that_leaves_at_once_is_environment) {
  const Outcome outcome = answer_of("echo no library >&2; exit 127\n");
  EXPECT_EQ(outcome.end, Kind::environment);
  EXPECT_NE(outcome.text.find("exit code 127"), std::string::npos) << outcome.text;
  EXPECT_NE(outcome.text.find("no library"), std::string::npos) << outcome.text;
}

TEST_F(FakeWorker, that_talks_nonsense_before_it_is_ready_is_environment) {
  EXPECT_EQ(answer_of("say hello; hear\n").end, Kind::environment);
  EXPECT_EQ(answer_of("say \"$loaded\"; hear\n").end, Kind::environment);
}

TEST_F(FakeWorker, that_refuses_is_believed) {
  const Outcome outcome = answer_of(
      "say \"$ready\"; hear >/dev/null\n"
      "say '{\"type\":\"refused\",\"kind\":\"unsupported\",\"text\":\"asm at 3\"}'; hear\n");
  EXPECT_EQ(outcome.end, Kind::unsupported);
  EXPECT_EQ(outcome.text, "asm at 3");
}

TEST_F(FakeWorker, that_breaks_the_protocol_is_the_kernels_crash) {
  const std::string up = "say \"$ready\"; hear >/dev/null; say \"$loaded\"; hear >/dev/null\n";
  const std::string zeros = "head -c 65537 /dev/zero >&3";
  const char* lies[] = {
      "say '{\"type\":\"be'",                        // half a frame
      "say \"$begin\"; say \"$begin\"",              // twice
      "say '{\"type\":\"begin\",\"job\":\"0x7\"}'",  // a job nobody sent
      "say \"$loaded\"",                             // out of turn
      "say '{\"type\":\"done\",\"job\":\"0x0\",\"error\":\"pass\",\"text\":\"\","
      "\"times\":{\"kernel_us\":1},\"device_lost\":false}'",  // done before begin
      "say \"$begin\"; say '[[[[[[[['",
      "say \"$begin\"; head -c 65537 /dev/zero | dd bs=65537 count=1 iflag=fullblock >&3",
  };
  for (const char* lie : lies) {
    const Outcome outcome = answer_of(up + lie + "\nhear\n");
    const bool begun = std::string(lie).starts_with("say \"$begin\"");
    EXPECT_EQ(outcome.end, begun ? Kind::crash : Kind::environment) << lie;
    EXPECT_NE(outcome.text.find("protocol"), std::string::npos) << outcome.text;
  }
}

TEST_F(FakeWorker, that_closes_its_socket_and_stays_is_ended) {
  const Outcome outcome = answer_of(
      "say \"$ready\"; hear >/dev/null; say \"$loaded\"; hear >/dev/null; say \"$begin\"\n"
      "exec 3>&-; sleep 60\n");
  EXPECT_EQ(outcome.end, Kind::crash) << outcome.text;
}

TEST_F(FakeWorker, that_never_begins_is_environment) {
  const Outcome outcome = answer_of("say \"$ready\"; hear >/dev/null; say \"$loaded\"; sleep 60\n");
  EXPECT_EQ(outcome.end, Kind::environment) << outcome.text;
}

TEST_F(FakeWorker, descendants_die_with_it) {
  const auto note = file("descendant");
  answer_of(
      "say \"$ready\"; hear >/dev/null; say \"$loaded\"; hear >/dev/null; say \"$begin\"\n"
      "sleep 60 & echo $! > '" +
      note.string() + "'; wait\n");
  pid_t descendant = 0;
  std::ifstream(note) >> descendant;
  ASSERT_GT(descendant, 0);
  // Killed with its group, as soon as it gets a core to die on; as an orphan it may stay a zombie
  // until init reaps it.
  std::string state;
  for (int tries = 0; tries < 500; ++tries) {
    std::string number, name;
    state = "gone";
    std::ifstream(("/proc/" + std::to_string(descendant) + "/stat")) >> number >> name >> state;
    if (state == "gone" || state == "Z" || state == "X") return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  ADD_FAILURE() << "still there, in state " << state;
}

}  // namespace
}  // namespace gate
