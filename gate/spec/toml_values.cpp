// Single TOML values of an expected type, each with its message.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/spec/scalar_text.h"
#include "gate/spec/toml_reader.h"

namespace gate {
namespace {

void wrong_type(Problems& problems, const TomlValue& value, const std::string& what,
                std::string_view wanted) {
  problems.add(value, fmt::format("{} must be {}, not {}", what, wanted, type_text(value)));
}

/// Where `name` stands in an expression as a whole word.
std::size_t name_at(const std::string& text, const std::string& name) {
  const auto in_name = [&](std::size_t i) {
    return i < text.size() && (is_identifier(std::string("_") + text[i]) || text[i] == '.');
  };
  std::size_t at = text.find(name);
  while (at != std::string::npos && ((at > 0 && in_name(at - 1)) || in_name(at + name.size()))) {
    at = text.find(name, at + 1);
  }
  return at;
}

}  // namespace

std::optional<std::string> text_of(Problems& problems, const TomlValue& value,
                                   const std::string& what) {
  if (const auto* text = std::get_if<std::string>(&value.content)) return *text;
  wrong_type(problems, value, what, "a string");
  return std::nullopt;
}

std::optional<std::int64_t> integer_of(Problems& problems, const TomlValue& value,
                                       const std::string& what) {
  if (const auto* integer = std::get_if<std::int64_t>(&value.content)) return *integer;
  wrong_type(problems, value, what, "an integer");
  return std::nullopt;
}

std::optional<double> number_of(Problems& problems, const TomlValue& value,
                                const std::string& what) {
  if (const auto* real = std::get_if<double>(&value.content)) return *real;
  if (const auto* integer = std::get_if<std::int64_t>(&value.content)) {
    return static_cast<double>(*integer);
  }
  if (const auto* text = std::get_if<std::string>(&value.content)) {
    if (const auto real = parse_hex_float(*text)) return *real;
  }
  wrong_type(problems, value, what, "a number");
  return std::nullopt;
}

std::optional<bool> boolean_of(Problems& problems, const TomlValue& value,
                               const std::string& what) {
  if (const auto* boolean = std::get_if<bool>(&value.content)) return *boolean;
  wrong_type(problems, value, what, "true or false");
  return std::nullopt;
}

std::optional<DType> dtype_of(Problems& problems, const TomlValue& value, const std::string& what) {
  const auto text = text_of(problems, value, what);
  if (!text) return std::nullopt;
  if (const auto dtype = dtype_named(*text)) return dtype;
  std::vector<std::string> names;
  for (const DType dtype : all_dtypes()) names.emplace_back(facts(dtype).name);
  problems.add(value, fmt::format("{} must be a dtype; it is \"{}\"", what, *text),
               word_hint(*text, names));
  return std::nullopt;
}

std::optional<Expression> expression_of(Problems& problems, const TomlValue& value,
                                        const std::string& what,
                                        const std::vector<std::string>& names) {
  std::string text;
  if (const auto* integer = std::get_if<std::int64_t>(&value.content)) {
    text = std::to_string(*integer);
  } else if (const auto* written = std::get_if<std::string>(&value.content)) {
    text = *written;
  } else {
    wrong_type(problems, value, what, "an expression (a string or an integer)");
    return std::nullopt;
  }
  auto expression = Expression::parse(text);
  if (!expression) {
    for (const Problem& problem : expression.failure().problems) {
      Place place = problems.place(value);
      if (value.text_column > 0 && problem.place.column > 0) {
        place.column = value.text_column + problem.place.column - 1;
      }
      problems.add(place, fmt::format("{} \"{}\": {}", what, text, problem.text), problem.hint);
    }
    return std::nullopt;
  }
  bool known = true;
  for (const std::string& name : expression->names()) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    Place place = problems.place(value);
    const std::size_t at = name_at(text, name);
    if (value.text_column > 0 && at != std::string::npos) {
      place.column = value.text_column + static_cast<int>(at);
    }
    problems.add(place, fmt::format("{} reads an unknown name: {}", what, name),
                 word_hint(name, names));
    known = false;
  }
  return known ? std::optional<Expression>(*expression) : std::nullopt;
}

}  // namespace gate
