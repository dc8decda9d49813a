// Holds every source file of the tree to the house rules of .github/CONTRIBUTING.md.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/unit/tidy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

#include "gate/base/files.h"
#include "gate/base/text.h"

namespace gate::tidy {

std::string listed(const Violations& violations) {
  std::string text;
  for (const Violation& violation : violations) {
    text += violation.path + ":" + std::to_string(violation.line) + ": " + violation.rule + "\n";
  }
  return text;
}

bool is_cpp(std::string_view path) {
  return path.ends_with(".cpp") || path.ends_with(".h") || path.ends_with(".cu");
}

bool is_emulation_header(std::string_view path) {
  return path.starts_with("gate/device/emu/include/");
}

bool is_kernel(std::string_view path) {
  return path.starts_with("testcases/") && path.find("/kernels/") != std::string_view::npos;
}

std::vector<std::string> lines_of(std::string_view text) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  return split(text, '\n');
}

namespace {

/// End of the literal or comment that starts at `at`; `at` itself if none does.
std::size_t end_of_literal(std::string_view text, std::size_t at) {
  const std::string_view rest = text.substr(at);
  const auto after = [&](std::string_view mark, std::size_t from) {
    const std::size_t found = rest.find(mark, from);
    return found == std::string_view::npos ? text.size() : at + found + mark.size();
  };
  if (rest.starts_with("//")) return std::min(text.size(), text.find('\n', at));
  if (rest.starts_with("/*")) return after("*/", 2);
  const char before = at > 0 ? text[at - 1] : ' ';
  const bool in_word = std::isalnum(static_cast<unsigned char>(before)) != 0;
  if (rest.starts_with("\"") && before == 'R') {
    const std::size_t open = rest.find('(');
    if (open == std::string_view::npos) return text.size();
    return after(")" + std::string(rest.substr(1, open - 1)) + "\"", open);
  }
  const bool quoted = rest.starts_with("\"") || (rest.starts_with("'") && !in_word);
  if (!quoted) return at;
  std::size_t end = 1;
  while (end < rest.size() && rest[end] != rest[0] && rest[end] != '\n') {
    end += rest[end] == '\\' ? 2 : 1;
  }
  return std::min(text.size(), at + end + 1);
}

}  // namespace

std::string code_only(std::string_view text) {
  std::string code(text);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t end = end_of_literal(text, at);
    if (end <= at) continue;
    const bool is_comment = text[at] == '/';
    for (std::size_t inside = at; inside < end; ++inside) {
      const bool is_quote = !is_comment && (inside == at || inside + 1 == end);
      if (text[inside] != '\n' && !is_quote) code[inside] = ' ';
    }
    at = end - 1;
  }
  return code;
}

Violations op_is_complete(const std::string& op, const std::vector<std::string>& paths) {
  const std::string folder = "testcases/" + op + "/";
  const auto exists = [&](const std::string& path) { return std::ranges::count(paths, path) > 0; };
  Violations violations;
  for (const std::string& path :
       {folder + "op.toml", folder + "reference.cpp", "tolerances/" + op + ".toml"}) {
    if (!exists(path)) violations.push_back({path, 1, "missing: every op has one"});
  }
  const bool has_kernel = std::ranges::any_of(paths, [&](const std::string& path) {
    return path.starts_with(folder + "kernels/") && path.ends_with(".toml");
  });
  if (!has_kernel) violations.push_back({folder + "kernels", 1, "missing: every op has a kernel"});
  return violations;
}

namespace {

namespace fs = std::filesystem;

/// Paths from the root of all files but hidden, built and fetched ones.
std::vector<std::string> paths_of_tree() {
  std::vector<std::string> paths;
  const fs::path root = GATE_SOURCE_DIR;
  for (const char* part :
       {"CMakeLists.txt", "cmake", "docker", "gate", "testcases", "tolerances", ".ci"}) {
    if (fs::is_regular_file(root / part)) paths.emplace_back(part);
    for (const fs::path& path : find_files(root / part, "")) {
      const std::string relative = path.lexically_relative(root).string();
      const bool foreign = relative.find("node_modules/") != std::string::npos ||
                           relative.find("__pycache__/") != std::string::npos;
      if (!foreign) paths.push_back(relative);
    }
  }
  return paths;
}

bool is_source(const std::string& path) {
  const fs::path name = fs::path(path).filename();
  static const std::set<std::string> endings = {".cpp", ".h",  ".cu",  ".py",
                                                ".sh",  ".js", ".mjs", ".cmake"};
  static const std::set<std::string> names = {"CMakeLists.txt", "quickstart", "run", "Dockerfile"};
  return endings.contains(name.extension().string()) || names.contains(name.string());
}

constexpr std::array rules = {file_is_short,          lines_are_short,        functions_are_short,
                              includes_go_left,       libraries_stay_home,    has_licence_line,
                              names_say_something,    draws_come_from_philox, nothing_is_postponed,
                              nothing_throws_or_hides};

TEST(Tidy, TheTreeKeepsTheHouseRules) {
  Violations violations;
  std::size_t count = 0;
  for (const std::string& path : paths_of_tree()) {
    if (!is_source(path)) continue;
    const auto text = read_file(fs::path(GATE_SOURCE_DIR) / path);
    ASSERT_TRUE(text) << to_text(text.failure());
    ++count;
    for (const auto& rule : rules) {
      const Violations found = rule({path, *text});
      violations.insert(violations.end(), found.begin(), found.end());
    }
  }
  EXPECT_GT(count, 50u) << "the tree was not found";
  EXPECT_TRUE(violations.empty()) << listed(violations);
}

TEST(Tidy, EveryOpIsComplete) {
  const std::vector<std::string> paths = paths_of_tree();
  std::set<std::string> ops;
  for (const std::string& path : paths) {
    const std::vector<std::string> parts = split(path, '/');
    if (parts[0] == "testcases" && parts.size() > 2) ops.insert(parts[1]);
  }
  Violations violations;
  for (const std::string& op : ops) {
    const Violations found = op_is_complete(op, paths);
    violations.insert(violations.end(), found.begin(), found.end());
  }
  EXPECT_TRUE(violations.empty()) << listed(violations);
}

TEST(TidyRules, SeeWhatAnOpLacks) {
  const std::vector<std::string> whole = {"testcases/a/op.toml", "testcases/a/reference.cpp",
                                          "tolerances/a.toml", "testcases/a/kernels/k.toml"};
  EXPECT_TRUE(op_is_complete("a", whole).empty());
  for (std::size_t lost = 0; lost < whole.size(); ++lost) {
    std::vector<std::string> paths = whole;
    paths.erase(paths.begin() + static_cast<std::ptrdiff_t>(lost));
    EXPECT_EQ(op_is_complete("a", paths).size(), 1u) << whole[lost];
  }
}

TEST(TidyRules, ListViolationsByPlace) {
  EXPECT_EQ(listed({{"a.h", 3, "too long"}, {"b.h", 1, "lost"}}), "a.h:3: too long\nb.h:1: lost\n");
}

TEST(TidyRules, BlankCommentsAndLiterals) {
  EXPECT_EQ(code_only("a // b\nc"), "a     \nc");
  EXPECT_EQ(code_only("a /* b\nc */ d"), "a     \n     d");
  EXPECT_EQ(code_only("f(\"a//b\", 'c')"), "f(\"    \", ' ')");
  EXPECT_EQ(code_only("R\"x(a)\" // b)x\" c"), "R\"            \" c");
  EXPECT_EQ(code_only("1'000 + 'a' // x"), "1'000 + ' '     ");
  EXPECT_EQ(code_only("\"a\\\"b\" c"), "\"    \" c");
  EXPECT_EQ(code_only("a // b"), "a     ");
}

}  // namespace
}  // namespace gate::tidy
