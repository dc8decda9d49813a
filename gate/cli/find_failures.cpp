// From red verdicts to findings: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/find_failures.h"

#include <algorithm>
#include <map>

#include "gate/explain/pattern.h"
#include "gate/search/confirm.h"
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
/// Members of a group for which the base's kernel is asked.
constexpr std::size_t base_members_max = 64;
/// A failing case of this kind costs a whole case timeout each time.
constexpr std::size_t timeout_executions_max = 24;
/// And one of this kind two workers, where a fresh one takes long.
constexpr std::size_t slow_crash_executions_max = 48;

/// Whether the base's kernel lets this case pass: a bug of the head's own, whatever a seed says.
bool is_fresh(const Judged& failing, const CheckOptions& options) {
  return options.base == nullptr || options.base->answer(failing) == BaseAnswer::passes;
}

/// The finding that accounts for a failure, or -1. What the base has already must not hide what the
/// head brings, however alike.
int answer_among(Evidence& evidence, const CheckOptions& options,
                 const std::vector<Finding>& findings, const Judged& failing) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!accounts_for(evidence, findings[i], failing)) continue;
    const bool compared = options.base != nullptr;
    if (compared && blocks(findings[i].novelty) != is_fresh(failing, options)) continue;
    return static_cast<int>(i);
  }
  return -1;
}

ShrinkOptions shrink_options(Evidence& evidence, const CheckOptions& options, const Judged& failing,
                             const std::vector<Finding>& earlier) {
  auto budget = static_cast<std::size_t>(options.profile.shrink_executions);
  if (failing.verdict.kind == Kind::timeout) budget = std::min(budget, timeout_executions_max);
  const bool slow = starts_slowly(evidence.executor().target().device);
  if (failing.verdict.kind == Kind::crash && slow) {
    budget = std::min(budget, slow_crash_executions_max);
  }
  if (options.limits.is_interrupted()) budget = 0;
  return {budget, [&](const Judged& candidate, const Judged& original) {
            return same_pattern(candidate.verdict, original.verdict) &&
                   answer_among(evidence, options, earlier, candidate) < 0;
          }};
}

/// A case that fails on the head and passes on the base is sought first, and kept to once there is
/// one: a known bug must not hide a second one that looks like it.
RawFailure shrink_failure(Evidence& evidence, const CheckOptions& options, const Judged& failing,
                          const std::vector<Finding>& earlier) {
  ShrinkOptions how = shrink_options(evidence, options, failing, earlier);
  if (options.base == nullptr || !options.base->exists()) {
    return shrink(evidence.executor(), failing, how);
  }
  bool fresh = is_fresh(failing, options);
  how.same = [&fresh, &options, same = how.same](const Judged& candidate, const Judged& original) {
    if (!same(candidate, original)) return false;
    const bool candidate_is_fresh = is_fresh(candidate, options);
    if (fresh && !candidate_is_fresh) return false;
    fresh = candidate_is_fresh;
    return true;
  };
  return shrink(evidence.executor(), failing, how);
}

/// Confirms a shrunk failure; what was found may still hold where the shrunk one does not.
bool confirm_or_return(Executor& executor, const CheckOptions& options, RawFailure& failure) {
  const int attempts = attempts_for(failure.first, options);
  const auto ask = [&] {
    failure.attempts = 0;
    if (options.confirmers != nullptr) return options.confirmers->confirm(failure, attempts);
    confirm(executor, failure, attempts);
  };
  ask();
  if (failure.confirmed > 0) return true;
  failure.shrunk = failure.first;
  ask();
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
  const Kind kind = failure.first.verdict.kind;
  return kind == Kind::timeout || kind == Kind::crash ? 0 : explain_executions_max;
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
    const Judged& failing = settling.judged[member];
    by_finding[answer_among(evidence, settling.options, settling.findings, failing)].push_back(
        member);
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
int index_of_cause(const std::vector<Finding>& findings, const Finding& finding,
                   const CheckOptions& options) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!same_cause(findings[i], finding)) continue;
    const bool compared = options.base != nullptr;
    const bool fresh = is_fresh(finding.failure.shrunk, options);
    if (!compared || blocks(findings[i].novelty) == fresh) return static_cast<int>(i);
  }
  return -1;
}

/// Members that the base lets pass come first: what the head brings is what matters.
void put_fresh_first(const Settling& settling, const FailureGroup& group,
                     std::vector<std::size_t>& members) {
  const CheckOptions& options = settling.options;
  if (options.base == nullptr || !options.base->exists()) return;
  const std::size_t asked = group.kind == Kind::timeout ? members_tried_max : base_members_max;
  const auto end = members.begin() + static_cast<std::ptrdiff_t>(std::min(asked, members.size()));
  std::stable_partition(members.begin(), end, [&](std::size_t member) {
    return is_fresh(settling.judged[member], options);
  });
}

void settle_group(Evidence& evidence, const Settling& settling, const FailureGroup& group,
                  std::vector<FailureGroup>& settled) {
  std::vector<std::size_t> open = group.members;
  take_answered(evidence, settling, group, {open, settled});
  put_fresh_first(settling, group, open);
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
    part.finding = index_of_cause(settling.findings, *finding, settling.options);
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
  RawFailure failure = shrink_failure(evidence, options, failing, earlier);
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
