// From red verdicts to findings: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/find_failures.h"

#include <algorithm>
#include <map>
#include <set>

#include "gate/explain/pattern.h"
#include "gate/worker/worker_stock.h"

namespace gate {
namespace {

/// Shrinking is the expensive part: more kinds of failure than this in one column are counted, not
/// shrunk.
constexpr std::size_t findings_max = 5;
/// Members of a group tried until one reproduces in fresh workers.
constexpr std::size_t members_tried_max = 3;
/// Findings that one group is split into.
constexpr std::size_t parts_max = 3;
constexpr std::size_t explain_executions_max = 64;
/// A failing case of this kind costs a whole case timeout each time.
constexpr std::size_t timeout_executions_max = 24;
constexpr int timeout_attempts = 3;

/// And one of this kind two workers, where a fresh one takes long.
constexpr std::size_t slow_crash_executions_max = 48;

ShrinkOptions shrink_options(Evidence& evidence, const CheckOptions& options, const Judged& failing,
                             const std::vector<Finding>& earlier) {
  auto budget = static_cast<std::size_t>(options.profile.shrink_executions);
  if (failing.verdict.kind == Kind::timeout) budget = std::min(budget, timeout_executions_max);
  if (failing.verdict.kind == Kind::crash && starts_slowly(evidence.executor().target().device)) {
    budget = std::min(budget, slow_crash_executions_max);
  }
  if (options.limits.is_interrupted()) budget = 0;
  return {budget, [&](const Judged& candidate, const Judged& original) {
            return same_pattern(candidate.verdict, original.verdict) &&
                   answering(evidence, earlier, candidate) < 0;
          }};
}

int attempts_for(const Judged& failing, const CheckOptions& options) {
  if (options.limits.is_interrupted()) return 1;
  const auto attempts = static_cast<int>(options.profile.confirm_runs);
  return failing.verdict.kind == Kind::timeout ? std::min(attempts, timeout_attempts) : attempts;
}

/// A committed seed answers for its own case, and for its pattern where the sizes agree with it.
bool same_bug(const Seed& committed, const Seed& found) {
  return committed.fingerprint == found.fingerprint &&
         (committed.test_case == found.test_case || committed.pattern == found.pattern ||
          same_form(committed.test_case, found.test_case));
}

const Seed* committed_as(const Finding& finding, const std::vector<Seed>& committed) {
  const auto at = std::find_if(committed.begin(), committed.end(),
                               [&](const Seed& seed) { return same_bug(seed, finding.seed); });
  return at == committed.end() ? nullptr : &*at;
}

int free_number(const std::vector<Finding>& findings, const std::string& fingerprint,
                const std::vector<Seed>& committed) {
  std::set<int> taken;
  for (const Finding& finding : findings) {
    if (finding.seed.fingerprint == fingerprint) taken.insert(finding.seed.number);
  }
  for (const Seed& seed : committed) {
    if (seed.fingerprint == fingerprint) taken.insert(seed.number);
  }
  int number = 1;
  while (taken.count(number) > 0) ++number;
  return number;
}

void name_novelty(Finding& finding, const Seed* committed, const std::string& date) {
  const RawFailure& failure = finding.failure;
  finding.novelty = failure.confirmed < failure.attempts ? "flaky" : "new";
  if (committed == nullptr) return;
  if (is_excused(*committed, date)) finding.novelty = "known";
  if (committed->status == Seed::Status::fixed) finding.novelty = "regressed";
}

/// Confirms a shrunk failure; what was found may still hold where the shrunk one does not.
bool confirm_or_return(Executor& executor, const CheckOptions& options, RawFailure& failure) {
  const int attempts = attempts_for(failure.first, options);
  executor.prepare_restarts(attempts);
  confirm(executor, failure, attempts);
  if (failure.confirmed > 0) return true;
  failure.shrunk = failure.first;
  failure.attempts = 0;
  confirm(executor, failure, attempts);
  return failure.confirmed > 0;
}

/// Conditions of earlier findings of the same kind.
std::vector<Rule> rules_of(const std::vector<Finding>& findings, const Verdict& verdict) {
  std::vector<Rule> rules;
  for (const Finding& finding : findings) {
    const bool learnt = finding.explanation.failing > 0;
    if (learnt && finding.seed.kind == verdict.kind) rules.push_back(finding.explanation.rule);
  }
  return rules;
}

/// Further cases for explaining: none where each may cost a timeout or a worker.
std::size_t explain_budget(const RawFailure& failure, const CheckOptions& options) {
  if (options.limits.is_interrupted()) return 0;
  const bool costly =
      failure.first.verdict.kind == Kind::timeout || failure.first.verdict.kind == Kind::crash;
  return costly ? 0 : explain_executions_max;
}

/// Failures of another kind or property that only shrinking met: bugs of their own.
void add_others(Evidence& evidence, const TargetPlan& plan, const CheckOptions& options,
                std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::vector<Judged> others = findings[i].failure.others;
    for (const Judged& other : others) {
      const bool known = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.seed.kind == other.verdict.kind &&
               finding.seed.property == other.verdict.property;
      });
      if (known || findings.size() >= findings_max) continue;
      std::optional<Finding> finding = find_failure(evidence, options, other, {});
      if (finding) add_finding(findings, std::move(*finding), plan, options);
    }
  }
}

/// What settling a group reads and adds to.
struct Settling {
  const TargetPlan& plan;
  const CheckOptions& options;
  const std::vector<Judged>& judged;
  std::vector<Finding>& findings;
};

/// Moves the members that a finding accounts for out of `open`, to a group of their own.
void take_answered(Evidence& evidence, const Settling& settling, const FailureGroup& group,
                   std::pair<std::vector<std::size_t>&, std::vector<FailureGroup>&> open_settled) {
  auto& [open, settled] = open_settled;
  std::map<int, std::vector<std::size_t>> by_finding;
  for (const std::size_t member : open) {
    by_finding[answering(evidence, settling.findings, settling.judged[member])].push_back(member);
  }
  open.clear();
  for (auto& [finding, members] : by_finding) {
    if (finding < 0) {
      open = std::move(members);
      continue;
    }
    FailureGroup part{group.kind,         group.property, group.pattern,
                      std::move(members), finding,        false};
    settled.push_back(std::move(part));
  }
}

/// The finding that computes the same instead of what is right, or -1.
int index_of_cause(const std::vector<Finding>& findings, const Finding& finding) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (same_cause(findings[i], finding)) return static_cast<int>(i);
  }
  return -1;
}

void settle_group(Evidence& evidence, const Settling& settling, const FailureGroup& group,
                  std::vector<FailureGroup>& settled) {
  std::vector<std::size_t> open = group.members;
  take_answered(evidence, settling, group, {open, settled});
  for (std::size_t parts = 0; !open.empty() && parts < parts_max; ++parts) {
    if (settling.findings.size() >= findings_max) break;
    std::optional<Finding> finding;
    const std::size_t tries = std::min(open.size(), members_tried_max);
    std::size_t member = 0;
    for (std::size_t i = 0; i < tries && !finding; ++i) {
      member = open[i];
      finding =
          find_failure(evidence, settling.options, settling.judged[member], settling.findings);
    }
    FailureGroup part{group.kind, group.property, group.pattern, {member}, -1, !finding};
    if (!finding) {
      part.members = std::move(open);
      settled.push_back(std::move(part));
      return;
    }
    part.finding = index_of_cause(settling.findings, *finding);
    if (part.finding < 0) {
      part.finding =
          add_finding(settling.findings, std::move(*finding), settling.plan, settling.options);
    }
    settled.push_back(std::move(part));
    std::erase(open, member);
    take_answered(evidence, settling, group, {open, settled});
  }
  if (!open.empty())
    settled.push_back({group.kind, group.property, group.pattern, open, -1, false});
}

}  // namespace

bool same_form(const Case& left, const Case& right) {
  const auto layout_of = [](const Case& value) {
    Case form = value;
    for (auto& [name, tensor] : form.tensors) {
      tensor.profile.clear();
      tensor.elements.clear();
    }
    return form.tensors;
  };
  return left.column == right.column && left.axes == right.axes &&
         left.attributes == right.attributes && layout_of(left) == layout_of(right);
}

bool is_excused(const Seed& seed, const std::string& date) {
  return seed.status == Seed::Status::known && (seed.expires.empty() || date <= seed.expires);
}

std::vector<FailureGroup> group_failures(const std::vector<Judged>& judged) {
  std::vector<FailureGroup> groups;
  for (std::size_t i = 0; i < judged.size(); ++i) {
    const Verdict& verdict = judged[i].verdict;
    if (colour(verdict.kind) != Colour::red) continue;
    FailureGroup fresh{verdict.kind, verdict.property, pattern_of(verdict), {}, -1, false};
    const auto at = std::find_if(groups.begin(), groups.end(), [&](const FailureGroup& group) {
      return group.kind == fresh.kind && group.property == fresh.property &&
             group.pattern == fresh.pattern;
    });
    FailureGroup& group = at == groups.end() ? groups.emplace_back(std::move(fresh)) : *at;
    group.members.push_back(i);
  }
  return groups;
}

std::optional<Finding> find_failure(Evidence& evidence, const CheckOptions& options,
                                    const Judged& failing, const std::vector<Finding>& earlier) {
  Executor& executor = evidence.executor();
  RawFailure failure =
      shrink(executor, failing, shrink_options(evidence, options, failing, earlier));
  if (!confirm_or_return(executor, options, failure)) return std::nullopt;
  evidence.set_aside(rules_of(earlier, failing.verdict));
  Explanation explanation = explain(evidence, failure, explain_budget(failure, options));
  return make_finding(executor.target(), std::move(failure), std::move(explanation));
}

int answering(Evidence& evidence, const std::vector<Finding>& findings, const Judged& failing) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (accounts_for(evidence, findings[i], failing)) return static_cast<int>(i);
  }
  return -1;
}

int add_finding(std::vector<Finding>& findings, Finding finding, const TargetPlan& plan,
                const CheckOptions& options) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Seed& known = findings[i].seed;
    if (known.fingerprint == finding.seed.fingerprint && known.test_case == finding.seed.test_case)
      return static_cast<int>(i);
  }
  const Seed* committed = committed_as(finding, plan.committed);
  finding.seed.number = committed != nullptr
                            ? committed->number
                            : free_number(findings, finding.seed.fingerprint, plan.committed);
  finding.seed.found_at = options.revision;
  finding.seed.found_on = options.date;
  name_novelty(finding, committed, options.date);
  if (options.found) options.found(finding);
  findings.push_back(std::move(finding));
  return static_cast<int>(findings.size()) - 1;
}

std::vector<Finding> find_failures(Evidence& evidence, const TargetPlan& plan,
                                   const CheckOptions& options, const std::vector<Judged>& judged,
                                   std::vector<FailureGroup>& groups) {
  std::vector<Finding> findings;
  std::vector<FailureGroup> settled;
  // Plain values first: special ones may only show the same bug again.
  std::stable_partition(groups.begin(), groups.end(), [](const FailureGroup& group) {
    return group.property != property_special;
  });
  for (const FailureGroup& group : groups) {
    settle_group(evidence, {plan, options, judged, findings}, group, settled);
  }
  groups = std::move(settled);
  add_others(evidence, plan, options, findings);
  return findings;
}

}  // namespace gate
