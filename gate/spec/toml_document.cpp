// TOML++ without exceptions, converted into our own tree. Some malformed texts trip its assertions
// instead of its error handling: the build defines TOML_ASSERT as leave_toml, and the exception in
// there comes no further than try_toml.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/toml_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string_view>

#include "gate/spec/toml_guard.h"

#ifndef TOML_ASSERT
#error "the build defines TOML_ASSERT for this file"
#endif

namespace gate {
[[noreturn]] void leave_toml();
}  // namespace gate

#include <toml++/toml.h>

namespace gate {
namespace {

struct TomlAssertion {};

/// Nothing where TOML++ gave up by an assertion instead of an error.
std::optional<toml::parse_result> try_toml(std::string_view text) {
  try {
    return toml::parse(text);
  } catch (const TomlAssertion&) {
    return std::nullopt;
  }
}

/// The line it gave up in: the fewest first lines that make it do so.
int assertion_line(std::string_view text) {
  std::vector<std::size_t> ends;  // after each line
  for (std::size_t at = 0; at < text.size();) {
    at = std::min(text.find('\n', at), text.size() - 1) + 1;
    ends.push_back(at);
  }
  const auto line = std::partition_point(ends.begin(), ends.end(), [&](std::size_t end) {
    return try_toml(text.substr(0, end)).has_value();
  });
  return static_cast<int>(line - ends.begin()) + 1;
}

/// The file's text by lines, to find out whether a string stands in it letter by letter.
class Lines {
 public:
  explicit Lines(std::string_view text) {
    while (true) {
      const std::size_t end = text.find('\n');
      lines_.push_back(text.substr(0, end));
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
    }
  }

  /// Column after the opening quote if `value` follows it unescaped; TOML++ columns count
  /// characters, not bytes.
  int text_column(int line, int column, std::string_view value) const {
    if (line < 1 || static_cast<std::size_t>(line) > lines_.size()) return 0;
    std::string_view rest = lines_[static_cast<std::size_t>(line) - 1];
    for (int i = 1; i < column && !rest.empty(); ++i) {
      rest.remove_prefix(1);
      while (!rest.empty() && (static_cast<unsigned char>(rest[0]) & 0xC0) == 0x80) {
        rest.remove_prefix(1);
      }
    }
    if (rest.empty() || (rest[0] != '"' && rest[0] != '\'')) return 0;
    return rest.substr(1, value.size()) == value ? column + 1 : 0;
  }

 private:
  std::vector<std::string_view> lines_;
};

int number(toml::source_index index) { return static_cast<int>(index); }

TomlValue convert(const toml::node& node, const Lines& lines);

TomlTable convert_table(const toml::table& table, const Lines& lines) {
  TomlTable entries;
  for (auto&& [key, child] : table) {
    TomlEntry entry;
    entry.key = std::string(key.str());
    entry.line = number(key.source().begin.line);
    entry.column = number(key.source().begin.column);
    entry.value = convert(child, lines);
    if (entry.value.line == 0) {
      entry.value.line = entry.line;
      entry.value.column = entry.column;
    }
    entries.push_back(std::move(entry));
  }
  std::stable_sort(entries.begin(), entries.end(), [](const TomlEntry& a, const TomlEntry& b) {
    return a.line != b.line ? a.line < b.line : a.column < b.column;
  });
  return entries;
}

TomlValue convert(const toml::node& node, const Lines& lines) {
  TomlValue value;
  value.line = number(node.source().begin.line);
  value.column = number(node.source().begin.column);
  if (const toml::table* table = node.as_table()) {
    value.content = convert_table(*table, lines);
  } else if (const toml::array* array = node.as_array()) {
    std::vector<TomlValue> items;
    for (const toml::node& item : *array) items.push_back(convert(item, lines));
    value.content = std::move(items);
  } else if (const auto* text = node.as_string()) {
    value.content = text->get();
    value.text_column = lines.text_column(value.line, value.column, text->get());
  } else if (const auto* integer = node.as_integer()) {
    value.content = integer->get();
  } else if (const auto* real = node.as_floating_point()) {
    value.content = real->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.content = boolean->get();
  } else {
    value.content = TomlOther{node.is_date() ? "a date" : "a time"};
  }
  return value;
}

}  // namespace

// Rethrowing ends TOML++ at the assertion; its containers clean up behind it.
void leave_toml() { std::rethrow_exception(std::make_exception_ptr(TomlAssertion())); }

Result<TomlValue> parse_toml(const std::string& text, const std::filesystem::path& file) {
  const std::string name = file.string();
  const auto harmless = check_toml(text, file);
  if (!harmless) return harmless.failure();
  const std::optional<toml::parse_result> parsed = try_toml(text);
  if (!parsed) {
    return user_failure("the line cannot be read", "the file is not valid TOML",
                        Place{name, assertion_line(text), 0});
  }
  if (!*parsed) {
    const toml::parse_error& error = parsed->error();
    return user_failure(
        std::string(error.description()), "the file is not valid TOML",
        Place{name, number(error.source().begin.line), number(error.source().begin.column)});
  }
  TomlValue root;
  root.line = 1;
  root.column = 1;
  root.content = convert_table(parsed->table(), Lines(text));
  return root;
}

const TomlTable* as_table(const TomlValue& value) { return std::get_if<TomlTable>(&value.content); }

const std::vector<TomlValue>* as_array(const TomlValue& value) {
  return std::get_if<std::vector<TomlValue>>(&value.content);
}

std::string type_text(const TomlValue& value) {
  switch (value.content.index()) {
    case 0:
      return "a table";
    case 1:
      return "an array";
    case 2:
      return "a string";
    case 3:
      return "an integer";
    case 4:
      return "a number";
    case 5:
      return "a boolean";
    default:
      return std::get<TomlOther>(value.content).type;
  }
}

std::string toml_string(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (c == '\n') {
      quoted += "\\n";
    } else if (c == '\t') {
      quoted += "\\t";
    } else if (byte < 0x20 || byte == 0x7f) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace gate
