// Asking the base's kernel, and naming what its answer means: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/policy/novelty.h"

#include "gate/cases/inputs.h"
#include "gate/explain/pattern.h"

namespace gate {
namespace {

/// On the same case the pattern has to be the same, not merely to hold: a general one holds for
/// whatever a second bug adds.
bool is_alike(const Verdict& base, const Verdict& head) {
  if (base.kind != head.kind || base.property != head.property) return false;
  const bool same_bits = !head.output_digest.empty() && base.output_digest == head.output_digest;
  return same_bits || find_pattern(base).name == find_pattern(head).name;
}

}  // namespace

struct BaseKernel::State {
  std::optional<Target> target;
  SessionOptions session;
  Profile profile;
  SideRoots roots;
  std::optional<BuildOutcome> build;
  bool crosses = false;
  std::optional<Executor> executor;

  /// Builds once; false where the base's kernel cannot run here.
  bool ready() {
    if (!target) return false;
    if (!build) {
      build = build_kernel(*target->op, *target->kernel, target->column, target->device);
      crosses = build->kind == Kind::pass && !file_of_other_side(roots, *target).empty();
    }
    if (build->kind != Kind::pass || crosses) return false;
    if (!executor) executor.emplace(*target, *build, session, profile);
    return true;
  }

  bool fails_to_build_alike(const Judged& failing) const {
    return build && build->kind == Kind::build_failed && failing.verdict.kind == build->kind;
  }
};

BaseKernel::BaseKernel(std::optional<Target> target, SessionOptions session, Profile profile,
                       SideRoots roots)
    : state_(std::make_unique<State>()) {
  state_->target = std::move(target);
  state_->session = std::move(session);
  state_->session.journal.clear();  // the journal is the head's
  state_->profile = std::move(profile);
  state_->roots = std::move(roots);
}
BaseKernel::~BaseKernel() = default;
BaseKernel::BaseKernel(BaseKernel&&) noexcept = default;
BaseKernel& BaseKernel::operator=(BaseKernel&&) noexcept = default;

bool BaseKernel::exists() const { return state_->target.has_value(); }

BaseAnswer BaseKernel::answer(const Judged& failing, int runs) {
  State& state = *state_;
  if (!state.ready()) {
    return state.fails_to_build_alike(failing) ? BaseAnswer::fails_alike : BaseAnswer::passes;
  }
  if (!validate(failing.test_case, *state.target->op, state.target->kernel)) {
    return BaseAnswer::passes;
  }
  if (is_alike(state.executor->execute(failing.test_case), failing.verdict)) {
    return BaseAnswer::fails_alike;
  }
  for (int run = 1; run < runs; ++run) {
    state.executor->restart();
    if (is_alike(state.executor->execute_again(failing.test_case), failing.verdict)) {
      return BaseAnswer::fails_alike;
    }
  }
  return BaseAnswer::passes;
}

bool is_excused(const Seed& seed, const std::string& date) {
  return seed.status == Seed::Status::known && (seed.expires.empty() || date <= seed.expires);
}

std::string novelty_of(const NoveltyInput& input) {
  const Seed* seed = input.committed;
  if (seed != nullptr && seed->status == Seed::Status::fixed) return "regressed";
  const std::string fresh = input.flaky ? "flaky" : "new";
  switch (input.base) {
    case BaseAnswer::passes:
      return fresh;
    case BaseAnswer::not_asked:
      return seed != nullptr && is_excused(*seed, input.date) ? "known" : fresh;
    case BaseAnswer::fails_alike:
      break;
  }
  if (seed == nullptr || seed->status == Seed::Status::open) return "preexisting";
  return is_excused(*seed, input.date) ? "known" : fresh;  // expired
}

bool blocks(const std::string& novelty) { return novelty != "known" && novelty != "preexisting"; }

}  // namespace gate
