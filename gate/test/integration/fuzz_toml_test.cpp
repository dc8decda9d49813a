// Mutates the repository's TOML files and case texts and reads the result: nothing may crash.
// GATE_FUZZ_SECONDS=600 runs longer than the default few thousand mutants; meant for the asan
// preset. GATE_FUZZ_KEY (hex) picks another sequence; a failing mutant is kept in a file.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "gate/base/files.h"
#include "gate/base/random.h"
#include "gate/base/text.h"
#include "gate/spec/read.h"
#include "gate/spec/tiles.h"
#include "gate/spec/toml_document.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t default_mutants = 4000;

std::vector<std::string> corpus() {
  std::vector<std::string> texts;
  for (const char* folder : {"testcases", "tolerances", "seeds", "gate/test/golden/spec"}) {
    for (const fs::path& file : find_files(fs::path(GATE_SOURCE_DIR) / folder, ".toml")) {
      if (auto text = read_file(file)) texts.push_back(*std::move(text));
    }
  }
  if (auto text = read_file(fs::path(GATE_SOURCE_DIR) / "gate.toml")) texts.push_back(*text);
  texts.push_back(
      "softmax/f16 value cols=129 rows=1 causal=1i eps=0x1.4f8b58p-17 "
      "x=row_pitch+3,normal@1[1:0x7fc00000] key=0x00000000000000ff schedule=shuffled:0x7");
  return texts;
}

class Mutator {
 public:
  Mutator(std::uint64_t key, const std::vector<std::string>& texts)
      : random_(key, 0), texts_(texts) {}

  std::string next() {
    constexpr std::uint64_t from_nothing = 8;  // one of so many is made of words alone
    if (random_.below(from_nothing) == 0) return words(1 + random_.below(25));
    std::string text = pick();
    for (std::uint64_t i = random_.below(6); i > 0; --i) mutate(text);
    return text;
  }

 private:
  const std::string& pick() { return texts_[random_.below(texts_.size())]; }

  std::size_t place(const std::string& text) { return random_.below(text.size() + 1); }

  /// A piece of some file, up to a few lines.
  std::string piece() {
    constexpr std::size_t piece_max = 120;
    const std::string& from = pick();
    return from.substr(place(from), random_.below(piece_max));
  }

  const std::string& word() {
    static const std::vector<std::string> all = {"\"",
                                                 "'",
                                                 "\"\"\"",
                                                 "'''",
                                                 "[",
                                                 "]",
                                                 "[[",
                                                 "]]",
                                                 "{",
                                                 "}",
                                                 ".",
                                                 ",",
                                                 "=",
                                                 "a = ",
                                                 "\n",
                                                 "\r\n",
                                                 "#",
                                                 "\\",
                                                 "\\u0000",
                                                 "0",
                                                 "-1",
                                                 "9223372036854775807",
                                                 "-9223372036854775808",
                                                 "1e308",
                                                 "nan",
                                                 "-inf",
                                                 "true",
                                                 "1979-05-27T07:32:00Z",
                                                 "07:32",
                                                 "1979-05",
                                                 "0x7f",
                                                 "\xff",
                                                 "\xc3\xa9",
                                                 "\xe2\x80\xa8",
                                                 std::string(1, '\0'),
                                                 "rows",
                                                 "x",
                                                 "e",
                                                 "_",
                                                 "+",
                                                 ":",
                                                 " "};
    return all[random_.below(all.size())];
  }

  std::string words(std::uint64_t count) {
    std::string text;
    for (; count > 0; --count) text += word();
    return text;
  }

  void mutate(std::string& text) {
    const std::size_t at = place(text);
    switch (random_.below(7)) {
      case 0:
        text.insert(at, word());
        break;
      case 1:
        text.erase(at, random_.below(20));
        break;
      case 2:
        text.insert(at, piece());
        break;
      case 3:
        if (at < text.size()) text[at] = static_cast<char>(random_.next_u32());
        break;
      case 4:
        if (at < text.size()) text[at] ^= static_cast<char>(1u << random_.below(8));
        break;
      case 5:
        text.resize(at);
        break;
      default: {
        const std::string& repeated = word();
        for (std::uint64_t i = random_.below(300); i > 0; --i) text.insert(at, repeated);
      }
    }
  }

  RandomStream random_;
  const std::vector<std::string>& texts_;
};

const OpSchema& any_op() {
  static const OpSchema op = *parse_op(
      *read_file(fs::path(GATE_SOURCE_DIR) / "gate/test/golden/spec/base_op.toml"), "op.toml");
  return op;
}

/// Reads the mutant as everything; what still reads must also be written and read again.
void read_all(const std::string& text) {
  (void)mine_tiles(text);
  if (const auto value = parse_case(text)) {
    EXPECT_EQ(to_text(*parse_case(to_text(*value))), to_text(*value)) << text;
  }
  if (!parse_toml(text, "mutant.toml")) return;  // the readers below would stop there too
  (void)parse_op(text, "op.toml");
  (void)parse_kernel(text, fs::path(GATE_SOURCE_DIR) / "gate/test/golden/spec/kernel/k.toml",
                     any_op());
  (void)parse_config(text, "gate.toml");
  if (const auto table = parse_tolerances(text, "rowsum.toml")) {
    EXPECT_TRUE(parse_tolerances(to_toml(*table), "rowsum.toml")) << text;
  }
  if (const auto seed = parse_seed(text, "seed.toml")) {
    EXPECT_TRUE(parse_seed(to_toml(*seed), "seed.toml")) << text;
  }
}

TEST(fuzz_toml, mutants_never_crash_a_reader) {
  const std::vector<std::string> texts = corpus();
  ASSERT_GT(texts.size(), 20u);
  const char* seconds_text = std::getenv("GATE_FUZZ_SECONDS");
  const char* key_text = std::getenv("GATE_FUZZ_KEY");
  const auto seconds = seconds_text ? parse_integer(seconds_text).value_or(0) : 0;
  const std::uint64_t key = key_text ? parse_hex64(key_text).value_or(1) : 1;
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
  Mutator mutator(key, texts);
  const fs::path kept = fs::path(GATE_BINARY_DIR) / "fuzz_toml_mutant.txt";
  std::uint64_t mutants = 0;
  while (mutants < default_mutants || std::chrono::steady_clock::now() < end) {
    const std::string text = mutator.next();
    if (seconds > 0) {  // a crash leaves its text behind; too slow for every test run
      std::FILE* file = std::fopen(kept.c_str(), "wb");
      ASSERT_TRUE(file);
      std::fwrite(text.data(), 1, text.size(), file);
      std::fclose(file);
    }
    read_all(text);
    ++mutants;
    if (HasFailure()) break;
  }
  RecordProperty("mutants", std::to_string(mutants));
  if (seconds > 0) std::printf("%llu mutants\n", static_cast<unsigned long long>(mutants));
}

}  // namespace
}  // namespace gate
