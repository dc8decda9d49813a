// Every conformance snippet gives on the emulator what a GPU gives, under every kind of schedule.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>

#include "gate/base/text.h"
#include "gate/test/device/conformance.h"
#include "gate/test/device/emulation.h"

namespace gate {

namespace {

ExpectedWord parse_word(const std::string& text) {
  ExpectedWord word;
  word.is_nan = text == "nan";
  if (word.is_nan) return word;
  const std::size_t tilde = text.find('~');
  const std::string value = text.substr(0, tilde);
  if (tilde != std::string::npos) {
    word.ulps = static_cast<std::uint32_t>(std::strtoul(text.c_str() + tilde + 1, nullptr, 10));
  }
  if (value.ends_with('f') && !value.starts_with("0x")) {
    word.bits = std::bit_cast<std::uint32_t>(std::strtof(value.c_str(), nullptr));
  } else {
    word.bits = static_cast<std::uint32_t>(std::strtoll(value.c_str(), nullptr, 0));
  }
  return word;
}

std::vector<std::uint64_t> parse_sizes(const std::string& text) {
  std::vector<std::uint64_t> sizes;
  for (const std::string& part : split(text, ',')) {
    sizes.push_back(std::strtoull(part.c_str(), nullptr, 10));
  }
  return sizes;
}

void parse_launch(const std::string& text, Snippet& snippet) {
  for (const std::string& part : split(text, ' ')) {
    if (part.starts_with("grid=")) snippet.grid = parse_sizes(part.substr(5));
    if (part.starts_with("block=")) snippet.block = parse_sizes(part.substr(6));
    if (part.starts_with("shared=")) snippet.shared = parse_sizes(part.substr(7)).front();
  }
}

}  // namespace

std::vector<Snippet> read_snippets(const std::filesystem::path& file) {
  std::vector<Snippet> snippets;
  const auto text = read_file(file);
  if (!text) return snippets;
  constexpr std::string_view named = "// snippet: ", launched = "// launch: ",
                             expected = "// expect: ";
  for (const std::string& line : split(*text, '\n')) {
    if (line.starts_with(named)) {
      snippets.emplace_back().name = trim(line.substr(named.size()));
    } else if (line.starts_with(launched) && !snippets.empty()) {
      parse_launch(line.substr(launched.size()), snippets.back());
    } else if (line.starts_with(expected) && !snippets.empty()) {
      for (const std::string& word : split(line.substr(expected.size()), ' ')) {
        if (!word.empty()) snippets.back().expected.push_back(parse_word(word));
      }
    }
  }
  return snippets;
}

std::string difference(const Snippet& snippet, const std::uint32_t* words) {
  for (std::size_t i = 0; i < snippet.expected.size(); ++i) {
    const ExpectedWord& expected = snippet.expected[i];
    const auto value = std::bit_cast<float>(words[i]);
    const std::int64_t distance =
        std::int64_t{words[i]} - std::int64_t{expected.bits};
    const bool fine = expected.is_nan ? std::isnan(value)
                                      : std::abs(distance) <= std::int64_t{expected.ulps};
    if (!fine) {
      return "word " + std::to_string(i) + " is " + hex64(words[i]).substr(10) + " (" +
             std::to_string(value) + "), expected " +
             (expected.is_nan ? "nan" : hex64(expected.bits).substr(10)) + " within " +
             std::to_string(expected.ulps) + " ulp";
    }
  }
  return {};
}

namespace {

const std::filesystem::path folder =
    std::filesystem::path(GATE_SOURCE_DIR) / "gate/test/device/conformance";

std::vector<std::filesystem::path> files() { return find_files(folder, ".cu"); }

class EmuConformance : public testing::TestWithParam<std::filesystem::path> {};

void run_snippet(const EmulatedSource& source, const Snippet& snippet, const Schedule& schedule) {
  Buffer out(snippet.expected.size() * 4, 0xAA);
  const DeviceReply reply = run_emulated(source,
                                         {.entry = snippet.name,
                                          .grid = snippet.grid,
                                          .block = snippet.block,
                                          .shared = snippet.shared,
                                          .arguments = {pointer_to(out, DType::i32)}},
                                         schedule);
  EXPECT_EQ(name(reply.error), name(Kind::pass)) << snippet.name << ": " << reply.text;
  EXPECT_TRUE(out.intact()) << snippet.name;
  EXPECT_EQ(difference(snippet, out.as<std::uint32_t>()), "")
      << snippet.name << " under schedule " << static_cast<int>(schedule.order) << " key "
      << schedule.key;
}

TEST_P(EmuConformance, snippets_give_what_a_gpu_gives) {
  const std::vector<Snippet> snippets = read_snippets(GetParam());
  SourceOptions options;
  for (const Snippet& snippet : snippets) {
    ASSERT_FALSE(snippet.expected.empty()) << snippet.name;
    options.entries.push_back(snippet.name);
  }
  const auto source = emulate_file(GetParam(), options);
  ASSERT_EQ(name(source.reply.kind), name(Kind::pass)) << source.reply.text;
  for (const Snippet& snippet : snippets) {
    run_snippet(source, snippet, {Schedule::Order::ascending, 0});
    run_snippet(source, snippet, {Schedule::Order::descending, 0});
    for (std::uint64_t key = 1; key <= 5; ++key) {
      run_snippet(source, snippet, {Schedule::Order::shuffled, key});
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, EmuConformance, testing::ValuesIn(files()),
                         [](const auto& info) { return info.param.stem().string(); });

TEST(EmuConformanceSet, holds_at_least_150_snippets) {
  std::size_t count = 0;
  for (const auto& file : files()) count += read_snippets(file).size();
  EXPECT_GE(count, 150u);
}

}  // namespace
}  // namespace gate
