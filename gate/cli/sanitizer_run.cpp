// Which cases the tools see, and what becomes of their words.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/sanitizer_run.h"

#include "gate/cli/find_failures.h"
#include "gate/explain/pattern.h"
#include "gate/search/sanitized.h"

namespace gate {
namespace {

constexpr std::size_t entries_max = 8;
constexpr std::int64_t elements_max = 65'536;  // every instruction is watched

bool is_asked(const TargetPlan& plan, const CheckOptions& options) {
  return options.sanitizer && plan.target.device == "cuda" && !options.limits.over();
}

Finding finding_from(const TargetPlan& plan, Judged judged, std::string words) {
  Explanation explanation;
  explanation.pattern = pattern_of(judged.verdict);
  explanation.sentence = judged.verdict.text;
  RawFailure failure;
  failure.first = failure.shrunk = std::move(judged);
  failure.confirmed = failure.attempts = 2;  // among others, and alone
  Finding finding = make_finding(plan.target, std::move(failure), std::move(explanation));
  finding.sanitizer = std::move(words);
  return finding;
}

}  // namespace

void sanitize_entries(Executor& executor, const TargetPlan& plan, const CheckOptions& options,
                      TargetResult& result) {
  if (!is_asked(plan, options) || !result.findings.empty()) return;
  std::vector<std::size_t> chosen;
  std::vector<Case> cases;
  for (std::size_t i = 0; i < plan.entries.size() && chosen.size() < entries_max; ++i) {
    const Case& value = plan.entries[i].test_case;
    if (result.entries[i].kind != Kind::pass) continue;
    if (cost_of(value, *plan.target.op).elements > elements_max) continue;
    chosen.push_back(i);
    cases.push_back(value);
  }
  if (cases.empty()) return;
  const auto together = sanitize_cases(executor, options.session, cases);
  if (!sanitizer_verdict(together, cases.front())) return;
  for (std::size_t at = 0; at < cases.size() && result.findings.empty(); ++at) {
    const auto alone = sanitize_cases(executor, options.session, {cases[at]});
    const std::optional<Verdict> verdict = sanitizer_verdict(alone, cases[at]);
    if (!verdict) continue;
    const std::size_t i = chosen[at];
    Finding finding = finding_from(
        plan, {plan.numbers[i], plan.entries[i].strategy, cases[at], *verdict}, to_text(alone));
    EntryResult& entry = result.entries[i];
    entry.kind = verdict->kind;
    entry.text = verdict->text;
    entry.finding = add_finding(result.findings, std::move(finding), plan, options);
    result.first_finding = static_cast<std::int64_t>(plan.numbers[i]) + 1;
  }
}

void add_sanitizer_words(Executor& executor, const CheckOptions& options, TargetResult& result) {
  if (!options.sanitizer || executor.target().device != "cuda") return;
  for (Finding& finding : result.findings) {
    if (!finding.sanitizer.empty() || options.limits.is_interrupted()) continue;
    const Case& value = finding.failure.shrunk.test_case;
    finding.sanitizer = to_text(sanitize_cases(executor, options.session, {value}));
  }
}

}  // namespace gate
