// Reading entry functions out of a source: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/signature.h"

#include <algorithm>
#include <regex>

#include "gate/base/text.h"

namespace gate {
namespace {

/// Comments and string contents become blanks; extern "C" stays as it is.
std::string without_comments(const std::string& source) {
  std::string text = source;
  for (std::size_t i = 0; i + 1 < text.size(); ++i) {
    const bool line = text[i] == '/' && text[i + 1] == '/';
    const bool block = text[i] == '/' && text[i + 1] == '*';
    if (!line && !block) continue;
    const std::size_t found = line ? text.find('\n', i) : text.find("*/", i + 2);
    const std::size_t end = found == std::string::npos ? text.size() : found + (line ? 0 : 2);
    for (; i < end; ++i) {
      if (text[i] != '\n') text[i] = ' ';
    }
    --i;
  }
  return text;
}

/// Text between the bracket at `open` and its partner; nothing if there is none.
std::string inside(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(' || text[i] == '{' || text[i] == '[') ++depth;
    if (text[i] != ')' && text[i] != '}' && text[i] != ']') continue;
    if (--depth == 0) return text.substr(open + 1, i - open - 1);
  }
  return {};
}

std::vector<std::string> top_level_parts(const std::string& text) {
  std::vector<std::string> parts{""};
  int depth = 0;
  for (const char letter : text) {
    if (letter == '(' || letter == '<' || letter == '[') ++depth;
    if (letter == ')' || letter == '>' || letter == ']') --depth;
    if (letter == ',' && depth == 0) {
      parts.emplace_back();
    } else {
      parts.back() += letter;
    }
  }
  if (trim(parts.back()).empty()) parts.pop_back();
  return parts;
}

Parameter parameter_of(const std::string& text) {
  static const std::regex word("[A-Za-z_]\\w*");
  const std::string declared = text.substr(0, text.find('='));
  Parameter parameter;
  parameter.pointer = declared.find('*') != std::string::npos;
  std::vector<std::string> words;
  for (std::sregex_iterator at(declared.begin(), declared.end(), word), end; at != end; ++at) {
    const std::string found = at->str();
    if (found != "const" && found != "volatile" && found.find("restrict") == std::string::npos &&
        found != "std" && found != "unsigned") {
      words.push_back(found);
    }
  }
  if (words.empty()) return parameter;
  parameter.name = words.back();
  if (words.size() > 1) parameter.type = words.front();
  return parameter;
}

Signature signature_of(const std::string& name, const std::string& parameters) {
  Signature signature;
  signature.name = name;
  for (const std::string& part : top_level_parts(parameters)) {
    if (trim(part) == "void") continue;
    signature.parameters.push_back(parameter_of(part));
  }
  return signature;
}

/// Functions named right before a '(' that `head` announces; `body` is searched.
void add_functions(const std::string& body, const std::regex& head, std::vector<Signature>& found,
                   bool is_kernel) {
  for (std::sregex_iterator at(body.begin(), body.end(), head), end; at != end; ++at) {
    const auto open = static_cast<std::size_t>(at->position(0) + at->length(0)) - 1;
    Signature signature = signature_of((*at)[1].str(), inside(body, open));
    signature.is_kernel = is_kernel;
    const std::size_t before = static_cast<std::size_t>(at->position(0));
    const std::size_t begin = body.find_last_of(";}", before);
    const std::string lead = body.substr(begin == std::string::npos ? 0 : begin,
                                         before - (begin == std::string::npos ? 0 : begin));
    signature.is_template = lead.find("template") != std::string::npos;
    const bool known = std::any_of(found.begin(), found.end(), [&](const Signature& each) {
      return each.name == signature.name;
    });
    if (!known) found.push_back(std::move(signature));
  }
}

std::vector<Signature> python_functions(const std::string& source) {
  static const std::regex head("(?:^|\\n)((?:@[^\\n]*\\n)*)(?:def|class) +([A-Za-z_]\\w*)[^:]*:");
  std::vector<Signature> found;
  for (std::sregex_iterator at(source.begin(), source.end(), head), end; at != end; ++at) {
    const bool device_code = (*at)[1].str().find("jit") != std::string::npos;
    const std::string name = (*at)[2].str();
    if (device_code || name.starts_with("_") || name.starts_with("get_")) continue;
    const std::string text = at->str();
    const std::size_t open = text.find('(', text.find(name));
    Signature signature = signature_of(name, open == std::string::npos ? "" : inside(text, open));
    for (Parameter& parameter : signature.parameters) parameter.pointer = true;
    found.push_back(std::move(signature));
  }
  return found;
}

}  // namespace

std::string source_extension(const std::string& source) {
  if (source.find("__global__") != std::string::npos || source.find("<<<") != std::string::npos) {
    return ".cu";
  }
  static const std::regex python("(^|\\n)(import |from \\w+ import |def )");
  return std::regex_search(source, python) ? ".py" : ".cpp";
}

std::vector<Signature> entry_candidates(const std::string& source, const std::string& extension) {
  if (extension == ".py") return python_functions(source);
  const std::string text = without_comments(source);
  std::vector<Signature> found;
  static const std::regex single("extern\\s*\"C\"\\s+[\\w\\s:*]*?\\b([A-Za-z_]\\w*)\\s*\\(");
  static const std::regex block("extern\\s*\"C\"\\s*\\{");
  static const std::regex function(
      "(?:^|\\n)[ \\t]*[A-Za-z_][\\w:]*[ \\t*]+([A-Za-z_]\\w*)\\s*\\(");
  static const std::regex kernel(
      "__global__(?:\\s+__launch_bounds__\\s*\\([^)]*\\)|\\s+\\w+)*?\\s+(?!__launch_bounds__)"
      "([A-Za-z_]\\w*)\\s*\\(");
  add_functions(text, single, found, false);
  for (std::sregex_iterator at(text.begin(), text.end(), block), end; at != end; ++at) {
    const auto open = static_cast<std::size_t>(at->position(0) + at->length(0)) - 1;
    add_functions(inside(text, open), function, found, false);
  }
  if (extension != ".cu") return found;
  std::erase_if(found, [&](const Signature& each) {  // a kernel that is extern "C"
    return std::regex_search(text, std::regex("__global__[^;{]*\\b" + each.name + "\\s*\\("));
  });
  add_functions(text, kernel, found, true);
  return found;
}

}  // namespace gate
