// Reading JSON objects strictly: exact keys, bounded sizes, the first problem kept. What comes from
// a worker is hostile: no reader here throws, recurses or allocates beyond the message.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace gate {

using Json = nlohmann::json;

/// One document being read. After a problem every reader yields a neutral value.
class JsonReading {
 public:
  /// The document, discarded if it is not JSON (which is a problem).
  Json parse(std::string_view text);

  void fail(std::string problem);
  bool failed() const { return !problem_.empty(); }
  const std::string& problem() const { return problem_; }

  /// An object with exactly these keys; else a problem.
  bool has_keys(const Json& object, std::initializer_list<const char*> keys);
  /// The member, or null with a problem.
  const Json& member(const Json& object, const char* key);
  /// The member as an array; empty with a problem.
  const Json& array(const Json& object, const char* key);
  std::string text(const Json& object, const char* key);
  std::int64_t number(const Json& object, const char* key, std::int64_t low, std::int64_t high);
  bool boolean(const Json& object, const char* key);
  std::uint64_t hex(const Json& value);
  double real(const Json& value);
  std::string string_of(const Json& value);

 private:
  std::string problem_;
};

}  // namespace gate
