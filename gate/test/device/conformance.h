// Reads the conformance snippets: gate/test/device/conformance/*.cu, form as indices.cu says.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace gate {

/// One word a snippet must write.
struct ExpectedWord {
  std::uint32_t bits = 0;
  std::uint32_t ulps = 0;          // floats only
  bool is_nan = false;
};

struct Snippet {
  std::string name;
  std::vector<std::uint64_t> grid = {1}, block = {1};
  std::uint64_t shared = 0;
  std::vector<ExpectedWord> expected;
};

/// Snippets of one file, in order; a malformed one has no expected words.
std::vector<Snippet> read_snippets(const std::filesystem::path& file);
/// What is wrong with the written words; empty if nothing.
std::string difference(const Snippet& snippet, const std::uint32_t* words);

}  // namespace gate
