// A case as one line for --case, messages and dedupe keys, and back. The text alone tells axes
// (rows=4), integer attributes (groups=4i), float attributes (eps=0x1.5p-17) and tensors apart.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "gate/base/text.h"
#include "gate/spec/case.h"
#include "gate/spec/kind.h"
#include "gate/spec/scalar_text.h"
#include "gate/spec/seed_layout.h"
#include "gate/spec/words.h"

namespace gate {
namespace {

// ---- writing -----------------------------------------------------------------------------------

std::string tensor_text(const TensorChoice& tensor) {
  std::string text = tensor.layout;
  if (tensor.padding != 0) text += fmt::format("+{}", tensor.padding);
  if (tensor.step != 1) text += fmt::format("/{}", tensor.step);
  if (tensor.offset != 0) text += fmt::format(":{}", tensor.offset);
  if (!tensor.profile.empty()) text += "," + tensor.profile;
  if (tensor.elements.empty()) return text;
  std::vector<std::string> elements;
  for (const ElementOverride& element : tensor.elements) {
    elements.push_back(fmt::format("{}:{:#x}", element.element, element.bits));
  }
  return text + "[" + join(elements, ",") + "]";
}

std::string schedule_text(const Schedule& schedule) {
  switch (schedule.order) {
    case Schedule::Order::ascending:
      return "ascending";
    case Schedule::Order::descending:
      return "descending";
    case Schedule::Order::shuffled:
      break;
  }
  return "shuffled:" + hex64(schedule.key);
}

// ---- reading -----------------------------------------------------------------------------------

/// One blank-separated word of the text and where it starts.
struct Word {
  std::string text;
  int column = 1;
};

std::vector<Word> words_of(const std::string& text) {
  std::vector<Word> words;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::size_t begin = text.find_first_not_of(" \t", i);
    if (begin == std::string::npos) break;
    const std::size_t end = std::min(text.find_first_of(" \t", begin), text.size());
    words.push_back(Word{text.substr(begin, end - begin), static_cast<int>(begin) + 1});
    i = end;
  }
  return words;
}

std::optional<std::uint64_t> parse_bits(std::string_view text) {
  return text.starts_with("0x") ? parse_hex64(text) : std::nullopt;
}

std::optional<std::vector<ElementOverride>> parse_elements(std::string_view text) {
  std::vector<ElementOverride> elements;
  for (const std::string& part : split(text, ',')) {
    const std::size_t colon = part.find(':');
    if (colon == std::string::npos) return std::nullopt;
    const auto element = parse_integer(std::string_view(part).substr(0, colon));
    const auto bits = parse_bits(std::string_view(part).substr(colon + 1));
    if (!element || *element < 0 || !bits) return std::nullopt;
    elements.push_back(ElementOverride{*element, *bits});
  }
  return elements;
}

/// "row_pitch+3/2:1": layout, padding, step, offset; each sign at most once, in this order.
bool parse_layout(std::string_view text, TensorChoice& tensor) {
  const std::size_t end = std::min(text.find_first_of("+/:"), text.size());
  tensor.layout = std::string(text.substr(0, end));
  if (!is_identifier(tensor.layout) || tensor.layout == "inf" || tensor.layout == "nan") {
    return false;  // words of numbers
  }
  text.remove_prefix(end);
  const struct {
    char sign;
    std::int64_t& field;
  } parts[] = {{'+', tensor.padding}, {'/', tensor.step}, {':', tensor.offset}};
  for (const auto& part : parts) {
    if (text.empty() || text[0] != part.sign) continue;
    const std::size_t stop = std::min(text.find_first_of("+/:", 1), text.size());
    const auto value = parse_integer(text.substr(1, stop - 1));
    if (!value) return false;
    part.field = *value;
    text.remove_prefix(stop);
  }
  return text.empty();
}

std::optional<TensorChoice> parse_tensor(std::string_view text) {
  TensorChoice tensor;
  if (text.ends_with(']')) {
    const std::size_t open = text.rfind('[');
    if (open == std::string_view::npos) return std::nullopt;
    auto elements = parse_elements(text.substr(open + 1, text.size() - open - 2));
    if (!elements) return std::nullopt;
    tensor.elements = std::move(*elements);
    text = text.substr(0, open);
  }
  const std::size_t comma = text.find(',');
  if (comma != std::string_view::npos) {
    tensor.profile = std::string(text.substr(comma + 1));
    if (!is_profile_text(tensor.profile)) return std::nullopt;
    text = text.substr(0, comma);
  }
  return parse_layout(text, tensor) ? std::optional(tensor) : std::nullopt;
}

std::optional<Schedule> parse_schedule(std::string_view text) {
  if (text == "ascending") return Schedule{Schedule::Order::ascending, 0};
  if (text == "descending") return Schedule{Schedule::Order::descending, 0};
  constexpr std::string_view shuffled = "shuffled:";
  if (!text.starts_with(shuffled)) return std::nullopt;
  const auto key = parse_bits(text.substr(shuffled.size()));
  return key ? std::optional(Schedule{Schedule::Order::shuffled, *key}) : std::nullopt;
}

/// name=value words into `value`; a text says what is wrong.
std::string take_setting(const std::string& name, const std::string& text, Case& value) {
  if (name == "key") {
    const auto key = parse_bits(text);
    value.key = key.value_or(0);
    return key ? "" : "key must be 0x and up to 16 hexadecimal digits";
  }
  if (name == "schedule") {
    const auto schedule = parse_schedule(text);
    value.schedule = schedule.value_or(Schedule{});
    return schedule ? "" : "schedule must be ascending, descending or shuffled:0x<key>";
  }
  if (!is_identifier(name)) return "\"" + name + "\" is not a name";
  if (const auto size = parse_integer(text)) {
    value.axes[name] = *size;
    return "";
  }
  if (text.ends_with('i')) {
    if (const auto number = parse_integer(std::string_view(text).substr(0, text.size() - 1))) {
      value.attributes[name] = *number;
      return "";
    }
  }
  if (const auto number = parse_hex_float(text)) {
    value.attributes[name] = *number;
    return "";
  }
  const auto tensor = parse_tensor(text);
  if (!tensor) return "\"" + text + "\" is neither a size, an attribute nor a tensor";
  value.tensors[name] = *tensor;
  return "";
}

constexpr const char* settings_hint =
    "settings are rows=4 (axis), groups=4i or eps=0x1.5p-17 (attribute), "
    "x=row_pitch+3,normal@1 (tensor), key=0x…, schedule=…";

bool parse_head(const std::vector<Word>& words, Case& value, Failure& failure) {
  if (words.size() < 2) {
    failure.problems.push_back(
        Problem{Place{"case", 1, 1}, "a case starts with <op>/<column> <property>", settings_hint});
    return false;
  }
  const std::size_t slash = words[0].text.find('/');
  value.op = words[0].text.substr(0, slash);
  value.column = slash == std::string::npos ? "" : words[0].text.substr(slash + 1);
  if (!is_identifier(value.op) || !is_identifier(value.column)) {
    failure.problems.push_back(Problem{Place{"case", 1, words[0].column},
                                       "the first word must be <op>/<column>", settings_hint});
  }
  value.property = words[1].text;
  if (!is_property(value.property)) {
    failure.problems.push_back(Problem{
        Place{"case", 1, words[1].column}, fmt::format("\"{}\" is not a property", value.property),
        "properties are value, special, law:<name>, repeat, memory, build"});
  }
  return true;
}

}  // namespace

bool is_profile_text(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) ||
           std::string_view("_@().,+-:").find(c) != std::string_view::npos;
  });
}

std::string to_text(const Case& value) {
  std::string text = fmt::format("{}/{} {}", value.op, value.column, value.property);
  for (const auto& [name, size] : value.axes) text += fmt::format(" {}={}", name, size);
  for (const auto& [name, scalar] : value.attributes) {
    text += fmt::format(" {}={}", name, scalar_text(scalar));
  }
  for (const auto& [name, tensor] : value.tensors) {
    text += fmt::format(" {}={}", name, tensor_text(tensor));
  }
  text += " key=" + hex64(value.key);
  return text + " schedule=" + schedule_text(value.schedule);
}

Result<Case> parse_case(const std::string& text) {
  Case value;
  Failure failure;
  const std::vector<Word> words = words_of(text);
  if (!parse_head(words, value, failure)) return failure;
  std::vector<std::string> seen;
  for (std::size_t i = 2; i < words.size(); ++i) {
    const Place place{"case", 1, words[i].column};
    const std::size_t equals = words[i].text.find('=');
    if (equals == std::string::npos) {
      failure.problems.push_back(
          Problem{place, fmt::format("\"{}\" is not a setting", words[i].text), settings_hint});
      continue;
    }
    const std::string name = words[i].text.substr(0, equals);
    if (std::find(seen.begin(), seen.end(), name) != seen.end()) {
      failure.problems.push_back(Problem{place, fmt::format("{} is set twice", name), ""});
      continue;
    }
    seen.push_back(name);
    const std::string wrong = take_setting(name, words[i].text.substr(equals + 1), value);
    if (!wrong.empty()) failure.problems.push_back(Problem{place, wrong, settings_hint});
  }
  if (!failure.problems.empty()) return failure;
  return value;
}

IntegerValues integer_values(const Case& value) {
  IntegerValues values = value.axes;
  for (const auto& [name, scalar] : value.attributes) {
    if (const auto* integer = std::get_if<std::int64_t>(&scalar)) values[name] = *integer;
  }
  return values;
}

}  // namespace gate
