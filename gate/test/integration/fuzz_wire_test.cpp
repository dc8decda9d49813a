// Fuzzing the worker protocol: mutations of real messages into both parsers. Short by default;
// GATE_FUZZ_SECONDS makes it long (under the asan preset: what "nothing happens" means).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "gate/base/random.h"
#include "gate/base/text.h"
#include "gate/worker/slot.h"
#include "gate/worker/wire.h"

namespace gate {
namespace {

LoadRequest sample_load() {
  LoadRequest load;
  load.image = "/cache/0123.image";
  load.column = "f16";
  load.workspaces = {{"partial", *Expression::parse("rows * 8 * 4")}};
  LaunchStep step;
  step.entry["f16"] = "softmax<float>";
  step.arguments = {{LaunchArgument::What::tensor, "x", {}, DType::i32},
                    {LaunchArgument::What::integer, "", *Expression::parse("cols"), DType::i64}};
  step.grid = {*Expression::parse("ceil_div(rows, 4)")};
  step.block = {*Expression::parse("min(256, next_pow2(cols))")};
  load.launch = {step, step};
  load.dtypes = {{"x", DType::f16}, {"y", DType::f16}};
  return load;
}

RunRequest sample_run() {
  RunRequest run;
  run.job = 0x1234;
  run.slot = 1;
  run.tensors = {{"x", Role::input, DType::f16, View{{8, 127}, {130, 1}, 3}, 2080},
                 {"y", Role::output, DType::f16, View{{8, 127}, {127, 1}, 0}, 2032}};
  run.axes = {{"rows", 8}, {"cols", 127}};
  run.attributes = {{"eps", 1e-5}, {"causal", std::int64_t{1}}};
  run.schedule = {Schedule::Order::shuffled, 77};
  return run;
}

std::vector<std::string> samples() {
  return {encode(sample_load()),
          encode(sample_run()),
          encode(Bye{}),
          encode(Ready{R"({"device": "host", "sandbox": {"landlock": 7}})"}),
          encode(Loaded{}),
          encode(Refused{Kind::unsupported, "asm at a.cu:3"}),
          encode(Begun{5}),
          encode(Finished{5, Kind::crash, "line\nbreak", 3.25, true}),
          encode(BuildRequest{"/a.cpp", "/o", "/o.d", {"A=1"}, {"f<int>"}, true, false}),
          encode(BuildReply{Kind::build_failed, "a.cpp:1: error", true})};
}

/// What readers of JSON and of numbers trip over.
constexpr std::string_view splinters[] = {"\"",
                                          "\\",
                                          "\\u",
                                          "\\ud800",
                                          "{",
                                          "}",
                                          "[",
                                          "]",
                                          ",",
                                          ":",
                                          "null",
                                          "true",
                                          "-",
                                          "-0",
                                          "1e999",
                                          "0x",
                                          "NaN",
                                          "1.5",
                                          "0xffffffffffffffff",
                                          "18446744073709551616",
                                          "\"type\"",
                                          "\"job\":\"0x1\"",
                                          "\xff",
                                          "\xc3",
                                          "\xe2\x80\xae",
                                          "((((((((",
                                          "/0",
                                          "rows*rows*rows",
                                          "9223372036854775807"};

std::string mutated(std::string text, const std::vector<std::string>& others,
                    RandomStream& random) {
  for (auto edits = random.below(6) + 1; edits > 0; --edits) {
    const std::size_t at = random.below(text.size() + 1);
    const std::size_t length = std::min<std::size_t>(random.below(20), text.size() - at);
    switch (random.below(7)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, text.substr(at, length));
        break;
      case 2:
        text.insert(at, splinters[random.below(std::size(splinters))]);
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random.below(256));
        break;
      case 4: {
        const std::string& other = others[random.below(others.size())];
        const std::size_t from = random.below(other.size());
        text.replace(at, length, other.substr(from, random.below(40)));
        break;
      }
      case 5:
        text.insert(at, std::string(random.below(2000), "[{\" "[random.below(4)]));
        break;
      default:
        text.resize(at);
    }
  }
  return text;
}

/// Reading what was accepted must not depend on how it was written.
void feed(const std::string& text, int& accepted) {
  if (const auto message = parse_to_worker(text)) {
    ++accepted;
    const std::string again = std::visit([](const auto& value) { return encode(value); }, *message);
    const auto back = parse_to_worker(again);
    // Escapes may make it longer than a message may be.
    ASSERT_TRUE(back || again.size() > message_bytes_max) << text;
    if (const auto* run = std::get_if<RunRequest>(&*message)) {
      std::vector<std::size_t> sizes;
      for (const TensorHeader& tensor : run->tensors) sizes.push_back(tensor.bytes);
      slot_layout(sizes, 1u << 20);
    }
  }
  if (const auto message = parse_from_worker(text)) {
    ++accepted;
    const std::string again = std::visit([](const auto& value) { return encode(value); }, *message);
    ASSERT_TRUE(parse_from_worker(again)) << text;
    ASSERT_LE(again.size(), message_bytes_max);
  }
  if (const auto request = parse_build_request(text)) {
    ASSERT_TRUE(parse_build_request(encode(*request))) << text;
  }
  if (const auto reply = parse_build_reply(text)) {
    ASSERT_TRUE(parse_build_reply(encode(*reply))) << text;
  }
}

TEST(FuzzWire, nothing_happens) {
  constexpr int rounds_min = 20'000;
  const char* seconds = std::getenv("GATE_FUZZ_SECONDS");
  const auto end =
      std::chrono::steady_clock::now() + std::chrono::seconds(seconds ? std::atoi(seconds) : 0);
  const std::vector<std::string> originals = samples();
  RandomStream random(0x77697265, seconds ? 1 : 0);
  int accepted = 0, rounds = 0;
  for (; rounds < rounds_min || std::chrono::steady_clock::now() < end; ++rounds) {
    feed(mutated(originals[random.below(originals.size())], originals, random), accepted);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(accepted, rounds / 1000) << "mutations too coarse to reach past the JSON reader";
  RecordProperty("rounds", rounds);
  RecordProperty("accepted", accepted);
}

}  // namespace
}  // namespace gate
