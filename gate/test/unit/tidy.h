// The house rules that a program can hold: each rule looks at one source file and lists what
// breaks it. Defined beside their own tests in tidy_*_test.cpp; tidy_test.cpp runs them on the
// tree. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gate::tidy {

struct Source {
  std::string path;  // from the root of the source tree
  std::string text;
};

struct Violation {
  std::string path;
  int line = 0;
  std::string rule;
};

using Violations = std::vector<Violation>;

/// "path:line: rule" per line.
std::string listed(const Violations& violations);

bool is_cpp(std::string_view path);
/// Our own stand-ins for CUDA's headers: they follow CUDA's names, macros and sizes.
bool is_emulation_header(std::string_view path);
bool is_kernel(std::string_view path);
/// The text with comments and the insides of literals blanked; line breaks and length stay.
std::string code_only(std::string_view text);
std::vector<std::string> lines_of(std::string_view text);

// tidy_size_test.cpp
Violations file_is_short(const Source& source);
Violations lines_are_short(const Source& source);
Violations functions_are_short(const Source& source);

// tidy_include_test.cpp
Violations includes_go_left(const Source& source);
Violations libraries_stay_home(const Source& source);

// tidy_word_test.cpp
Violations has_licence_line(const Source& source);
Violations names_say_something(const Source& source);
Violations draws_come_from_philox(const Source& source);
Violations nothing_is_postponed(const Source& source);
Violations nothing_throws_or_hides(const Source& source);

/// Which of `paths` an op folder lacks: `op` = testcases/<op>.
Violations op_is_complete(const std::string& op, const std::vector<std::string>& paths);

}  // namespace gate::tidy
