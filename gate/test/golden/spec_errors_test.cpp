// Malformed files of every type, each with the errors a person reads, in gate/test/golden/spec.
// GATE_UPDATE_GOLDEN=1 rewrites the expected texts; review the difference.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>

#include "gate/base/files.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

const fs::path folder = fs::path(GATE_SOURCE_DIR) / "gate/test/golden/spec";

std::string text_of(const fs::path& file) {
  const auto text = read_file(file);
  EXPECT_TRUE(text) << file;
  return text ? *text : "";
}

template <class T>
std::string errors_of(const Result<T>& result) {
  return result ? "no error\n" : to_text(result.failure()) + "\n";
}

using Read = std::function<std::string(const fs::path& file, const std::string& text)>;

/// Every .toml below spec/<type> against the .expected beside it; malformed unless called valid.
void compare(const std::string& type, const Read& read) {
  constexpr std::size_t files_min = 10;
  const auto files = find_files(folder / type, ".toml");
  EXPECT_GE(files.size(), files_min);
  for (const fs::path& file : files) {
    const std::string errors = read(file, text_of(file));
    EXPECT_EQ(errors == "no error\n", file.stem() == "valid") << file << "\n" << errors;
    const fs::path expected = fs::path(file).replace_extension(".expected");
    if (std::getenv("GATE_UPDATE_GOLDEN")) {
      ASSERT_TRUE(write_file(expected, errors));
    }
    EXPECT_EQ(errors, text_of(expected)) << file;
  }
}

TEST(spec_errors, op) {
  const KnownNames known{{"normal", "uniform01"}, {"rows_independent"}, {}};
  compare("op", [&](const fs::path&, const std::string& text) {
    return errors_of(parse_op(text, "op.toml", known));
  });
}

TEST(spec_errors, kernel) {
  const auto op = parse_op(text_of(folder / "base_op.toml"), "op.toml");
  ASSERT_TRUE(op) << to_text(op.failure());
  compare("kernel", [&](const fs::path& file, const std::string& text) {
    // The source stands beside the file; the message names the file alone.
    const fs::path before = fs::current_path();
    fs::current_path(file.parent_path());
    const std::string errors = errors_of(parse_kernel(text, file.filename(), *op));
    fs::current_path(before);
    return errors;
  });
}

TEST(spec_errors, tolerances) {
  compare("tolerances", [](const fs::path& file, const std::string& text) {
    return errors_of(parse_tolerances(text, file.filename()));
  });
}

TEST(spec_errors, seed) {
  const auto valid = parse_seed(text_of(folder / "valid_seed.toml"), "seed.toml");
  EXPECT_TRUE(valid) << to_text(valid.failure());
  compare("seed", [](const fs::path& file, const std::string& text) {
    return errors_of(parse_seed(text, file.filename()));
  });
}

TEST(spec_errors, config) {
  const KnownNames known{{}, {}, {"exact", "boundary", "values", "mixed"}};
  compare("config", [&](const fs::path&, const std::string& text) {
    return errors_of(parse_config(text, "gate.toml", known));
  });
}

}  // namespace
}  // namespace gate
