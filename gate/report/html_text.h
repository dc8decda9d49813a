// Pieces of the report page. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/report/summary.h"

namespace gate {

std::string_view page_text(std::string_view topic);

/// Text as HTML content or attribute value: clean, bounded, and never markup.
std::string html_escaped(const std::string& text, std::size_t bytes_max = 2000);
/// A word in a coloured pill; `word` names its class too, so it must be one of ours.
std::string html_badge(std::string_view word);
/// A <dt> and <dd>; nothing for an empty value. `value` is HTML.
std::string html_field(std::string_view name, const std::string& value);
/// Items as <ul>; nothing without items.
std::string html_list(const std::vector<std::string>& items);

/// Findings as articles, those that ask for an answer first.
std::string html_findings(const std::vector<StandingFinding>& findings);
/// An error map in text blocks as SVG; as text where it has another form.
std::string html_error_map(const std::string& map);
/// Which sizes passed and failed: a map per pair of axes. Nothing where no case was judged.
std::string html_point_maps(const ReportRow& row);
/// What green does not mean: of the run, and per row.
std::string html_limits(const Report& report);

}  // namespace gate
