// A finding gets its number, novelty and origin, and joins the others of its column.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "gate/cli/find_failures.h"

namespace gate {
namespace {

constexpr int timeout_attempts = 3;

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

}  // namespace

int attempts_for(const Judged& failing, const CheckOptions& options) {
  if (options.limits.is_interrupted()) return 1;
  const auto attempts = static_cast<int>(options.profile.confirm_runs);
  return failing.verdict.kind == Kind::timeout ? std::min(attempts, timeout_attempts) : attempts;
}

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
    const Seed& known = findings[i].seed;
    const bool same =
        known.fingerprint == finding.seed.fingerprint && known.test_case == finding.seed.test_case;
    if (same && blocks(findings[i].novelty) == blocks(finding.novelty)) return static_cast<int>(i);
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

}  // namespace gate
