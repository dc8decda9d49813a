// GoogleTest's filter: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/filter.h"

#include <algorithm>

#include "gate/base/text.h"

namespace gate {
namespace {

std::vector<std::string> patterns_in(const std::string& text) {
  std::vector<std::string> patterns;
  for (const std::string& pattern : split(text, ':')) {
    if (!pattern.empty()) patterns.push_back(pattern);
  }
  return patterns;
}

bool any_matches(const std::vector<std::string>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return matches_glob(name, pattern); });
}

/// Position of the '-' that opens the negative patterns: the first one, as in GoogleTest, but for
/// the number of a seed test (seed/…-2), which would mean nothing as a pattern of its own.
std::size_t negative_begin(const std::string& text) {
  for (std::size_t dash = text.find('-'); dash != std::string::npos;
       dash = text.find('-', dash + 1)) {
    const std::size_t end = text.find_first_not_of("0123456789", dash + 1);
    const bool digits_follow = end != dash + 1 && dash + 1 < text.size();
    if (!digits_follow || (end != std::string::npos && text[end] != ':')) return dash;
  }
  return std::string::npos;
}

}  // namespace

TestFilter::TestFilter(const std::string& text) {
  const std::size_t dash = negative_begin(text);
  positive_ = patterns_in(text.substr(0, dash));
  if (dash != std::string::npos) negative_ = patterns_in(text.substr(dash + 1));
  if (positive_.empty() && dash == 0) positive_ = {"*"};
}

bool TestFilter::matches(const std::string& full_name) const {
  return any_matches(positive_, full_name) && !any_matches(negative_, full_name);
}

bool TestFilter::selects_all() const {
  return negative_.empty() && positive_ == std::vector<std::string>{"*"};
}

}  // namespace gate
