// The report page: nothing a kernel says becomes markup, and maps show what the points say.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "gate/report/html.h"
#include "gate/report/html_text.h"
#include "gate/test/golden/sample_report.h"
#include "gate/test/golden/situations.h"

namespace gate {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

/// Void elements closed, so that an XML reader can check the nesting.
bool is_well_formed(std::string html) {
  for (const char* element : {"<meta "}) {
    for (std::size_t at = html.find(element); at != std::string::npos;
         at = html.find(element, at + 1)) {
      html.insert(html.find('>', at), "/");
    }
  }
  pugi::xml_document document;
  return static_cast<bool>(document.load_string(html.c_str()));
}

TEST(ReportPage, hostile_texts_stay_text) {
  const std::string html = to_html(hostile_report());
  EXPECT_TRUE(is_well_formed(html));
  EXPECT_EQ(count_of(html, "<script"), 0u);
  EXPECT_EQ(count_of(html, "<img"), 0u);
  EXPECT_EQ(count_of(html, "<!--"), 0u);
  EXPECT_EQ(count_of(html, " style="), 0u);
  EXPECT_EQ(count_of(html, "href=\"http"), 0u);
  EXPECT_EQ(count_of(html, "src="), count_of(html, "&lt;img src="));
  EXPECT_EQ(html.find('\x1b'), std::string::npos);
  EXPECT_EQ(html.find("\u202E"), std::string::npos);
}

TEST(ReportPage, every_situation_is_well_formed_and_has_its_policy) {
  for (const Report& report :
       {red_report(), green_report(), situations::sample_report(), Report{}}) {
    const std::string html = to_html(report);
    EXPECT_TRUE(is_well_formed(html));
    EXPECT_EQ(count_of(html, "default-src 'none'; style-src 'sha256-"), 1u);
  }
}

TEST(ReportPage, a_map_has_a_dot_a_cross_or_a_ring_per_place) {
  ReportRow row = situations::sample_clean_row();
  row.coverage.points.push_back({{2, 2}, 0, 4, 0});
  const std::string map = html_point_maps(row);
  EXPECT_EQ(count_of(map, "class=\"dot\""), 4u);
  EXPECT_EQ(count_of(map, "class=\"cross\""), 1u);
  EXPECT_EQ(count_of(map, "class=\"ring\""), 1u);
  row.coverage.points.clear();
  EXPECT_TRUE(html_point_maps(row).empty());
}

TEST(ReportPage, error_maps_are_drawn_and_other_texts_shown) {
  const std::string map = html_error_map("y: 2 rows x 3 columns\n..#\n.NN\n");
  EXPECT_EQ(count_of(map, "<rect"), 4u);
  EXPECT_NE(map.find("y: 2 rows x 3 columns"), std::string::npos);
  EXPECT_NE(html_error_map("no <map> here").find("&lt;map&gt;"), std::string::npos);
}

}  // namespace
}  // namespace gate
