// Escaping and small pieces: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/html_text.h"

#include "gate/base/text.h"

namespace gate {

std::string html_escaped(const std::string& text, std::size_t bytes_max) {
  std::string result;
  for (const char letter : clean_text(text, bytes_max)) {
    switch (letter) {
      case '&':
        result += "&amp;";
        break;
      case '<':
        result += "&lt;";
        break;
      case '>':
        result += "&gt;";
        break;
      case '"':
        result += "&quot;";
        break;
      case '\'':
        result += "&#39;";
        break;
      default:
        result += letter;
    }
  }
  return result;
}

std::string html_badge(std::string_view word) {
  const std::string text(word);
  return "<span class=\"badge " + text + "\">" + text + "</span>";
}

std::string html_field(std::string_view name, const std::string& value) {
  if (value.empty()) return {};
  return "<dt>" + std::string(name) + "</dt><dd>" + value + "</dd>\n";
}

std::string html_list(const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string text = "<ul>\n";
  for (const std::string& item : items) text += "<li>" + html_escaped(item) + "</li>\n";
  return text + "</ul>\n";
}

}  // namespace gate
