// Foreign text inside Markdown that GitHub renders. Whatever a kernel, a branch or a file name
// says, it stays text: no markup, HTML, link, image, mention, reference or comment end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gate {

/// One line of prose. Every character that could mean something is escaped, and mentions,
/// references, links and emoji names are broken by a zero-width space.
std::string markdown_prose(std::string_view text, std::size_t bytes_max = 2000);
/// One line in a code span, safe in table cells: identifiers, cases, digests.
std::string markdown_code(std::string_view text, std::size_t bytes_max = 500);
/// A fenced block whose fence is longer than any run of backticks inside; the text stays exact but
/// for unsafe characters, so that it can be copied.
std::string markdown_block(std::string_view text, std::string_view language,
                           std::size_t bytes_max = 64 * 1024);
/// One line inside HTML that Markdown passes through (<summary>).
std::string html_prose(std::string_view text, std::size_t bytes_max = 500);
/// A link to an address of ours around Markdown that is safe already; only that if the address is
/// not plain.
std::string markdown_link(std::string_view markdown, std::string_view address);

/// Cuts at a line end at or below `bytes_max` and closes what the cut left open: a fence, then
/// <details>. A text that fits is returned as it is.
std::string cut_markdown(const std::string& text, std::size_t bytes_max);

}  // namespace gate
