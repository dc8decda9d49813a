// GoogleTest's filter: patterns joined by ':', negative ones after the first '-', * and ? as
// wildcards, matched against "<suite>.<test>". Applied here and not by GoogleTest, because what is
// selected has to be known before anything runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gate {

class TestFilter {
 public:
  explicit TestFilter(const std::string& text = "*");
  bool matches(const std::string& full_name) const;
  bool selects_all() const;

 private:
  std::vector<std::string> positive_, negative_;
};

}  // namespace gate
