// Sessions on the host device: results, what the gate reads off the slot, deaths, deadlines.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/test/integration/host_kernel.h"

namespace gate {
namespace {

using SessionTest = HostKernels;

SessionOptions quick() {
  SessionOptions options;
  options.case_timeout_ms = 400;
  return options;
}

TEST_F(SessionTest, returns_what_the_kernel_wrote) {
  Session session(image(doubling_code), {});
  const Outcome outcome = session.run(vector_job(1000));
  EXPECT_TRUE(is_doubled(outcome)) << outcome.text;
  EXPECT_FALSE(outcome.red_zone);
  EXPECT_TRUE(outcome.modified_inputs.empty());
  EXPECT_TRUE(unwritten_elements(outcome.after[1], false).empty());
  EXPECT_NE(session.device_facts().find("host"), std::string::npos);
}

TEST_F(SessionTest, streams_in_flight_and_numbers_outcomes) {
  Session session(image(doubling_code), {});
  std::int64_t next = 0;
  std::vector<std::size_t> sizes(200, 0);
  session.stream(
      [&]() -> std::optional<Job> {
        if (next == 200) return {};
        return vector_job(1 + next++);
      },
      [&](std::size_t number, Outcome outcome) {
        EXPECT_TRUE(is_doubled(outcome));
        sizes.at(number) = static_cast<std::size_t>(outcome.after[1].elements());
      });
  for (std::size_t i = 0; i < sizes.size(); ++i) EXPECT_EQ(sizes[i], i + 1);
}

TEST_F(SessionTest, grows_slots_for_a_large_job) {
  Session session(image(doubling_code), {});
  EXPECT_TRUE(is_doubled(session.run(vector_job(10))));
  EXPECT_TRUE(is_doubled(session.run(vector_job(3'000'000))));
  EXPECT_TRUE(is_doubled(session.run(vector_job(10))));
}

TEST_F(SessionTest, empty_tensors_run) {
  Session session(image(doubling_code), {});
  EXPECT_EQ(session.run(vector_job(0)).end, Kind::pass);
}

TEST_F(SessionTest, names_the_byte_behind_the_end) {
  Session session(
      image(R"(extern "C" void kernel(const float*, float* y, int n) { y[n + 3] = 1; })"), {});
  const Outcome outcome = session.run(vector_job(7));
  EXPECT_EQ(outcome.red_zone.value_or(""), "y: 12 bytes after its end");
}

TEST_F(SessionTest, names_the_byte_before_the_start) {
  Session session(image(R"(extern "C" void kernel(const float*, float* y, int) { y[-1] = 1; })"),
                  {});
  EXPECT_EQ(session.run(vector_job(7)).red_zone.value_or(""), "y: 4 bytes before its start");
}

TEST_F(SessionTest, sees_a_copy_that_runs_over_both_ends) {
  Session session(image(R"(extern "C" void kernel(const float* x, float* y, int n) {
                 for (int i = 0; i <= n; ++i) y[i] = x[i]; })"),
                  {});
  EXPECT_EQ(session.run(vector_job(8)).red_zone.value_or(""), "y: 0 bytes after its end");
}

TEST_F(SessionTest, sees_writes_between_elements) {
  Job job = vector_job(6);
  job.inputs.tensors[1] = make_tensor("y", Role::output, DType::f32, View{{2, 3}, {5, 1}, 2});
  Session honest(image(R"(extern "C" void kernel(const float* x, float* y, int) {
      for (int r = 0; r < 2; ++r) for (int c = 0; c < 3; ++c) y[r * 5 + c] = x[r * 3 + c]; })"),
                 {});
  const Outcome fine = honest.run(job);
  EXPECT_FALSE(fine.red_zone) << *fine.red_zone;
  EXPECT_EQ(fine.after[1].at(5), 6);
  Session sloppy(image(doubling_code), {});
  EXPECT_EQ(sloppy.run(job).red_zone.value_or(""),
            "y: 20 bytes into its storage, between elements");
}

TEST_F(SessionTest, sees_modified_inputs) {
  Session session(image(R"(extern "C" void kernel(float* x, float* y, int n) {
                             for (int i = 0; i < n; ++i) y[i] = x[i];
                             x[n - 1] = -0.0f; })"),
                  {});
  EXPECT_EQ(session.run(vector_job(5)).modified_inputs, std::vector<std::string>{"x"});
}

TEST_F(SessionTest, poison_zeros_and_second_poison) {
  Session session(image(R"(extern "C" void kernel(const float*, float*, int) {})"), {});
  Job job = vector_job(3);
  EXPECT_EQ(unwritten_elements(session.run(job).after[1], false).size(), 3u);
  job.second_poison = true;
  const Outcome second = session.run(job);
  EXPECT_EQ(unwritten_elements(second.after[1], true).size(), 3u);
  EXPECT_TRUE(unwritten_elements(second.after[1], false).empty());
  job.zeroed = true;
  EXPECT_EQ(session.run(job).after[1].at(0), 0);
}

TEST_F(SessionTest, repeat_calls_on_the_same_memory) {
  Session session(image(R"(extern "C" void kernel(const float*, float* y, int n) {
                             static int calls = 0; ++calls;
                             for (int i = 0; i < n; ++i) y[i] = calls; })"),
                  {});
  Job job = vector_job(1);
  job.repeat = 3;
  EXPECT_EQ(session.run(job).after[1].at(0), 3);
}

TEST_F(SessionTest, a_crash_is_believed_when_a_fresh_worker_dies_too) {
  Session session(image(R"(extern "C" void kernel(const float* x, float* y, int n) {
                             if (n == 13) *(volatile int*)8 = 1;
                             for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; })"),
                  {});
  std::int64_t n = 10;
  int crashes = 0, fine = 0;
  session.stream(
      [&]() -> std::optional<Job> {
        if (n == 17) return {};
        return vector_job(n++);
      },
      [&](std::size_t number, Outcome outcome) {
        if (number == 3) {
          EXPECT_EQ(outcome.end, Kind::crash);
          EXPECT_TRUE(outcome.worker_lost);
          EXPECT_NE(outcome.text.find("signal 11"), std::string::npos) << outcome.text;
          ++crashes;
        } else {
          EXPECT_TRUE(is_doubled(outcome));
          ++fine;
        }
      });
  EXPECT_EQ(crashes, 1);
  EXPECT_EQ(fine, 6);
}

TEST_F(SessionTest, one_death_alone_is_not_believed) {
  // Dies in its second call only; a fresh worker runs the same case first.
  Session session(image(R"(extern "C" void kernel(const float* x, float* y, int n) {
                             static int calls = 0;
                             if (++calls == 2) __builtin_trap();
                             for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; })"),
                  {});
  EXPECT_TRUE(is_doubled(session.run(vector_job(4))));
  const Outcome repeated = session.run(vector_job(4));
  EXPECT_TRUE(is_doubled(repeated));
  EXPECT_TRUE(repeated.worker_lost);
}

TEST_F(SessionTest, exit_and_exceptions_are_crashes) {
  Session leaving(image("#include <cstdlib>\n"
                        R"(extern "C" void kernel(const float*, float*, int) { exit(0); })"),
                  {});
  const Outcome left = leaving.run(vector_job(1));
  EXPECT_EQ(left.end, Kind::crash);
  EXPECT_NE(left.text.find("exit code 0"), std::string::npos) << left.text;
  Session throwing(image("#include <stdexcept>\n"
                         R"(extern "C" void kernel(const float*, float*, int) {
                              throw std::runtime_error("no luck"); })"),
                   {});
  const Outcome thrown = throwing.run(vector_job(1));
  EXPECT_EQ(thrown.end, Kind::crash);
  EXPECT_NE(thrown.text.find("no luck"), std::string::npos) << thrown.text;
}

TEST_F(SessionTest, an_endless_loop_is_a_timeout_and_the_rest_goes_on) {
  Session session(image(R"(extern "C" void kernel(const float* x, float* y, int n) {
                             volatile bool more = n == 3; while (more) {}
                             for (int i = 0; i < n; ++i) y[i] = 2 * x[i]; })"),
                  quick());
  std::int64_t n = 1;
  std::vector<Kind> ends(6, Kind::not_checked);
  session.stream(
      [&]() -> std::optional<Job> {
        if (n == 7) return {};
        return vector_job(n++);
      },
      [&](std::size_t number, Outcome outcome) { ends.at(number) = outcome.end; });
  const std::vector<Kind> want = {Kind::pass, Kind::pass, Kind::timeout,
                                  Kind::pass, Kind::pass, Kind::pass};
  EXPECT_EQ(ends, want);
}

TEST_F(SessionTest, further_hangs_cost_less_until_the_session_is_restarted) {
  SessionOptions options;
  options.case_timeout_ms = 1500;
  Session session(image(R"(extern "C" void kernel(const float*, float*, int) {
                             volatile bool more = true; while (more) {} })"),
                  options);
  EXPECT_EQ(session.run(vector_job(1)).text, "no result within 1500 ms");
  EXPECT_EQ(session.run(vector_job(1)).text, "no result within 500 ms");
  session.restart();
  EXPECT_EQ(session.run(vector_job(1)).text, "no result within 1500 ms");
}

TEST_F(SessionTest, a_launcher_that_fails_says_so) {
  Session session(image(R"(extern "C" int kernel(const float*, float*, int n) { return n; })"), {});
  const Outcome outcome = session.run(vector_job(9));
  EXPECT_EQ(outcome.end, Kind::launch_failed);
  EXPECT_EQ(outcome.text, "kernel returned 9");
  EXPECT_EQ(session.run(vector_job(0)).end, Kind::pass);
}

TEST_F(SessionTest, loading_that_never_ends_or_crashes_is_the_kernels) {
  Session crashing(image(R"(struct Early { Early() { __builtin_trap(); } } early;
                            extern "C" void kernel(const float*, float*, int) {})"),
                   {});
  const Outcome outcome = crashing.run(vector_job(1));
  EXPECT_EQ(outcome.end, Kind::crash);
  EXPECT_NE(outcome.text.find("while it loaded the image"), std::string::npos) << outcome.text;
}

TEST_F(SessionTest, a_restarted_session_meets_a_fresh_worker) {
  Session session(image(R"(extern "C" void kernel(const float*, float* y, int n) {
                             static int calls = 0; ++calls;
                             for (int i = 0; i < n; ++i) y[i] = calls; })"),
                  {});
  EXPECT_EQ(session.run(vector_job(1)).after[1].at(0), 1);
  EXPECT_EQ(session.run(vector_job(1)).after[1].at(0), 2);
  session.restart();
  EXPECT_EQ(session.run(vector_job(1)).after[1].at(0), 1);
}

TEST_F(SessionTest, journal_holds_the_case_before_it_runs) {
  SessionOptions options;
  options.journal = file("journal");
  Session session(image(R"(extern "C" void kernel(const float*, float*, int) {
                             __builtin_trap(); })"),
                  options);
  Job job = vector_job(1);
  job.journal_line = "case one";
  session.run(job);
  EXPECT_EQ(*read_file(file("journal")), "case one\ncase one\n");
}

}  // namespace
}  // namespace gate
