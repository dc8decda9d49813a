// Trees of TOML files: order and places as in the file, bounds that keep hostile files harmless.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/toml_document.h"

#include <gtest/gtest.h>

#include "gate/spec/toml_guard.h"

namespace gate {
namespace {

TomlValue parsed(const std::string& text) {
  const auto value = parse_toml(text, "file.toml");
  EXPECT_TRUE(value) << (value ? "" : to_text(value.failure()));
  return value ? *value : TomlValue{};
}

std::string error_of(const std::string& text) {
  const auto value = parse_toml(text, "file.toml");
  return value ? "none" : to_text(value.failure());
}

TEST(toml_document, tables_keep_the_file_order) {
  const TomlValue root = parsed("[z]\n[b]\ny = 1\nc = 2\na = 3\n[a]\n");
  std::vector<std::string> keys;
  for (const TomlEntry& entry : *as_table(root)) keys.push_back(entry.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"z", "b", "a"}));
  keys.clear();
  for (const TomlEntry& entry : *as_table((*as_table(root))[1].value)) keys.push_back(entry.key);
  EXPECT_EQ(keys, (std::vector<std::string>{"y", "c", "a"}));
}

TEST(toml_document, places) {
  const TomlValue root = parsed("# é\nkey = [ \"é\", 'b c' ]\n");
  const TomlEntry& entry = as_table(root)->front();
  EXPECT_EQ(entry.line, 2);
  EXPECT_EQ(entry.column, 1);
  const auto& items = *as_array(entry.value);
  EXPECT_EQ(items[0].column, 9);
  EXPECT_EQ(items[0].text_column, 10);
  EXPECT_EQ(items[1].column, 14);
  EXPECT_EQ(items[1].text_column, 15);
}

TEST(toml_document, escaped_strings_have_no_text_column) {
  const TomlValue root = parsed("a = \"x\\ty\"\nb = \"\"\"\nxy\"\"\"\n");
  EXPECT_EQ((*as_table(root))[0].value.text_column, 0);
  EXPECT_EQ((*as_table(root))[1].value.text_column, 0);
}

TEST(toml_document, types) {
  const TomlValue root = parsed(
      "a = 1\nb = 1.0\nc = true\nd = 's'\ne = []\nf = {}\ng = 2026-01-01\n"
      "h = 10:00:00\n");
  std::vector<std::string> types;
  for (const TomlEntry& entry : *as_table(root)) types.push_back(type_text(entry.value));
  EXPECT_EQ(types, (std::vector<std::string>{"an integer", "a number", "a boolean", "a string",
                                             "an array", "a table", "a date", "a time"}));
}

TEST(toml_document, syntax_errors_have_places) {
  EXPECT_EQ(error_of("a = 1\nb = \n").find("file.toml:2:5: error: "), 0u) << error_of("b = \n");
}

TEST(toml_document, deep_tables_are_refused) {
  std::string key = "a";
  for (int i = 0; i < 5000; ++i) key += ".a";
  EXPECT_NE(error_of(key + " = 1").find("dots outside of strings"), std::string::npos);
  EXPECT_NE(error_of("[" + key + "]").find("dots outside of strings"), std::string::npos);
  EXPECT_EQ(error_of("a = \"" + key + "\" # " + key), "none");
  EXPECT_EQ(error_of("a = '''\n" + key + "'''\nb = \"\"\"" + key + "\"\"\""), "none");
  EXPECT_NE(error_of("a = " + std::string(100'000, '[')), "none");
}

TEST(toml_document, headers_without_a_name_are_refused) {
  for (const char* text : {"[*]", "[[ =]]", "a = 1\n [\n", "\xEF\xBB\xBF[.a]", "[\xc3\xa9]"}) {
    EXPECT_NE(error_of(text).find("a table header needs a name"), std::string::npos) << text;
  }
  EXPECT_EQ(error_of("a = 1\n[[ *").find("file.toml:2:4: error: "), 0u);
  for (const char* text : {"a = [\n[ +1, -1],\n[ [ \"x\" ] ]\n]\n[ b ]\n[[ \"c\" ]]\n['d']",
                           "a = \"\"\"\n[*]\"\"\"", "a = '''\n[*]'''", "# x\n#[*]\n[a]"}) {
    EXPECT_EQ(error_of(text), "none") << text;
  }
}

TEST(toml_document, what_the_library_cannot_bear_has_a_place) {
  EXPECT_EQ(error_of("a = [1,}").find("file.toml:1:8: error: '}' closes '['"), 0u);
  EXPECT_EQ(error_of("a = 1\nb = \xc3\xa9").find("file.toml:2:5: error: only ASCII"), 0u);
  EXPECT_EQ(error_of("a = \"\"\"x\\\n \xc3\xa9\"\"\"").find("file.toml:2:2: error: a continued"),
            0u);
  EXPECT_EQ(error_of("# \xc3\xa9\na = \"\"\"\xc3\xa9\\\n x\"\"\"\nb = '\xc3\xa9'"), "none");
  EXPECT_EQ(error_of("a = 1'\xc3\xa9'").find("file.toml:1:6: error: a quote must not"), 0u);
  EXPECT_EQ(error_of("a = \"\"\"x\"\"\"\"\" \xc3\xa9").find("file.toml:1:15: error: only"), 0u);
  // An assertion of TOML++: the line is found by reading fewer lines.
  EXPECT_EQ(error_of("a = 1\nb = 1979-05-27T07:x\nc = 2\n").find("file.toml:2"), 0u);
}

TEST(toml_document, large_files_are_refused) {
  EXPECT_NE(error_of(std::string(toml_bytes_max + 1, ' ')).find("more than"), std::string::npos);
}

TEST(toml_document, strings_read_back) {
  std::string all;
  for (int c = 0; c < 128; ++c) all += static_cast<char>(c);
  all += "é…";
  const TomlValue root = parsed("a = " + toml_string(all));
  EXPECT_EQ(std::get<std::string>(as_table(root)->front().value.content), all);
}

}  // namespace
}  // namespace gate
