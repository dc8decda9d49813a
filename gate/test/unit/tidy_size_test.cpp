// Sizes: files, lines, functions. Functions are found by counting braces in blanked code.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cctype>
#include <regex>

#include "gate/base/text.h"
#include "gate/test/unit/tidy.h"

namespace gate::tidy {

namespace {

constexpr std::size_t file_lines_max = 300;
constexpr std::size_t line_columns_max = 100;
constexpr int function_lines_max = 60;

/// Tables written by a program say so at their top.
bool is_generated(std::string_view text) {
  return text.substr(0, 300).find("// Generated:") != std::string_view::npos;
}

std::size_t columns(std::string_view line) {
  std::size_t count = 0;
  for (const char letter : line) count += (static_cast<unsigned char>(letter) & 0xC0) != 0x80;
  return count;
}

/// What stands between the last ; { or } and an opening brace tells what the brace opens.
bool opens_function(const std::string& head) {
  static const std::regex type(R"(^(template\s*<.*>\s*)?(\[\[.*\]\]\s*)?)"
                               R"((export\s+)?(typedef\s+)?(namespace|class|struct|union|enum)\b)");
  if (head.find(')') == std::string::npos) return false;
  // struct stat f() is a function, struct alignas(16) A is not.
  return !std::regex_search(head, type) || head.ends_with(')');
}

/// X() : member_{1} … : the brace belongs to a member, the body is still to come.
bool opens_member(const std::string& head) {
  static const std::regex list(R"(\)[^()]*[^:]:[^:].*[\w>]$)");
  return std::regex_search(head, list);
}

std::size_t closing_brace(const std::string& code, std::size_t open) {
  int depth = 0;
  for (std::size_t at = open; at < code.size(); ++at) {
    if (code[at] == '{') ++depth;
    if (code[at] == '}' && --depth == 0) return at;
  }
  return code.size();
}

struct Extent {
  std::size_t first, last;  // positions in the code
};

std::vector<Extent> functions_in(const std::string& code) {
  std::vector<Extent> found;
  std::string head;
  std::size_t start = 0;
  bool at_line_start = true, in_directive = false;
  for (std::size_t at = 0; at < code.size(); ++at) {
    const char letter = code[at];
    if (at_line_start && letter == '#') in_directive = true;
    if (letter == '\n') {
      in_directive = in_directive && at > 0 && code[at - 1] == '\\';
      at_line_start = true;
    } else if (!std::isspace(static_cast<unsigned char>(letter))) {
      at_line_start = false;
    }
    if (in_directive) continue;
    if (letter == '{') {
      const std::string trimmed(trim(head));
      if (opens_member(trimmed)) {
        at = closing_brace(code, at);
        head += "{}";
        continue;
      }
      if (opens_function(trimmed)) {
        at = closing_brace(code, at);
        found.push_back({start, at});
      }
      head.clear();
    } else if (letter == ';' || letter == '}') {
      head.clear();
    } else {
      if (trim(head).empty() && letter == ',') continue;  // between the rows of a table
      if (trim(head).empty()) start = at;
      head += letter == '\n' ? ' ' : letter;
    }
  }
  return found;
}

int line_at(std::string_view text, std::size_t at) {
  int line = 1;
  for (const char letter : text.substr(0, at)) line += letter == '\n' ? 1 : 0;
  return line;
}

/// Lines between the braces of `= { … }` without a statement: rows of a table are data, one reads
/// them as one reads a file of rows, and a function-local table has no order of initialisation.
int table_lines(const std::string& code, Extent extent) {
  int lines = 0;
  for (std::size_t at = extent.first; at < extent.last; ++at) {
    if (code[at] != '{' || !trim(std::string_view(code).substr(0, at)).ends_with('=')) continue;
    const std::size_t close = closing_brace(code, at);
    const std::string_view inside = std::string_view(code).substr(at, close - at);
    if (inside.find(';') != std::string_view::npos) continue;
    lines += std::max(0, line_at(inside, inside.size()) - 2);
    at = close;
  }
  return lines;
}

/// Python: from `def` to the last line that is indented deeper.
Violations python_functions(const Source& source) {
  Violations violations;
  const std::vector<std::string> lines = lines_of(source.text);
  for (std::size_t first = 0; first < lines.size(); ++first) {
    const std::size_t indent = lines[first].find_first_not_of(' ');
    if (indent == std::string::npos ||
        !std::string_view(lines[first]).substr(indent).starts_with("def "))
      continue;
    std::size_t last = first;
    for (std::size_t at = first + 1; at < lines.size(); ++at) {
      const std::size_t here = lines[at].find_first_not_of(' ');
      if (here == std::string::npos) continue;
      if (here <= indent && lines[at][here] != ')') break;
      last = at;
    }
    const int length = static_cast<int>(last - first) + 1;
    if (length <= function_lines_max) continue;
    violations.push_back({source.path, static_cast<int>(first) + 1,
                          "function of " + std::to_string(length) + " lines, 60 at most"});
  }
  return violations;
}

}  // namespace

Violations file_is_short(const Source& source) {
  if (is_emulation_header(source.path) || is_generated(source.text)) return {};
  const std::size_t count = lines_of(source.text).size();
  if (count <= file_lines_max) return {};
  return {{source.path, 1, "file of " + std::to_string(count) + " lines, 300 at most"}};
}

Violations lines_are_short(const Source& source) {
  if (is_emulation_header(source.path) || is_generated(source.text)) return {};
  Violations violations;
  int number = 0;
  for (const std::string& line : lines_of(source.text)) {
    ++number;
    if (columns(line) <= line_columns_max) continue;
    violations.push_back({source.path, number,
                          "line of " + std::to_string(columns(line)) + " columns, 100 at most"});
  }
  return violations;
}

Violations functions_are_short(const Source& source) {
  if (source.path.ends_with(".py")) return python_functions(source);
  if (!is_cpp(source.path) || is_emulation_header(source.path)) return {};
  Violations violations;
  const std::string code = code_only(source.text);
  for (const Extent& extent : functions_in(code)) {
    const int line = line_at(code, extent.first);
    const int length = line_at(code, extent.last) - line + 1 - table_lines(code, extent);
    if (length <= function_lines_max) continue;
    violations.push_back(
        {source.path, line, "function of " + std::to_string(length) + " lines, 60 at most"});
  }
  return violations;
}

namespace {

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int number = 0; number < count; ++number) all += text;
  return all;
}

/// A function of `lines` lines around `head`, both braces included.
std::string function(const std::string& head, int lines) {
  return head + " {\n" + repeated("  call();\n", lines - 2) + "}\n";
}

int first_line(const Violations& violations) { return violations.empty() ? 0 : violations[0].line; }

int function_line(const std::string& text, const char* path = "a.cpp") {
  return first_line(functions_are_short({path, text}));
}

TEST(TidySize, BoundsFiles) {
  EXPECT_TRUE(file_is_short({"a.cpp", repeated("x\n", 300)}).empty());
  EXPECT_EQ(first_line(file_is_short({"a.cpp", repeated("x\n", 301)})), 1);
  EXPECT_FALSE(file_is_short({"a.py", repeated("x\n", 301)}).empty());
  EXPECT_TRUE(file_is_short({"gate/device/emu/include/a.h", repeated("x\n", 301)}).empty());
  EXPECT_TRUE(file_is_short({"a.h", "// Generated: by b\n" + repeated("x\n", 301)}).empty());
}

TEST(TidySize, BoundsLines) {
  const std::string hundred(100, 'x');
  EXPECT_TRUE(lines_are_short({"a.cpp", "a\n" + hundred + "\n"}).empty());
  EXPECT_EQ(first_line(lines_are_short({"a.cpp", "a\n" + hundred + "x"})), 2);
  EXPECT_TRUE(lines_are_short({"a.cpp", repeated("ä", 100)}).empty()) << "characters, not bytes";
}

TEST(TidySize, BoundsFunctionsOfEveryForm) {
  for (const char* head :
       {"void f()", "std::vector<int> A::f(int a, int b) const noexcept", "auto f() -> int",
        "template <class T>\nvoid f(T t)", "A::A() : a_(1), b_(2)", "A::A()\n    : a_{1}, b_{2}",
        "TEST(Suite, Name)", "__global__ void f(float* x)", "struct stat f()",
        "const auto f = [](int a)", "bool operator()(int a) const", "static int f(struct A* a)"}) {
    const int lines = 1 + static_cast<int>(std::count(head, head + strlen(head), '\n'));
    EXPECT_EQ(function_line(function(head, 61 - lines)), 0) << head;
    EXPECT_EQ(function_line("int x;\n" + function(head, 62 - lines)), 2) << head;
  }
}

TEST(TidySize, LooksIntoTypesNamespacesAndTables) {
  const std::string large = function("void f()", 61);
  EXPECT_EQ(function_line("namespace a {\nnamespace {\n" + large + "}\n}"), 3);
  EXPECT_EQ(function_line("struct A final : B<int> {\n" + large + "};"), 2);
  EXPECT_EQ(function_line("extern \"C\" {\n" + large + "}"), 2);
  EXPECT_EQ(function_line("const Row rows[] = {{1, 2},\n" + function("[](int a)", 61) + "};"), 2);
  EXPECT_EQ(function_line("class A {\n" + repeated("  int a;\n", 100) + "};"), 0);
  EXPECT_EQ(function_line("enum class A : int {\n" + repeated("a,\n", 100) + "};"), 0);
  EXPECT_EQ(function_line("int t[] = {\n" + repeated("1,\n", 100) + "};"), 0);
  EXPECT_EQ(function_line(repeated(function("void f()", 40), 3)), 0);
}

TEST(TidySize, CountsNoRowsOfATable) {
  const std::string row = "    {1, f(2)},\n";
  EXPECT_EQ(function_line("void f() {\n  const T t = {\n" + repeated(row, 100) + "  };\n}"), 0);
  EXPECT_EQ(function_line("void f() {\n  const T t = {\n" + repeated(row, 100) + "  };\n" +
                          repeated("  a();\n", 57) + "}"),
            1);
  EXPECT_EQ(
      function_line("void f() {\n  const T t = {\n" + repeated("[] { a(); },\n", 60) + "};\n}"), 1);
}

TEST(TidySize, IsNotMisledByBracesInTextAndDirectives) {
  for (const char* decoy : {"// }\n", "/* } */\n", "\"}\";\n", "'}';\n", "R\"(})\";\n",
                            "R\"x(})\"})x\";\n", "\"\\\"}\";\n", "a = 1'000;\n"}) {
    EXPECT_EQ(function_line("void f() {\n" + std::string(decoy) + repeated("a();\n", 60) + "}"), 1)
        << decoy;
  }
  EXPECT_EQ(function_line("#define X(a) { \\\n (a)\nstruct A {\n" + function("void f()", 61)), 4);
}

TEST(TidySize, BoundsPythonFunctions) {
  const std::string body = repeated("    call()\n\n", 30);
  EXPECT_EQ(function_line("def f(a):\n" + body + "x = 1\n", "a.py"), 0);
  EXPECT_EQ(function_line("x = 1\n\ndef f(a):\n" + body + "    call()\n", "a.py"), 3);
  EXPECT_EQ(function_line("class A:\n  def f(\n      a\n  ):\n" + body, "a.py"), 2);
}

}  // namespace
}  // namespace gate::tidy
