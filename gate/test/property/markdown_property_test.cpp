// Escaping and budgets under texts made of everything that means something to GitHub.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "gate/base/text.h"
#include "gate/report/markdown.h"
#include "gate/report/markdown_text.h"
#include "gate/test/golden/sample_report.h"

namespace gate {
namespace {

rc::Gen<std::string> nasty_text() {
  const std::vector<std::string> pieces = {
      "`",       "```",       "````",      "|",          "\\",  "\n",   "\r",        "<",
      ">",       "-->",       "<!--",      "@a",         "#1",  "GH-1", "https://a", "www.b.c",
      "[x](y)",  "![x](y)",   "*",         "_",          "~",   "$",    "&lt;",      ":x:",
      "\x1b[1m", "\u202E",    "::error::", "</details>", " ",   "a",    "-",         "=",
      "+",       "<details>", "\xff",      "\u2028",     "<b>", "}",    "{",         "!"};
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::elementOf(pieces)),
                      [](const std::vector<std::string>& parts) { return join(parts, ""); });
}

/// What remains of a line once every escaped pair is gone.
std::string unescaped(const std::string& text) {
  std::string rest;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else {
      rest += text[i];
    }
  }
  return rest;
}

bool broken_after(const std::string& text, const std::string& word) {
  for (std::size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at) {
    if (text.compare(at + word.size(), 3, "\xE2\x80\x8B") != 0) return false;
  }
  return true;
}

RC_GTEST_PROP(MarkdownProperty, ProseIsOnlyText, ()) {
  const std::string prose = markdown_prose(*nasty_text());
  RC_ASSERT(prose.find('\n') == std::string::npos);
  RC_ASSERT(unescaped(prose).find_first_of("`*[]<>|~&$#") == std::string::npos);
  RC_ASSERT(broken_after(prose, "@"));
  RC_ASSERT(broken_after(prose, "#"));
  RC_ASSERT(prose.find("://") == std::string::npos);
  RC_ASSERT(prose.find("-->") == std::string::npos);
  RC_ASSERT(prose.find("www.b") == std::string::npos);
}

RC_GTEST_PROP(MarkdownProperty, CodeStaysInItsSpan, ()) {
  const std::string code = markdown_code(*nasty_text());
  RC_ASSERT(code.find('\n') == std::string::npos);
  RC_ASSERT(code.find('|') == std::string::npos);
  const std::size_t fence = code.find_first_not_of('`');
  if (code == "–") return;
  RC_ASSERT(fence != std::string::npos && fence > 0u);
  const std::string inside = code.substr(fence, code.size() - 2 * fence);
  std::size_t run = 0;
  for (const char letter : inside) {
    run = letter == '`' ? run + 1 : 0;
    RC_ASSERT(run < fence);
  }
}

RC_GTEST_PROP(MarkdownProperty, BlocksCloseWhereTheyShould, ()) {
  const std::string block = markdown_block(*nasty_text(), "text");
  const std::vector<std::string> lines = split(block, '\n');
  const std::string fence = lines.front().substr(0, lines.front().find('t'));
  RC_ASSERT(lines.size() >= 3u);
  RC_ASSERT(lines[lines.size() - 2] == fence);
  for (std::size_t i = 1; i + 2 < lines.size(); ++i) {
    RC_ASSERT(lines[i].find(fence) == std::string::npos);
  }
}

RC_GTEST_PROP(MarkdownProperty, SummariesHoldNoHtml, ()) {
  const std::string html = html_prose(*nasty_text());
  RC_ASSERT(html.find_first_of("<>\"\n") == std::string::npos);
  RC_ASSERT(broken_after(html, "@"));
}

/// Fences and <details> outside fences close in order.
bool is_balanced(const std::string& markdown) {
  std::string fence;
  int details = 0;
  for (const std::string& line : split(markdown, '\n')) {
    if (!fence.empty()) {
      if (line == fence) fence.clear();
    } else if (line.starts_with("```")) {
      fence = line.substr(0, line.find_first_not_of('`'));
    } else if (line.starts_with("<details>")) {
      ++details;
    } else if (line.starts_with("</details>")) {
      if (--details < 0) return false;
    }
  }
  return fence.empty() && details == 0;
}

RC_GTEST_PROP(MarkdownProperty, CommentsFitAndAreWhole, ()) {
  Report report = hostile_report();
  const auto findings = *rc::gen::inRange(0, 60);
  const std::string text = *nasty_text();
  for (int i = 0; i < findings; ++i) {
    SampleText foreign;
    foreign.sentence = text + std::string(static_cast<std::size_t>(i) * 40, '`');
    foreign.error_map = std::string(3000, '#') + text;
    add_finding(report.rows[0], sample_finding(foreign, i % 3 == 0 ? "known" : "new", Kind::wrong));
    report.rows[0].not_shown.push_back(text + std::to_string(i));
  }
  const std::string comment = to_comment(report, {});
  RC_ASSERT(comment.size() <= comment_bytes_max);
  RC_ASSERT(comment.starts_with("<!-- illusion-gate:v1:default -->\n"));
  RC_ASSERT(is_balanced(comment));
  RC_ASSERT(is_balanced(to_step_summary(report, {}, 20'000)));
  RC_ASSERT(to_step_summary(report, {}, 20'000).size() <= 20'000u);
}

RC_GTEST_PROP(MarkdownProperty, CutsAreWhole, ()) {
  const std::string whole = to_step_summary(hostile_report(), {});
  const std::size_t limit = *rc::gen::inRange<std::size_t>(400, whole.size());
  const std::string cut = cut_markdown(whole, limit);
  RC_ASSERT(cut.size() <= limit);
  RC_ASSERT(is_balanced(cut));
}

}  // namespace
}  // namespace gate
