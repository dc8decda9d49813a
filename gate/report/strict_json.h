// Reading JSON strictly: every key must be there, none may be unknown, types and sizes are checked,
// and all problems are gathered. Untrusted input passes the same way with tighter caps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "gate/base/result.h"

namespace gate {

using OrderedJson = nlohmann::ordered_json;

struct JsonCaps {
  std::size_t text_bytes_max = 0;  // of one string
  std::size_t list_max = 0;        // entries of one array or object
  std::size_t depth_max = 0;
  std::size_t problems_max = 20;
};

/// Parses text of bounded depth; never throws.
Result<OrderedJson> parse_json(const std::string& text, const JsonCaps& caps);

/// Problems met so far and the caps, shared by all objects of one document.
struct JsonReading {
  JsonCaps caps;
  std::vector<Problem> problems;
  void problem(const std::string& path, const std::string& text);
};

/// One object being read; `done` reports keys nobody asked for.
class StrictObject {
 public:
  StrictObject(const OrderedJson& value, std::string path, JsonReading& reading);

  bool has(const std::string& key) const;
  std::string text(const std::string& key);
  std::string text_or_null(const std::string& key);
  std::int64_t integer(const std::string& key);
  std::int64_t integer_or_null(const std::string& key);
  bool truth(const std::string& key);
  /// Numbers, or the names of those JSON lacks: "inf", "-inf", "nan".
  double number(const std::string& key);
  StrictObject object(const std::string& key);
  std::vector<std::string> texts(const std::string& key);
  std::vector<double> numbers(const std::string& key);
  /// Members that are objects; path and problems are shared.
  std::vector<StrictObject> objects(const std::string& key);
  /// Keys of an object used as a map.
  std::vector<std::string> keys() const;
  void ignore(const std::string& key) { seen_.insert(key); }
  const std::string& path() const { return path_; }
  void problem(const std::string& key, const std::string& text);
  void done();

 private:
  const OrderedJson* find(const std::string& key);
  const OrderedJson* list(const std::string& key);

  const OrderedJson* value_;
  std::string path_;
  JsonReading* reading_;
  std::set<std::string> seen_;
};

}  // namespace gate
