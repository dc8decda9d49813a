// How a run may end: killed, interrupted, in shards; and what its files say then.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>

#include <csignal>
#include <pugixml.hpp>

#include "gate/base/random.h"
#include "gate/test/integration/children.h"
#include "gate/test/integration/gate_program.h"

namespace gate {
namespace {

class GateRunEnds : public GateProgram {
 protected:
  /// Two kernels, the second of which hangs for a while.
  std::vector<std::string> long_run() const {
    put_kernel("good", good_source);
    put_kernel("hang", hanging_source);
    return {"run",    root(),    "--device",        "host",   "--run-seed",
            "5",      "--junit", path("junit.xml"), "--json", path("report.json"),
            "--jobs", "1"};
  }

  int wait_for(pid_t child) const {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }
};

TEST_F(GateRunEnds, a_killed_gate_leaves_junit_that_parses_and_is_not_green) {
  const pid_t child = start(long_run());
  ASSERT_TRUE(appears(path("junit.xml")));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  kill(child, SIGKILL);
  EXPECT_EQ(wait_for(child), -SIGKILL);
  pugi::xml_document junit;
  ASSERT_TRUE(junit.load_file(path("junit.xml").c_str()));
  EXPECT_GE(junit.child("testsuites").attribute("errors").as_int(), 1);
}

TEST_F(GateRunEnds, an_interrupted_gate_writes_all_its_reports) {
  const pid_t child = start(long_run());
  ASSERT_TRUE(appears(path("junit.xml")));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  kill(child, SIGINT);
  const int code = wait_for(child);
  EXPECT_TRUE(code == 1 || code == 4) << code;
  const auto report = json("report.json");
  EXPECT_EQ(report["rows"].size(), 2u);
  EXPECT_EQ(report["run"]["exit_code"], code);
  pugi::xml_document junit;
  ASSERT_TRUE(junit.load_file(path("junit.xml").c_str()));
  EXPECT_GE(junit.child("testsuites").attribute("tests").as_int(), 2);
}

TEST_F(GateRunEnds, workers_killed_50_times_lose_no_row_and_change_no_verdict) {
  // Slow enough that 50 deaths, each some progress apart, fall within one run.
  const std::string slow = "  for (volatile long w = 0; w < 3000000; w = w + 1) {}\n";
  const auto slowed = [&](std::string source) {
    return source.insert(source.find("{\n") + 2, slow);
  };
  put_kernel("good", slowed(good_source));
  put_kernel("tail", slowed(tail_source));
  const std::vector<std::string> flags{"run",        root(), "--device", "host",
                                       "--run-seed", "5",    "--cases",  "600"};
  const auto run_to = [&](const std::string& file) {
    std::vector<std::string> arguments = flags;
    arguments.insert(arguments.end(), {"--json", path(file)});
    return start(arguments);
  };
  EXPECT_EQ(wait_for(run_to("calm.json")), 1);
  const pid_t child = run_to("stormy.json");
  RandomStream random(11, 0);
  int kills = 0, status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) {
    std::this_thread::sleep_for(std::chrono::microseconds(random.between(1'000, 10'000)));
    for (const Child& worker : children_of(child, "(gate-worker)")) {
      // A worker that has worked for a while is past the case its predecessor died in.
      if (kills < 50 && worker.cpu_ticks >= 3 && ::kill(worker.process, SIGKILL) == 0) ++kills;
    }
  }
  EXPECT_EQ(kills, 50);
  auto calm = json("calm.json"), stormy = json("stormy.json");
  calm.erase("times");
  stormy.erase("times");
  EXPECT_EQ(calm.dump(1), stormy.dump(1));
}

TEST_F(GateRunEnds, shards_merge_to_the_whole_and_a_missing_one_is_3) {
  for (const std::string name : {"a", "b", "c", "d", "e"}) put_kernel(name, good_source);
  EXPECT_EQ(run({"--json", path("whole.json")}).exit_code, 0);
  std::vector<std::string> files;
  std::size_t rows = 0;
  for (const std::string shard : {"0", "1", "2"}) {
    files.push_back(path("shard" + shard + ".json"));
    const int code = run({"--shard", shard + "/3", "--json", files.back()}).exit_code;
    const auto report = json("shard" + shard + ".json");
    EXPECT_EQ(code, report["rows"].empty() ? 4 : 0);
    EXPECT_EQ(report["run"]["shard"], shard + "/3");
    rows += report["rows"].size();
  }
  EXPECT_EQ(rows, 5u);
  const std::string merged = path("merged.json");
  EXPECT_EQ(gate({"merge", files[0], files[1], files[2], "--expect-shards", "3", "--json", merged})
                .exit_code,
            0);
  EXPECT_EQ(json("merged.json")["rows"], json("whole.json")["rows"]);
  EXPECT_EQ(gate({"merge", files[0], files[2], "--expect-shards", "3"}).exit_code, 3);
  EXPECT_EQ(gate({"merge", files[0], files[0]}).exit_code,
            json("shard0.json")["rows"].empty() ? 4 : 2);
}

TEST_F(GateRunEnds, shards_come_from_the_environment_too) {
  for (const std::string name : {"a", "b", "c", "d", "e"}) put_kernel(name, good_source);
  run({"--shard", "1/2", "--json", path("flag.json")});
  run({"--json", path("variables.json")},
      {{"GTEST_TOTAL_SHARDS", "2"}, {"GTEST_SHARD_INDEX", "1"}});
  EXPECT_EQ(json("flag.json")["rows"], json("variables.json")["rows"]);
  EXPECT_EQ(run({}, {{"GTEST_TOTAL_SHARDS", "2"}, {"GTEST_SHARD_INDEX", "2"}}).exit_code, 2);
}

TEST_F(GateRunEnds, rendering_a_report_gives_what_the_run_wrote) {
  put_kernel("tail", tail_source);
  run({"--json", path("r.json"), "--junit", path("r.xml")});
  const ProcessResult rendered = gate({"render", path("r.json"), "--format", "junit"});
  EXPECT_EQ(rendered.exit_code, 0);
  EXPECT_EQ(rendered.output, *read_file(path("r.xml")));
  const ProcessResult again = gate({"render", path("r.json"), "--format", "json"});
  EXPECT_EQ(again.output, *read_file(path("r.json")));
}

}  // namespace
}  // namespace gate
