// Paths into JSON: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/json_path.h"

#include "gate/base/text.h"

namespace gate {

const OrderedJson& value_at(const OrderedJson& json, const std::string& path) {
  static const OrderedJson null;
  const OrderedJson* value = &json;
  for (const std::string& key : split(path.substr(1), '/')) {
    if (value->is_object()) {
      const auto at = value->find(key);
      if (at == value->end()) return null;
      value = &*at;
    } else if (value->is_array()) {
      const auto number = parse_integer(key);
      if (!number || *number < 0 || static_cast<std::size_t>(*number) >= value->size()) return null;
      value = &(*value)[static_cast<std::size_t>(*number)];
    } else {
      return null;
    }
  }
  return *value;
}

std::string text_at(const OrderedJson& json, const std::string& path) {
  const OrderedJson& value = value_at(json, path);
  return value.is_string() ? value.get<std::string>() : std::string();
}

std::int64_t integer_at(const OrderedJson& json, const std::string& path) {
  const OrderedJson& value = value_at(json, path);
  return value.is_number_integer() ? value.get<std::int64_t>() : 0;
}

}  // namespace gate
