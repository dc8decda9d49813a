// The worker protocol: what is written is read back; what does not fit is a failure.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/wire.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

#include "gate/worker/wire_quick.h"

namespace gate {
namespace {

RunRequest full_request() {
  RunRequest run;
  run.job = 0xFFFF'FFFF'FFFF'FFFE;
  run.slot = 3;
  run.tensors = {{"x", Role::input, DType::bf16, View{{2, 3}, {-4, 1}, 7}, 46},
                 {"y\"\n", Role::output, DType::i64, View{{}, {}, 0}, 8}};
  run.axes = {{"rows", 9'007'199'254'740'993}, {"cols", -1}};
  run.attributes = {{"eps", 1e-5},
                    {"minus_zero", -0.0},
                    {"huge", std::numeric_limits<double>::infinity()},
                    {"whole", 3.0},
                    {"count", std::int64_t{-7}}};
  run.schedule = {Schedule::Order::shuffled, 0x8000'0000'0000'0001};
  run.repeat = 2;
  return run;
}

TEST(Wire, run_request_reads_back) {
  const RunRequest run = full_request();
  const auto parsed = parse_to_worker(encode(run));
  ASSERT_TRUE(parsed) << to_text(parsed.failure());
  const auto& back = std::get<RunRequest>(*parsed);
  EXPECT_EQ(back, run);
  EXPECT_TRUE(std::signbit(std::get<double>(back.attributes.at("minus_zero"))));
  EXPECT_TRUE(std::holds_alternative<double>(back.attributes.at("whole")));
}

TEST(Wire, what_is_read_quickly_is_what_the_strict_reader_reads) {
  RunRequest run = full_request();
  run.tensors.back().name = "y";
  const std::string text = encode(run);
  ASSERT_TRUE(quick_run(text));
  EXPECT_EQ(*quick_run(text), std::get<RunRequest>(*parse_to_worker_strictly(text)));
  EXPECT_FALSE(quick_run(encode(full_request())));  // a name with escapes
  const std::string done = encode(Finished{7, Kind::pass, "", 12.5, false});
  ASSERT_TRUE(quick_finished(done));
  EXPECT_EQ(quick_finished(done)->kernel_us, 12.5);
  EXPECT_EQ(quick_finished(done)->job, 7u);
  EXPECT_FALSE(quick_finished(encode(Finished{7, Kind::crash, "why", 0, false})));
  ASSERT_TRUE(quick_begun(encode(Begun{9})));
  EXPECT_EQ(quick_begun(encode(Begun{9}))->job, 9u);
}

TEST(Wire, nothing_is_read_quickly_that_the_strict_reader_refuses) {
  RunRequest run = full_request();
  run.tensors.back().name = "y";
  for (const std::string& text :
       {encode(run), encode(Begun{9}), encode(Finished{7, Kind::pass, "", 12.5, false})}) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char* put : {"", "0", "\"", "}", "-", "X", " ", "\xff", "\n"}) {
        const std::string other = text.substr(0, at) + put + text.substr(at + 1);
        if (const auto quick = quick_run(other)) {
          const auto strict = parse_to_worker_strictly(other);
          ASSERT_TRUE(strict) << other;
          EXPECT_EQ(*quick, std::get<RunRequest>(*strict)) << other;
        }
        if (quick_begun(other) || quick_finished(other)) {
          const auto strict = parse_from_worker_strictly(other);
          ASSERT_TRUE(strict) << other;
          EXPECT_EQ(std::visit([](const auto& value) { return encode(value); }, *strict), other);
        }
      }
    }
  }
}

TEST(Wire, nan_keeps_its_bits) {
  RunRequest run;
  run.attributes["nan"] = std::bit_cast<double>(0x7FF8'0000'0000'1234);
  const auto parsed = parse_to_worker(encode(run));
  ASSERT_TRUE(parsed);
  const double back = std::get<double>(std::get<RunRequest>(*parsed).attributes.at("nan"));
  EXPECT_EQ(std::bit_cast<std::uint64_t>(back), 0x7FF8'0000'0000'1234);
}

TEST(Wire, load_request_reads_back) {
  LoadRequest load;
  load.image = "/cache/a b\\c.image";
  load.column = "f16";
  load.workspaces = {{"partial", *Expression::parse("rows * 8 * 4")}};
  LaunchStep step;
  step.entry["f16"] = "softmax<float, 4>";
  step.arguments = {{LaunchArgument::What::tensor, "x", {}, DType::i32},
                    {LaunchArgument::What::integer, "", *Expression::parse("cols + 1"), DType::i64},
                    {LaunchArgument::What::stream, "", {}, DType::i32}};
  step.grid = {*Expression::parse("rows"), *Expression::parse("2")};
  step.block = {*Expression::parse("256")};
  step.shared = *Expression::parse("cols * 4");
  load.launch = {step};
  load.dtypes = {{"x", DType::f16}, {"y", DType::boolean}};
  const auto parsed = parse_to_worker(encode(load));
  ASSERT_TRUE(parsed) << to_text(parsed.failure());
  EXPECT_EQ(encode(std::get<LoadRequest>(*parsed)), encode(load));
  EXPECT_EQ(std::get<LoadRequest>(*parsed).launch[0].entry.at("f16"), "softmax<float, 4>");
}

TEST(Wire, answers_read_back) {
  const Finished done{7, Kind::launch_failed, "returned 1", 12.5, true};
  const auto parsed = parse_from_worker(encode(done));
  ASSERT_TRUE(parsed);
  const auto& back = std::get<Finished>(*parsed);
  EXPECT_EQ(back.job, 7u);
  EXPECT_EQ(back.error, Kind::launch_failed);
  EXPECT_EQ(back.text, "returned 1");
  EXPECT_EQ(back.kernel_us, 12.5);
  EXPECT_TRUE(back.device_lost);
  EXPECT_TRUE(std::holds_alternative<Loaded>(*parse_from_worker(encode(Loaded{}))));
  EXPECT_EQ(std::get<Begun>(*parse_from_worker(encode(Begun{9}))).job, 9u);
  EXPECT_EQ(std::get<Ready>(*parse_from_worker(encode(Ready{"{\"a\": 1}"}))).facts, "{\"a\": 1}");
  const auto refused = parse_from_worker(encode(Refused{Kind::unsupported, "no"}));
  EXPECT_EQ(std::get<Refused>(*refused).kind, Kind::unsupported);
  EXPECT_TRUE(std::holds_alternative<Bye>(*parse_to_worker(encode(Bye{}))));
}

TEST(Wire, long_texts_are_cut_to_a_message) {
  const std::string quotes(1 << 20, '"');
  EXPECT_LE(encode(Finished{1, Kind::crash, quotes, 0, false}).size(), message_bytes_max);
  EXPECT_LE(encode(Refused{Kind::crash, std::string(1 << 20, '\n')}).size(), message_bytes_max);
  EXPECT_LE(encode(Ready{std::string(1 << 20, '\x01')}).size(), message_bytes_max);
  EXPECT_TRUE(parse_from_worker(encode(Finished{1, Kind::crash, "\xff\xfe", 0, false})));
}

TEST(Wire, what_does_not_fit_is_refused) {
  const char* broken[] = {
      "",
      "{",
      "null",
      "[]",
      "7",
      "{}",
      R"({"type":"dance"})",
      R"({"type":7})",
      R"({"type":"loaded","more":1})",
      R"({"type":"begin"})",
      R"({"type":"begin","job":1})",
      R"({"type":"begin","job":"1"})",
      R"({"type":"begin","job":"0x"})",
      R"({"type":"begin","job":"0x11111111111111111"})",
      R"({"type":"refused","kind":"pass","text":""})",
      R"({"type":"refused","kind":"fine","text":""})",
      R"({"type":"done","job":"0x1","error":"pass","text":"","times":{},"device_lost":false})",
      R"({"type":"done","job":"0x1","error":"pass",)"
      R"("text":"","times":{"kernel_us":"x"},"device_lost":false})",
      R"({"type":"done","job":"0x1","error":"pass",)"
      R"("text":3,"times":{"kernel_us":1},"device_lost":false})",
      R"({"type":"done","job":"0x1","error":"pass",)"
      R"("text":"","times":{"kernel_us":1},"device_lost":0})",
  };
  for (const char* text : broken) EXPECT_FALSE(parse_from_worker(text)) << text;
  EXPECT_FALSE(parse_from_worker(std::string(message_bytes_max + 1, ' ')));
  EXPECT_FALSE(parse_from_worker(std::string(message_bytes_max, '[')));
  EXPECT_FALSE(parse_to_worker(R"({"type":"bye","job":"0x1"})"));
}

TEST(Wire, every_cut_and_every_changed_byte_is_survived) {
  const std::string text = encode(full_request());
  for (std::size_t length = 0; length < text.size(); ++length) {
    EXPECT_FALSE(parse_to_worker(std::string_view(text).substr(0, length)));
  }
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char letter : {'\0', '"', '{', '9', '\xff'}) {
      std::string changed = text;
      changed[at] = letter;
      const auto parsed = parse_to_worker(changed);  // fine or not: it returns
      EXPECT_TRUE(parsed || !parsed.failure().problems.empty());
    }
  }
}

TEST(Wire, build_messages_read_back) {
  BuildRequest request;
  request.source = "/a/b.cpp";
  request.output = "/c/d";
  request.dependencies = "/c/d.d";
  request.defines = {"A", "B=\"x y\""};
  request.entries = {"f<int>", "g"};
  request.fast_math = true;
  const auto back = parse_build_request(encode(request));
  ASSERT_TRUE(back);
  EXPECT_EQ(encode(*back), encode(request));
  const auto reply =
      parse_build_reply(encode(BuildReply{Kind::build_failed, "line\n\"two\"", true}));
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->text, "line\n\"two\"");
  EXPECT_TRUE(reply->uses_shared_or_atomics);
  EXPECT_FALSE(parse_build_reply("{\"kind\":\"pass\"}"));
}

}  // namespace
}  // namespace gate
