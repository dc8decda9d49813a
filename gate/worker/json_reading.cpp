// Strict JSON access for the worker protocol.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/json_reading.h"

#include <bit>

#include "gate/base/text.h"

namespace gate {

namespace {

const Json& nothing() {
  static const Json null;
  return null;
}

const Json& no_elements() {
  static const Json empty = Json::array();
  return empty;
}

}  // namespace

Json JsonReading::parse(std::string_view text) {
  Json document = Json::parse(text, nullptr, false);
  if (document.is_discarded()) fail("not a JSON text");
  return document;
}

void JsonReading::fail(std::string problem) {
  if (problem_.empty()) problem_ = std::move(problem);
}

bool JsonReading::has_keys(const Json& object, std::initializer_list<const char*> keys) {
  if (!object.is_object()) {
    fail("an object is expected");
    return false;
  }
  for (const char* key : keys) {
    if (!object.contains(key)) fail("key is missing: " + std::string(key));
  }
  if (object.size() != keys.size()) fail("unknown keys");
  return !failed();
}

const Json& JsonReading::member(const Json& object, const char* key) {
  if (object.is_object()) {
    if (const auto found = object.find(key); found != object.end()) return *found;
  }
  fail("key is missing: " + std::string(key));
  return nothing();
}

const Json& JsonReading::array(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (value.is_array()) return value;
  fail("an array is expected: " + std::string(key));
  return no_elements();
}

std::string JsonReading::string_of(const Json& value) {
  if (const auto* text = value.get_ptr<const std::string*>()) return *text;
  fail("a text is expected");
  return {};
}

std::string JsonReading::text(const Json& object, const char* key) {
  return string_of(member(object, key));
}

std::int64_t JsonReading::number(const Json& object, const char* key, std::int64_t low,
                                 std::int64_t high) {
  const Json& value = member(object, key);
  if (value.is_number_unsigned() || value.is_number_integer()) {
    // An unsigned beyond the signed range turns negative here and is out of bounds as well.
    const auto number = value.get<std::int64_t>();
    const bool fits = !value.is_number_unsigned() || number >= 0;
    if (fits && number >= low && number <= high) return number;
  }
  fail("a number in its range is expected: " + std::string(key));
  return low;
}

bool JsonReading::boolean(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (value.is_boolean()) return value.get<bool>();
  fail("true or false is expected: " + std::string(key));
  return false;
}

std::uint64_t JsonReading::hex(const Json& value) {
  if (const auto* text = value.get_ptr<const std::string*>()) {
    if (text->starts_with("0x")) {
      if (const auto bits = parse_hex64(*text)) return *bits;
    }
  }
  fail("a 64-bit integer as a hex text is expected");
  return 0;
}

double JsonReading::real(const Json& value) {
  if (value.is_string()) return std::bit_cast<double>(hex(value));
  if (value.is_number()) return value.get<double>();
  fail("a number or its bits as a hex text are expected");
  return 0;
}

}  // namespace gate
