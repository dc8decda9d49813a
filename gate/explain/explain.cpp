// Explanation of a failure: pattern, worst element, one sentence, error map.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include "gate/base/text.h"
#include "gate/explain/error_map.h"
#include "gate/explain/failing.h"
#include "gate/explain/finding.h"
#include "gate/explain/pattern.h"

namespace gate {
namespace {

std::string worst_text(const Verdict& verdict) {
  const std::optional<Failing> failing = failing_elements(verdict);
  if (!failing || failing->comparison->worst < 0) return {};
  const Comparison& comparison = *failing->comparison;
  std::vector<std::string> index;
  for (const std::int64_t part : index_of(comparison.shape, comparison.worst)) {
    index.push_back(std::to_string(part));
  }
  return fmt::format("{}[{}]: got {}, want {}, limit {}", comparison.output, join(index, ","),
                     number_text(comparison.got), number_text(comparison.want),
                     number_text(comparison.limit));
}

std::string size_text(const Case& value) {
  std::vector<std::string> parts;
  for (const auto& [axis, size] : value.axes) parts.push_back(fmt::format("{}={}", axis, size));
  return join(parts, " ");
}

/// "wrong (tail columns: columns 4.. of 5) at rows=1 cols=5: …"
std::string sentence_of(const Judged& shrunk, const Pattern& pattern) {
  const Verdict& verdict = shrunk.verdict;
  std::string text(name(verdict.kind));
  if (verdict.property != property_value) text += " [" + verdict.property + "]";
  if (pattern.name != name(verdict.kind)) {
    text += " (" + pattern.name + (pattern.detail.empty() ? "" : ": " + pattern.detail) + ")";
  }
  const std::string sizes = size_text(shrunk.test_case);
  if (!sizes.empty()) text += " at " + sizes;
  if (!verdict.text.empty()) text += ": " + verdict.text;
  return clean_text(text, 1000);
}

}  // namespace

Explanation explain(Executor&, const RawFailure& failure, const std::vector<Judged>&, std::size_t) {
  // The pattern is read off the case as found: shrinking leaves too few elements to tell.
  const Pattern pattern = find_pattern(failure.first.verdict);
  Explanation explanation;
  explanation.pattern = pattern.name;
  explanation.pattern_detail = pattern.detail;
  explanation.worst = worst_text(failure.shrunk.verdict);
  explanation.sentence = sentence_of(failure.shrunk, pattern);
  explanation.error_map = error_map(failure.first.verdict);
  return explanation;
}

}  // namespace gate
