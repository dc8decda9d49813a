// JSON with places: see the header. Places are found in the text that the library has accepted.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/json_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

/// Walks valid JSON text to the value at a path.
class Walker {
 public:
  explicit Walker(const std::string& text) : text_(text) {}

  std::size_t find(const JsonPath& path) {
    blanks();
    std::size_t found = at_;
    for (const std::string& step : path) {
      if (!enter(step)) break;
      found = at_;
    }
    return found;
  }

 private:
  char now() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void blanks() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  std::string string() {
    const std::size_t begin = ++at_;
    while (at_ < text_.size() && now() != '"') at_ += now() == '\\' ? 2 : 1;
    return text_.substr(begin, at_++ - begin);
  }

  void skip() {
    int depth = 0;
    do {
      blanks();
      const char letter = now();
      if (letter == '"') {
        string();
      } else {
        depth += letter == '{' || letter == '[' ? 1 : letter == '}' || letter == ']' ? -1 : 0;
        ++at_;
      }
      if (depth == 0 && letter != '"' && letter != '}' && letter != ']') {
        while (at_ < text_.size() &&
               std::string_view(",}] \n\r\t").find(now()) == std::string_view::npos) {
          ++at_;
        }
      }
    } while (depth > 0 && at_ < text_.size());
  }

  /// To the value of a key or of an index; at the key itself for messages about its value.
  bool enter(const std::string& step) {
    const bool keyed = now() == '{';
    if (!keyed && now() != '[') return false;
    const std::size_t before = at_++;
    for (std::int64_t index = 0;; ++index) {
      blanks();
      if (now() == '}' || now() == ']' || now() == '\0') break;
      std::string name = std::to_string(index);
      if (keyed) {
        name = string();
        blanks();
        ++at_;  // the colon
        blanks();
      }
      if (name == step) return true;
      skip();
      blanks();
      if (now() == ',') ++at_;
    }
    at_ = before;
    return false;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

Place place_at(const std::string& text, std::size_t at, const std::filesystem::path& file,
               int first_line) {
  at = std::min(at, text.size());
  const auto newlines =
      std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
  const std::size_t line = text.rfind('\n', at == 0 ? 0 : at - 1);
  const std::size_t begin = newlines == 0 || line == std::string::npos ? 0 : line + 1;
  return {shown_path(file).string(), first_line + static_cast<int>(newlines),
          static_cast<int>(at - begin) + 1};
}

}  // namespace

Place JsonSource::place(const JsonPath& path) const {
  return place_at(text, Walker(text).find(path), file, first_line);
}

Result<JsonSource> read_json_source(const std::string& text, const std::filesystem::path& file,
                                    int first_line) {
  JsonSource source;
  source.text = text;
  source.file = file;
  source.first_line = first_line;
  try {
    source.value = nlohmann::ordered_json::parse(text);
  } catch (const nlohmann::json::parse_error& error) {
    const std::size_t at = error.byte == 0 ? 0 : error.byte - 1;
    std::string what = error.what();
    const std::size_t colon = what.find("syntax error");
    if (colon != std::string::npos) what = what.substr(colon);
    return user_failure("not valid JSON: " + clean_text(what, 160), "",
                        place_at(text, at, file, first_line));
  }
  return source;
}

Result<std::vector<JsonSource>> read_json_values(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text) return text.failure();
  std::vector<JsonSource> values;
  std::vector<std::string> parts = {*text};
  if (file.extension() == ".jsonl") parts = split(*text, '\n');
  Failure failure;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (trim(parts[i]).empty()) continue;
    auto value = read_json_source(parts[i], file, static_cast<int>(i) + 1);
    if (value) {
      values.push_back(std::move(*value));
    } else {
      const auto& problems = value.failure().problems;
      failure.problems.insert(failure.problems.end(), problems.begin(), problems.end());
    }
  }
  if (values.empty() && failure.problems.empty()) {
    return user_failure("there is nothing in it", "", {shown_path(file).string(), 1, 0});
  }
  if (!failure.problems.empty()) return failure;
  return values;
}

const nlohmann::ordered_json* JsonFields::find(const JsonPath& path, const std::string& hint) {
  const nlohmann::ordered_json* at = &source_.value;
  for (const std::string& step : path) {
    const bool index = at->is_array() && !step.empty() &&
                       step.find_first_not_of("0123456789") == std::string::npos;
    const nlohmann::ordered_json* next = nullptr;
    if (index && std::stoul(step) < at->size()) next = &(*at)[std::stoul(step)];
    if (at->is_object() && at->contains(step)) next = &(*at)[step];
    if (next == nullptr) {
      if (!hint.empty()) problem(path, fmt::format("there is no \"{}\"", join(path, ".")), hint);
      return nullptr;
    }
    at = next;
  }
  return at;
}

std::string JsonFields::text(const JsonPath& path, const std::string& hint) {
  const auto* value = find(path, hint);
  if (value == nullptr) return {};
  if (value->is_string() && !value->get_ref<const std::string&>().empty()) {
    return value->get<std::string>();
  }
  problem(path, fmt::format("\"{}\" must be a text that is not empty", join(path, ".")), hint);
  return {};
}

const nlohmann::ordered_json* JsonFields::object(const JsonPath& path, const std::string& hint) {
  const auto* value = find(path, hint);
  if (value == nullptr || value->is_object()) return value;
  problem(path, fmt::format("\"{}\" must be an object", join(path, ".")), hint);
  return nullptr;
}

const nlohmann::ordered_json* JsonFields::array(const JsonPath& path, const std::string& hint) {
  const auto* value = find(path, hint);
  if (value == nullptr || value->is_array()) return value;
  problem(path, fmt::format("\"{}\" must be an array", join(path, ".")), hint);
  return nullptr;
}

void JsonFields::problem(const JsonPath& path, const std::string& text, const std::string& hint) {
  problems_.add(source_.place(path), text, hint);
}

}  // namespace gate
