// Escaping for Markdown as GitHub renders it: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/markdown_text.h"

#include <algorithm>
#include <cctype>

#include "gate/base/text.h"

namespace gate {
namespace {

constexpr std::string_view zero_width = "\xE2\x80\x8B";  // U+200B

bool is_letter_or_digit(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0;
}

std::string one_line(std::string_view text, std::size_t bytes_max) {
  std::string line = clean_text(text, bytes_max);
  std::replace_if(
      line.begin(), line.end(), [](char letter) { return letter == '\n' || letter == '\t'; }, ' ');
  return line;
}

bool ends_with_word(std::string_view text, std::string_view word) {
  if (text.size() < word.size()) return false;
  const std::string_view tail = text.substr(text.size() - word.size());
  return std::equal(tail.begin(), tail.end(), word.begin(), [](char left, char right) {
    return std::tolower(static_cast<unsigned char>(left)) == right;
  });
}

/// GitHub links @name, #1, GH-1, owner/name#1, a://b, www.a, :emoji: and $math$ in rendered text,
/// where backslashes are gone already: only an invisible character in between stops it.
bool breaks_after(std::string_view line, std::size_t at) {
  const char letter = line[at];
  if (letter == '@' || letter == '#' || letter == '$') return true;
  const bool more = at + 1 < line.size();
  if (letter == ':') return more && line[at + 1] != ' ';
  const std::string_view before = line.substr(0, at);
  if (letter == '-') return more && ends_with_word(before, "gh");
  if (letter == '.') return more && ends_with_word(before, "www");
  return false;
}

/// Where a line start would make a list or a heading: "- ", "+ ", "=", "1." and "1)".
std::size_t leading_list_sign(std::string_view line) {
  if (line.starts_with('-') || line.starts_with('+') || line.starts_with('=')) return 0;
  const std::size_t end = line.find_first_not_of("0123456789");
  const bool number =
      end != std::string_view::npos && end > 0 && (line[end] == '.' || line[end] == ')');
  return number ? end : std::string_view::npos;
}

std::size_t longest_run(std::string_view text, char wanted) {
  std::size_t longest = 0, run = 0;
  for (const char letter : text) {
    run = letter == wanted ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

/// A fence has to be longer than any run inside; a text of backticks must not make it grow forever.
std::string without_long_runs(std::string text) {
  constexpr std::size_t run_max = 16;
  if (longest_run(text, '`') > run_max) std::replace(text.begin(), text.end(), '`', '\'');
  return text;
}

std::string fence_of(std::string_view line) {
  const std::size_t end = line.find_first_not_of('`');
  return std::string(line.substr(0, end));
}

}  // namespace

std::string markdown_prose(std::string_view text, std::size_t bytes_max) {
  constexpr std::string_view special = "\\`*_[]<>#|~&$";
  const std::string line = one_line(trim(text), bytes_max);
  const std::size_t list_sign = leading_list_sign(line);
  std::string escaped;
  for (std::size_t at = 0; at < line.size(); ++at) {
    const char letter = line[at];
    const bool inner = letter == '_' && at > 0 && is_letter_or_digit(line[at - 1]) &&
                       at + 1 < line.size() && is_letter_or_digit(line[at + 1]);
    const bool means = special.find(letter) != std::string_view::npos && !inner;
    if (means || at == list_sign) escaped += '\\';
    escaped += letter;
    if (breaks_after(line, at)) escaped += zero_width;
  }
  return escaped;
}

std::string markdown_code(std::string_view text, std::size_t bytes_max) {
  std::string line = without_long_runs(one_line(trim(text), bytes_max));
  if (line.empty()) return "–";
  // A bar ends a table cell even in code, and a backslash before it is read two ways.
  for (std::size_t at = 0; (at = line.find('|', at)) != std::string::npos; at += 2) {
    line.replace(at, 1, "¦");
  }
  const std::string fence(longest_run(line, '`') + 1, '`');
  const std::string pad = line.front() == '`' || line.back() == '`' ? " " : "";
  return fence + pad + line + pad + fence;
}

std::string markdown_block(std::string_view text, std::string_view language,
                           std::size_t bytes_max) {
  std::string content = without_long_runs(clean_text(text, bytes_max));
  if (content.empty() || content.back() != '\n') content += '\n';
  const std::string fence(std::max<std::size_t>(3, longest_run(content, '`') + 1), '`');
  return fence + std::string(language) + "\n" + content + fence + "\n";
}

std::string html_prose(std::string_view text, std::size_t bytes_max) {
  const std::string line = one_line(trim(text), bytes_max);
  std::string escaped;
  for (std::size_t at = 0; at < line.size(); ++at) {
    switch (line[at]) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += line[at];
    }
    if (breaks_after(line, at)) escaped += zero_width;
  }
  return escaped;
}

std::string markdown_link(std::string_view markdown, std::string_view address) {
  const bool plain =
      (address.starts_with("https://") || address.starts_with("http://")) &&
      std::all_of(address.begin(), address.end(), [](char letter) {
        return is_letter_or_digit(letter) ||
               std::string_view("-._~/:?#=&%+@,").find(letter) != std::string_view::npos;
      });
  if (!plain) return std::string(markdown);
  return "[" + std::string(markdown) + "](" + std::string(address) + ")";
}

std::string cut_markdown(const std::string& text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  constexpr std::size_t reserve = 200;  // closing fences, </details> and the last line
  const std::size_t limit = bytes_max > reserve ? bytes_max - reserve : 0;
  std::string kept;
  std::string fence;
  std::size_t details = 0;
  for (const std::string& line : split(text, '\n')) {
    if (kept.size() + line.size() + 1 > limit) break;
    kept += line + "\n";
    if (!fence.empty()) {
      if (line == fence) fence.clear();
    } else if (line.starts_with("```")) {
      fence = fence_of(line);
    } else if (line.starts_with("<details>")) {
      ++details;
    } else if (line.starts_with("</details>") && details > 0) {
      --details;
    }
  }
  if (!fence.empty()) kept += fence + "\n";
  while (details-- > 0) kept += "\n</details>\n";
  return kept + "\n*Cut to fit; the JSON report has all.*\n";
}

}  // namespace gate
