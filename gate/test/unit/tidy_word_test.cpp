// Words: licence lines, names that say nothing, random sources, postponed work, throws and macros.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cctype>
#include <regex>
#include <set>

#include "gate/base/text.h"
#include "gate/test/unit/tidy.h"

namespace gate::tidy {

namespace {

/// Lines of `text` that match, each with the same rule.
Violations matching(const Source& source, std::string_view text, const std::regex& form,
                    const std::string& rule) {
  Violations violations;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    if (std::regex_search(line, form)) violations.push_back({source.path, number, rule});
  }
  return violations;
}

/// Grab-bag names attract what belongs elsewhere.
bool is_banned(std::string_view word) {
  static const std::set<std::string_view> banned = {"util",   "utils",   "utility", "utilities",
                                                    "helper", "helpers", "common",  "manager"};
  return banned.contains(word);
}

/// Words of snake_case and camelCase, in lower case.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  bool was_lower = false;
  for (const char letter : name) {
    const auto byte = static_cast<unsigned char>(letter);
    const bool ends_word = std::isalpha(byte) == 0 || (std::isupper(byte) != 0 && was_lower);
    if (ends_word && !words.back().empty()) words.emplace_back();
    if (std::isalpha(byte) != 0) words.back() += static_cast<char>(std::tolower(byte));
    was_lower = std::islower(byte) != 0;
  }
  if (words.size() > 1 && words.back().empty()) words.pop_back();
  return words;
}

bool is_ladder_code(const std::string& path) {
  return is_cpp(path) && path.starts_with("gate/") && !path.starts_with("gate/test/") &&
         !is_emulation_header(path);
}

}  // namespace

Violations has_licence_line(const Source& source) {
  constexpr std::size_t lines_max = 20;  // a shebang, then the purpose, perhaps an example
  const std::vector<std::string> lines = lines_of(source.text);
  for (std::size_t number = 0; number < lines.size() && number < lines_max; ++number) {
    if (lines[number].find("SPDX-License-Identifier: Apache-2.0") != std::string::npos) return {};
  }
  return {{source.path, 1, "no SPDX licence line in the first 20 lines"}};
}

Violations names_say_something(const Source& source) {
  Violations violations;
  for (const std::string& word : words_of(source.path)) {
    if (is_banned(word)) violations.push_back({source.path, 1, "path says nothing: " + word});
  }
  if (!is_cpp(source.path) || is_kernel(source.path)) return violations;
  static const std::regex name(R"((std::)?\b[A-Za-z_]\w*)");
  static const std::regex directive(R"(^\s*#\s*include\b)");
  int number = 0;
  for (const std::string& line : lines_of(code_only(source.text))) {
    ++number;
    if (std::regex_search(line, directive)) continue;
    for (std::sregex_iterator at(line.begin(), line.end(), name), end; at != end; ++at) {
      if ((*at)[1].matched) continue;  // the standard library names its own things
      // Only the noun: a common factor says what it is, a factory manager does not.
      if (!is_banned(words_of(at->str()).back())) continue;
      violations.push_back({source.path, number, "name says nothing: " + at->str()});
    }
  }
  return violations;
}

Violations draws_come_from_philox(const Source& source) {
  if (!is_cpp(source.path) || is_kernel(source.path)) return {};
  static const std::regex form(R"(\b(random_device|\w+_distribution|mt19937\w*)"
                               R"(|default_random_engine)\b|(^|[^\w.>:])(std::|::)?s?rand\s*\()");
  return matching(source, code_only(source.text), form,
                  "random numbers come from gate/base/random.h");
}

Violations nothing_is_postponed(const Source& source) {
  static const std::regex form(
      "\\b(TO"
      "DO|FIX"
      "ME)\\b");
  return matching(source, source.text, form, "no postponed work on main: file an issue");
}

Violations nothing_throws_or_hides(const Source& source) {
  if (!is_ladder_code(source.path)) return {};
  const std::string code = code_only(source.text);
  Violations violations =
      matching(source, code, std::regex(R"(\bthrow\b)"), "our code does not throw");
  const Violations macros = matching(source, code, std::regex(R"(^\s*#\s*define\b)"),
                                     "no macros: a constant or a function");
  violations.insert(violations.end(), macros.begin(), macros.end());
  return violations;
}

namespace {

using Rule = Violations (*)(const Source&);

int line_of(Rule rule, const std::string& text, const char* path = "gate/base/a.cpp") {
  const Violations violations = rule({path, text});
  return violations.empty() ? 0 : violations[0].line;
}

TEST(TidyWord, DemandsALicenceLineNearTheTop) {
  const std::string licence = "// SPDX-License-Identifier: Apache-2.0\n";
  EXPECT_EQ(line_of(has_licence_line, "// What.\n" + licence), 0);
  EXPECT_EQ(line_of(has_licence_line, "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n"), 0);
  EXPECT_EQ(line_of(has_licence_line, "// What.\n"), 1);
  EXPECT_EQ(line_of(has_licence_line, std::string(20, '\n') + licence), 1);
  EXPECT_EQ(line_of(has_licence_line, "// SPDX-License-Identifier: MIT\n"), 1);
}

TEST(TidyWord, BansNamesThatSayNothing) {
  for (const char* text : {"int file_utils;", "class PoolManager {", "void helper();",
                           "int sizesCommon;", "namespace common {", "auto utils_ = 1;"}) {
    EXPECT_EQ(line_of(names_say_something, "int a;\n" + std::string(text)), 2) << text;
  }
  for (const char* text :
       {"int uncommon;", "// a helper\n", "\"common\";", "std::common_type_t<int> a;",
        "#include <common.h>", "int common_factor;", "int utilization;"}) {
    EXPECT_EQ(line_of(names_say_something, text), 0) << text;
  }
  EXPECT_EQ(line_of(names_say_something, "", "gate/base/string_utils.h"), 1);
  EXPECT_EQ(line_of(names_say_something, "", "gate/common/text.py"), 1);
  EXPECT_EQ(line_of(names_say_something, "", "gate/base/text.h"), 0);
}

TEST(TidyWord, BansOtherRandomSources) {
  for (const char* text :
       {"std::random_device device;", "std::uniform_int_distribution<int> d(0, 1);", "x = rand();",
        "std::normal_distribution<> d;", "std::mt19937_64 engine;", "srand(1);",
        "y = std::rand ();", "std::default_random_engine e;"}) {
    EXPECT_EQ(line_of(draws_come_from_philox, "\n" + std::string(text)), 2) << text;
  }
  for (const char* text : {"int operand(int a);", "// std::random_device", "stream.rand();",
                           "check(brand(1));", "\"rand()\";"}) {
    EXPECT_EQ(line_of(draws_come_from_philox, text), 0) << text;
  }
}

TEST(TidyWord, BansPostponedWork) {
  EXPECT_EQ(line_of(nothing_is_postponed,
                    "int a;  // TO"
                    "DO: b\n"),
            1);
  EXPECT_EQ(line_of(nothing_is_postponed,
                    "\n# FIX"
                    "ME\n",
                    "a.py"),
            2);
  EXPECT_EQ(line_of(nothing_is_postponed,
                    "// to do something\nint TO"
                    "DOS;"),
            0);
}

TEST(TidyWord, BansThrowsAndMacros) {
  EXPECT_EQ(line_of(nothing_throws_or_hides, "void f() {\n  throw 1;\n}"), 2);
  EXPECT_EQ(line_of(nothing_throws_or_hides, "\n\n#define A 1\n"), 3);
  EXPECT_EQ(line_of(nothing_throws_or_hides, "// throw\nint throws;\n#pragma once\n"), 0);
  EXPECT_EQ(line_of(nothing_throws_or_hides, "#define A 1\n", "gate/device/emu/include/a.h"), 0);
}

}  // namespace
}  // namespace gate::tidy
