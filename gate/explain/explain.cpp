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

/// "exactly when cols % 128 != 0"
std::string when_text(const Core& core) {
  if (core.failing == 0) return "under conditions that were not learnt";
  if (core.rule.conditions.empty()) return core.passing == 0 ? "in every case" : "in most cases";
  const bool exact = core.passing_met == 0 && core.failing_met == core.failing;
  const char* how = exact ? "exactly when " : core.passing_met == 0 ? "when " : "mostly when ";
  return how + core.rule.text();
}

/// "wrong: 2 times the right result, exactly when x is not all zero; smallest case rows=1 cols=1"
std::string sentence_of(const Judged& shrunk, const Explanation& explanation, const Core& core) {
  const Verdict& verdict = shrunk.verdict;
  std::string text(name(verdict.kind));
  if (verdict.property != property_value) text += " [" + verdict.property + "]";
  // A cause says more than how far the error reaches, and nothing of where it is.
  const bool say_pattern = explanation.pattern != name(verdict.kind) &&
                           (explanation.cause.text.empty() || tells_place(explanation.pattern));
  std::vector<std::string> what;
  if (say_pattern) {
    what.push_back(pattern_phrase({explanation.pattern, explanation.pattern_detail}));
  }
  if (!explanation.cause.text.empty()) what.push_back(explanation.cause.text);
  if (!what.empty()) text += ": " + join(what, ", ");
  text += ", " + when_text(core);
  const std::string sizes = size_text(shrunk.test_case);
  if (!sizes.empty()) text += "; smallest case " + sizes;
  return clean_text(text, 1000);
}

/// "fails exactly when cols % 128 != 0 (41 of 41 failing, 0 of 63 passing cases)"
std::string core_text(const Core& core) {
  if (core.failing == 0) return {};
  return fmt::format("fails {} ({} of {} failing, {} of {} passing cases)", when_text(core),
                     core.failing_met, core.failing, core.passing_met, core.passing);
}

void take_core(Explanation& explanation, const Core& core) {
  explanation.core = core_text(core);
  for (std::size_t i = 0; i < core.rule.conditions.size(); ++i) {
    explanation.conditions.push_back({core.rule.conditions[i].text, core.passing_without[i]});
  }
  explanation.failing_met = core.failing_met;
  explanation.failing = core.failing;
  explanation.passing_met = core.passing_met;
  explanation.passing = core.passing;
  explanation.executions = core.executions;
  explanation.rule = core.rule;
}

/// Everything but core and cause.
Explanation described(Evidence& evidence, const RawFailure& failure, const Core& core,
                      Explanation explanation) {
  const Verdict& first = failure.first.verdict;
  // The pattern is read off cases as found: shrinking leaves too few elements to tell.
  const bool special = first.property == property_special;
  const Pattern pattern = common_pattern(first, evidence.met_by(core.rule, first.kind, special));
  explanation.pattern = pattern.name;
  explanation.pattern_detail = pattern.detail;
  explanation.worst = worst_text(failure.shrunk.verdict);
  explanation.error_map = error_map(first);
  take_core(explanation, core);
  explanation.sentence = sentence_of(failure.shrunk, explanation, core);
  return explanation;
}

}  // namespace

Explanation explain(Evidence& evidence, const RawFailure& failure, std::size_t executions_max) {
  const Case& shrunk = failure.shrunk.test_case;
  Core core = evidence.core_of(failure, shrunk, executions_max);
  Explanation explanation;
  if (executions_max > 0) explanation.cause = evidence.cause_of(core, failure);
  if (explanation.cause.text.empty() || core.failing_met == core.failing) {
    return described(evidence, failure, core, std::move(explanation));
  }
  // What the smallest case shows may be the rim of the bug; the case as found is its middle.
  const Case& first = failure.first.test_case;
  if (evidence.cause_holds(explanation.cause, first)) {
    const Core other = evidence.core_of(failure, first, executions_max / 2);
    const bool wider = other.failing_met * core.failing > core.failing_met * other.failing;
    const std::size_t executions = core.executions + other.executions;
    if (wider && other.passing_met <= core.passing_met) core = other;
    core.executions = executions;
  }
  return described(evidence, failure, core, std::move(explanation));
}

bool same_cause(const Finding& left, const Finding& right) {
  const std::string& text = left.explanation.cause.text;
  if (text.empty() || text != right.explanation.cause.text) return false;
  return left.seed.kind == right.seed.kind && left.column == right.column;
}

bool accounts_for(Evidence& evidence, const Finding& finding, const Judged& other) {
  const Seed& seed = finding.seed;
  const Verdict& verdict = other.verdict;
  if (finding.explanation.failing == 0 || seed.kind != verdict.kind) return false;
  const bool covers_special =
      seed.property == property_value && verdict.property == property_special;
  if (seed.property != verdict.property && !covers_special) return false;
  if (contradicts(verdict, finding.explanation.pattern)) return false;
  const std::vector<double>& values = evidence.values_of(other);
  if (!values.empty() && finding.explanation.rule.holds(values)) return true;
  return evidence.cause_holds(finding.explanation.cause, other.test_case);
}

Explanation explain(Executor& executor, const RawFailure& failure,
                    const std::vector<Judged>& judged, std::size_t executions_max) {
  Evidence evidence(executor, judged);
  return explain(evidence, failure, executions_max);
}

}  // namespace gate
