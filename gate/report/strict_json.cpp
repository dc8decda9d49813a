// Strict JSON reading: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/strict_json.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate {
namespace {

const OrderedJson& empty_object() {
  static const OrderedJson empty = OrderedJson::object();
  return empty;
}

/// Depth of brackets outside strings: checked before a parser builds anything.
std::size_t depth_of(const std::string& text) {
  std::size_t depth = 0, deepest = 0;
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quoted) {
      if (letter == '\\') ++i;
      if (letter == '"') quoted = false;
      continue;
    }
    if (letter == '"') quoted = true;
    if (letter == '{' || letter == '[') deepest = std::max(deepest, ++depth);
    if ((letter == '}' || letter == ']') && depth > 0) --depth;
  }
  return deepest;
}

}  // namespace

Result<OrderedJson> parse_json(const std::string& text, const JsonCaps& caps) {
  if (depth_of(text) > caps.depth_max) return user_failure("the JSON is nested too deeply");
  OrderedJson value = OrderedJson::parse(text, nullptr, false);
  if (value.is_discarded()) return user_failure("not valid JSON", "is the file complete?");
  return value;
}

void JsonReading::problem(const std::string& path, const std::string& text) {
  if (problems.size() < caps.problems_max) {
    problems.push_back({{}, clean_text(path + ": " + text, 500), {}});
  }
}

StrictObject::StrictObject(const OrderedJson& value, std::string path, JsonReading& reading)
    : value_(&value), path_(std::move(path)), reading_(&reading) {
  if (!value.is_object()) {
    reading.problem(path_, "an object is expected");
    value_ = &empty_object();
  } else if (value.size() > reading.caps.list_max) {
    reading.problem(path_, "too many entries");
    value_ = &empty_object();
  }
}

void StrictObject::problem(const std::string& key, const std::string& text) {
  reading_->problem(path_ + "/" + key, text);
}

const OrderedJson* StrictObject::find(const std::string& key) {
  seen_.insert(key);
  const auto at = value_->find(key);
  if (at != value_->end()) return &*at;
  problem(key, "is missing");
  return nullptr;
}

const OrderedJson* StrictObject::list(const std::string& key) {
  const OrderedJson* value = find(key);
  if (value == nullptr) return nullptr;
  if (!value->is_array()) {
    problem(key, "a list is expected");
    return nullptr;
  }
  if (value->size() > reading_->caps.list_max) {
    problem(key, "too many entries");
    return nullptr;
  }
  return value;
}

bool StrictObject::has(const std::string& key) const {
  return value_->is_object() && value_->contains(key);
}

std::string StrictObject::text(const std::string& key) {
  const OrderedJson* value = find(key);
  if (value == nullptr) return {};
  if (!value->is_string()) {
    problem(key, "a text is expected");
    return {};
  }
  const auto& content = value->get_ref<const std::string&>();
  if (content.size() > reading_->caps.text_bytes_max) {
    problem(key, "the text is too long");
    return {};
  }
  return clean_text(content, reading_->caps.text_bytes_max);
}

std::string StrictObject::text_or_null(const std::string& key) {
  const auto at = value_->find(key);
  if (at == value_->end() || !at->is_null()) return text(key);
  seen_.insert(key);
  return {};
}

std::int64_t StrictObject::integer(const std::string& key) {
  const OrderedJson* value = find(key);
  if (value == nullptr) return 0;
  const bool fits = value->is_number_integer() &&
                    (!value->is_number_unsigned() ||
                     value->get<std::uint64_t>() <= static_cast<std::uint64_t>(INT64_MAX));
  if (fits) return value->get<std::int64_t>();
  problem(key, "an integer is expected");
  return 0;
}

std::int64_t StrictObject::integer_or_null(const std::string& key) {
  const auto at = value_->find(key);
  if (at == value_->end() || !at->is_null()) return integer(key);
  seen_.insert(key);
  return 0;
}

bool StrictObject::truth(const std::string& key) {
  const OrderedJson* value = find(key);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->get<bool>();
  problem(key, "true or false is expected");
  return false;
}

double StrictObject::number(const std::string& key) {
  const OrderedJson* value = find(key);
  if (value == nullptr) return 0;
  if (value->is_number()) return value->get<double>();
  if (value->is_string()) {
    const std::optional<double> named = parse_number(value->get_ref<const std::string&>());
    if (named) return *named;
  }
  problem(key, "a number is expected");
  return 0;
}

StrictObject StrictObject::object(const std::string& key) {
  const OrderedJson* value = find(key);
  return {value == nullptr ? empty_object() : *value, path_ + "/" + key, *reading_};
}

std::vector<std::string> StrictObject::texts(const std::string& key) {
  std::vector<std::string> result;
  const OrderedJson* values = list(key);
  if (values == nullptr) return result;
  for (const OrderedJson& value : *values) {
    if (!value.is_string() ||
        value.get_ref<const std::string&>().size() > reading_->caps.text_bytes_max) {
      problem(key, "a list of short texts is expected");
      return {};
    }
    result.push_back(
        clean_text(value.get_ref<const std::string&>(), reading_->caps.text_bytes_max));
  }
  return result;
}

std::vector<double> StrictObject::numbers(const std::string& key) {
  std::vector<double> result;
  const OrderedJson* values = list(key);
  if (values == nullptr) return result;
  for (const OrderedJson& value : *values) {
    if (!value.is_number()) {
      problem(key, "a list of numbers is expected");
      return {};
    }
    result.push_back(value.get<double>());
  }
  return result;
}

std::vector<StrictObject> StrictObject::objects(const std::string& key) {
  std::vector<StrictObject> result;
  const OrderedJson* values = list(key);
  if (values == nullptr) return result;
  for (std::size_t i = 0; i < values->size(); ++i) {
    result.emplace_back((*values)[i], path_ + "/" + key + "/" + std::to_string(i), *reading_);
  }
  return result;
}

std::vector<std::string> StrictObject::keys() const {
  std::vector<std::string> names;
  for (const auto& [key, value] : value_->items()) names.push_back(key);
  return names;
}

void StrictObject::done() {
  for (const auto& [key, value] : value_->items()) {
    if (seen_.count(key) == 0) problem(clean_text(key, 100), "unknown key");
  }
}

}  // namespace gate
