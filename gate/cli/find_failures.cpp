// From red verdicts to findings: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/find_failures.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "gate/explain/pattern.h"
#include "gate/worker/worker_stock.h"

namespace gate {
namespace {

/// Shrinking is the expensive part: more kinds of failure than this in one column are counted, not
/// shrunk.
constexpr std::size_t findings_max = 5;
/// Members of a group tried until one reproduces in fresh workers.
constexpr std::size_t members_tried_max = 3;
constexpr std::size_t explain_executions_max = 64;
/// Members of a group for which the base's kernel is asked.
constexpr std::size_t base_members_max = 64;
/// A failing case of this kind costs a whole case timeout each time.
constexpr std::size_t timeout_executions_max = 24;
constexpr int timeout_attempts = 3;

/// And one of this kind two workers, where a fresh one takes long.
constexpr std::size_t slow_crash_executions_max = 48;

ShrinkOptions shrink_options(const Judged& failing, const Target& target,
                             const CheckOptions& options) {
  auto budget = static_cast<std::size_t>(options.profile.shrink_executions);
  if (failing.verdict.kind == Kind::timeout) budget = std::min(budget, timeout_executions_max);
  if (failing.verdict.kind == Kind::crash && starts_slowly(target.device)) {
    budget = std::min(budget, slow_crash_executions_max);
  }
  if (options.limits.is_interrupted()) budget = 0;
  return {budget, [](const Judged& candidate, const Judged& original) {
            return same_pattern(candidate.verdict, original.verdict);
          }};
}

int attempts_for(const Judged& failing, const CheckOptions& options) {
  if (options.limits.is_interrupted()) return 1;
  const auto attempts = static_cast<int>(options.profile.confirm_runs);
  return failing.verdict.kind == Kind::timeout ? std::min(attempts, timeout_attempts) : attempts;
}

/// One bug: the same fingerprint, and the same pattern or the same smallest case.
bool same_bug(const Seed& left, const Seed& right) {
  return left.fingerprint == right.fingerprint &&
         (left.pattern == right.pattern || same_form(left.test_case, right.test_case));
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

/// Whether the base's kernel lets this case pass: a bug of the head's own, whatever a seed says.
bool is_fresh(const Judged& failing, const CheckOptions& options) {
  return options.base == nullptr || options.base->answer(failing) == BaseAnswer::passes;
}

/// A case that fails on the head and passes on the base is sought first, and kept to once there is
/// one: a known bug must not hide a second one that looks like it.
RawFailure shrink_failure(Executor& executor, const Judged& failing, const CheckOptions& options) {
  ShrinkOptions how = shrink_options(failing, executor.target(), options);
  if (options.base == nullptr || !options.base->exists()) return shrink(executor, failing, how);
  bool fresh = is_fresh(failing, options);
  how.same = [&fresh, &options, same = how.same](const Judged& candidate, const Judged& original) {
    if (!same(candidate, original)) return false;
    const bool candidate_is_fresh = is_fresh(candidate, options);
    if (fresh && !candidate_is_fresh) return false;
    fresh = candidate_is_fresh;
    return true;
  };
  return shrink(executor, failing, how);
}

/// The member of a group to shrink: the first that the base lets pass, else the first.
const Judged& representative(const FailureGroup& group, const std::vector<Judged>& judged,
                             const CheckOptions& options) {
  const Judged& first = judged[group.members.front()];
  if (options.base == nullptr || !options.base->exists()) return first;
  const std::size_t asked = group.kind == Kind::timeout ? members_tried_max : base_members_max;
  for (std::size_t i = 0; i < group.members.size() && i < asked; ++i) {
    const Judged& member = judged[group.members[i]];
    if (is_fresh(member, options)) return member;
  }
  return first;
}

/// A confirmed failure as a finding; nothing if no fresh worker reproduces it.
std::optional<Finding> finding_of(Executor& executor, const CheckOptions& options,
                                  RawFailure failure, const std::vector<Judged>& judged) {
  if (failure.confirmed == 0) {  // what was found may still hold where the shrunk one fails
    failure.shrunk = failure.first;
    failure.attempts = 0;
    confirm(executor, failure, attempts_for(failure.first, options));
  }
  if (failure.confirmed == 0) return std::nullopt;
  const std::size_t budget = options.limits.is_interrupted() ? 0 : explain_executions_max;
  Explanation explanation = explain(executor, failure, judged, budget);
  return make_finding(executor.target(), std::move(failure), std::move(explanation));
}

/// Whether two shrunk failures would be one finding: see same_bug.
bool same_smallest(const RawFailure& left, const RawFailure& right) {
  const Verdict &one = left.shrunk.verdict, &other = right.shrunk.verdict;
  return one.kind == other.kind && one.property == other.property &&
         (pattern_of(one) == pattern_of(other) ||
          same_form(left.shrunk.test_case, right.shrunk.test_case));
}

/// The finding that answers for a failure already, or -1.
int index_of_same(const std::vector<Finding>& findings, const RawFailure& failure,
                  const CheckOptions& options) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!same_smallest(findings[i].failure, failure)) continue;
    const bool compared = options.base != nullptr;
    if (compared && blocks(findings[i].novelty) != is_fresh(failure.shrunk, options)) continue;
    return static_cast<int>(i);
  }
  return -1;
}

/// Shrinks the first member of one group after the other until `room` of them differ, then confirms
/// those together: a fresh worker is the expensive part. Equals of an earlier one have no attempts.
std::vector<RawFailure> shrink_together(Executor& executor, const CheckOptions& options,
                                        const std::vector<Judged>& judged,
                                        std::span<const FailureGroup> groups, std::size_t room) {
  std::vector<RawFailure> shrunk;
  std::vector<std::size_t> distinct;
  executor.prepare_restarts(attempts_for(judged[groups.front().members.front()], options));
  for (const FailureGroup& group : groups) {
    if (distinct.size() >= room) break;
    const Judged& failing = representative(group, judged, options);
    shrunk.push_back(shrink_failure(executor, failing, options));
    const bool known = std::any_of(distinct.begin(), distinct.end(), [&](std::size_t i) {
      return same_smallest(shrunk[i], shrunk.back());
    });
    if (!known) distinct.push_back(shrunk.size() - 1);
  }
  std::map<int, std::vector<RawFailure*>> by_attempts;
  for (const std::size_t i : distinct) {
    by_attempts[attempts_for(shrunk[i].first, options)].push_back(&shrunk[i]);
  }
  for (const auto& [attempts, failures] : by_attempts) confirm_all(executor, failures, attempts);
  return shrunk;
}

/// Failures of another kind or property that only shrinking met: bugs of their own.
void add_others(Executor& executor, const TargetPlan& plan, const CheckOptions& options,
                std::vector<Finding>& findings) {
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const std::vector<Judged> others = findings[i].failure.others;
    for (const Judged& other : others) {
      const bool known = std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
        return finding.seed.kind == other.verdict.kind &&
               finding.seed.property == other.verdict.property;
      });
      if (known || findings.size() >= findings_max) continue;
      std::optional<Finding> finding = find_failure(executor, options, other, {});
      if (finding) add_finding(findings, std::move(*finding), plan, options);
    }
  }
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

BaseAnswer base_answer(const Judged& failing, bool flaky, const CheckOptions& options) {
  if (options.base == nullptr) return BaseAnswer::not_asked;
  const bool timing = flaky || failing.verdict.kind == Kind::nondeterministic;
  return options.base->answer(failing, timing ? attempts_for(failing, options) : 1);
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

std::optional<Finding> find_failure(Executor& executor, const CheckOptions& options,
                                    const Judged& failing, const std::vector<Judged>& judged) {
  RawFailure failure = shrink_failure(executor, failing, options);
  confirm(executor, failure, attempts_for(failing, options));
  return finding_of(executor, options, std::move(failure), judged);
}

int add_finding(std::vector<Finding>& findings, Finding finding, const TargetPlan& plan,
                const CheckOptions& options) {
  const bool flaky = finding.failure.confirmed < finding.failure.attempts;
  const BaseAnswer base = base_answer(finding.failure.shrunk, flaky, options);
  const Seed* committed = committed_as(finding, plan.committed);
  const bool seed_is_of_another = base == BaseAnswer::passes && committed != nullptr &&
                                  committed->status != Seed::Status::fixed;
  if (seed_is_of_another) committed = nullptr;
  finding.novelty = novelty_of({base, committed, flaky, options.date});
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!same_bug(findings[i].seed, finding.seed)) continue;
    if (blocks(findings[i].novelty) == blocks(finding.novelty)) return static_cast<int>(i);
  }
  finding.seed.number = committed != nullptr
                            ? committed->number
                            : free_number(findings, finding.seed.fingerprint, plan.committed);
  finding.seed.found_at = options.revision;
  finding.seed.found_on = options.date;
  if (options.found) options.found(finding);
  findings.push_back(std::move(finding));
  return static_cast<int>(findings.size()) - 1;
}

std::vector<Finding> find_failures(Executor& executor, const TargetPlan& plan,
                                   const CheckOptions& options, const std::vector<Judged>& judged,
                                   std::vector<FailureGroup>& groups) {
  std::vector<Finding> findings;
  for (auto next = groups.begin(); next != groups.end() && findings.size() < findings_max;) {
    std::vector<RawFailure> shrunk = shrink_together(
        executor, options, judged, {next, groups.end()}, findings_max - findings.size());
    for (RawFailure& failure : shrunk) {
      FailureGroup& group = *next++;
      group.finding = index_of_same(findings, failure, options);
      if (group.finding >= 0) continue;
      if (failure.attempts == 0) confirm(executor, failure, attempts_for(failure.first, options));
      std::optional<Finding> finding = finding_of(executor, options, std::move(failure), judged);
      const std::size_t tries = std::min(group.members.size(), members_tried_max);
      for (std::size_t i = 1; i < tries && !finding; ++i) {
        finding = find_failure(executor, options, judged[group.members[i]], judged);
      }
      group.unreproduced = !finding;
      if (finding) group.finding = add_finding(findings, std::move(*finding), plan, options);
    }
  }
  add_others(executor, plan, options, findings);
  return findings;
}

}  // namespace gate
