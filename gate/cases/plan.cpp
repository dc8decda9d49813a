// Plans: how many entries each strategy gets, in which order, and that no two are alike.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/plan.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

#include "gate/base/hash.h"
#include "gate/base/random.h"
#include "gate/base/text.h"
#include "gate/cases/cost.h"
#include "gate/cases/generate.h"

namespace gate {
namespace {

// The first entries of a plan, so that every class of bug has met its trigger early: boundary
// sizes crossed with value classes first, then everything else at least once.
constexpr std::array<std::string_view, 16> opening = {
    "boundary", "special", "mixed",      "layouts",  "attributes", "boundary",
    "special",  "exact",   "values",     "boundary", "layouts",    "special",
    "laws",     "mixed",   "attributes", "boundary"};
// Stand-ins where a strategy of the opening does not apply or is used up.
constexpr std::array<std::string_view, 4> substitutes = {"mixed", "boundary", "values", "special"};

constexpr int attempts_max = 48;  // per entry, until a strategy counts as exhausted
constexpr std::int64_t digest_elements_max = 4096;
constexpr std::int64_t sibling_elements_max = 1 << 15;
/// Every so many entries the first sibling of a small case is a shuffle, which is watched for
/// races.
constexpr std::size_t shuffled_every = 4;

struct Share {
  const Strategy* strategy = nullptr;
  std::int64_t quota = 0, used = 0, dealt = 0;
  bool open() const { return used < quota; }
};

/// Explicit numbers first, `huge` on top of the entries, the rest in equal shares.
std::vector<Share> shares_of(const CaseSpace& space, const Profile& profile) {
  std::vector<Share> shares;
  std::vector<std::size_t> equal;
  std::int64_t left = profile.entries;
  for (const Strategy& strategy : strategy_rows()) {
    if (!is_applicable(strategy, space, profile)) continue;
    const auto number = profile.strategy_entries.find(std::string(strategy.facts.name));
    Share share{&strategy, 0, 0, 0};
    if (number != profile.strategy_entries.end()) {
      share.quota = std::min(number->second, left);
      left -= share.quota;
    } else if (strategy.sizes == Strategy::Sizes::huge) {
      share.quota = profile.huge_entries;
    } else {
      equal.push_back(shares.size());
    }
    shares.push_back(share);
  }
  for (std::size_t i = 0; i < equal.size(); ++i) {
    const auto waiting = static_cast<std::int64_t>(equal.size() - i);
    shares[equal[i]].quota = (left + waiting - 1) / waiting;
    left -= shares[equal[i]].quota;
  }
  return shares;
}

class Planner {
 public:
  Planner(const CaseSpace& space, const PlanOptions& options, const rc::Random& random)
      : space_(space),
        options_(options),
        choices_(random),
        dealer_(space, choices_.random()),
        shares_(shares_of(space, options.profile)) {}

  std::vector<Entry> run() {
    while (!is_long_enough()) {
      Share* share = next_share();
      if (share == nullptr) break;
      if (!add_entry(*share)) close(*share);
    }
    return std::move(plan_);
  }

 private:
  bool is_long_enough() const {
    return options_.first > 0 && static_cast<std::int64_t>(plan_.size()) >= options_.first;
  }

  Share* open_share(std::string_view name) {
    for (Share& share : shares_)
      if (share.strategy->facts.name == name && share.open()) return &share;
    return nullptr;
  }

  Share* next_share() {
    if (plan_.size() < opening.size()) {
      if (Share* share = open_share(opening[plan_.size()])) return share;
      for (std::size_t i = 0; i < substitutes.size(); ++i)
        if (Share* share = open_share(substitutes[(plan_.size() + i) % substitutes.size()]))
          return share;
    }
    // The strategy that is furthest behind its share.
    Share* behind = nullptr;
    for (Share& share : shares_) {
      if (!share.open()) continue;
      if (behind == nullptr || share.used * behind->quota < behind->used * share.quota)
        behind = &share;
    }
    return behind;
  }

  /// A strategy that yields nothing new passes its remaining share on.
  void close(Share& exhausted) {
    std::int64_t left = exhausted.quota - exhausted.used;
    exhausted.quota = exhausted.used;
    exhausted_.insert(exhausted.strategy);
    std::vector<Share*> heirs;
    for (Share& share : shares_)
      if (!exhausted_.contains(share.strategy) && share.strategy->sizes != Strategy::Sizes::huge)
        heirs.push_back(&share);
    for (std::size_t i = 0; left > 0 && !heirs.empty(); ++i, --left)
      ++heirs[i % heirs.size()]->quota;
  }

  bool add_entry(Share& share) {
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
      const Draft draft = dealer_.deal(*share.strategy, share.dealt);
      const auto value = generated(draft);
      // A draft that cannot be completed is dealt again, a duplicate only redrawn.
      if (!value || draft.launch) ++share.dealt;
      if (!value || !seen_.insert(identity(*value)).second) continue;
      if (!draft.launch) ++share.dealt;
      ++share.used;
      plan_.push_back({std::string(share.strategy->facts.name), *value, siblings_of(*value)});
      return true;
    }
    return false;
  }

  std::optional<Case> generated(const Draft& draft) {
    try {
      return case_generator(space_, draft)(choices_.random()).value();
    } catch (...) {  // RapidCheck reports what it cannot generate by throwing
      return std::nullopt;
    }
  }

  /// Inputs and layouts as text: equal for cases that differ only in a key that no value uses.
  std::string identity(const Case& value) const {
    if (cost_of(value, *space_.op).elements > digest_elements_max) {
      Case plain = value;
      plain.property.clear();
      return to_text(plain);
    }
    const Inputs inputs = make_inputs(value, *space_.op, space_.kernel);
    std::string text = input_digest(inputs);
    for (const Tensor& tensor : inputs.tensors) {
      if (tensor.role != Role::output) continue;
      for (const std::int64_t stride : tensor.view.strides) text += ' ' + std::to_string(stride);
      text += ':' + std::to_string(tensor.view.offset);
    }
    return text;
  }

  std::vector<Schedule> siblings_of(const Case& value) const {
    std::vector<Schedule> siblings;
    if (options_.device != "emu") return {value.schedule};  // the same again: a repeat
    const std::int64_t elements = cost_of(value, *space_.op).elements;
    const bool large = elements > sibling_elements_max;
    const bool shuffled =
        plan_.size() % shuffled_every == 1 && is_small_to_watch(value, *space_.op, *space_.kernel);
    const std::int64_t count =
        large ? std::min<std::int64_t>(1, options_.profile.schedules) : options_.profile.schedules;
    for (std::int64_t i = 0; i < count; ++i) {
      if (i == 0 && !shuffled) {
        siblings.push_back({Schedule::Order::descending, 0});
      } else {
        siblings.push_back(
            {Schedule::Order::shuffled, mix(value.key, static_cast<std::uint64_t>(i))});
      }
    }
    return siblings;
  }

  const CaseSpace& space_;
  const PlanOptions& options_;
  Choices choices_;
  Dealer dealer_;
  std::vector<Share> shares_;
  std::set<const Strategy*> exhausted_;
  std::set<std::string> seen_;
  std::vector<Entry> plan_;
};

}  // namespace

std::vector<Entry> make_plan(const OpSchema& op, const KernelSpec& kernel,
                             const std::string& column, const PlanOptions& options) {
  const CaseSpace space = make_space(op, kernel, column, options);
  for (const AxisSpace& axis : space.axes)
    if (axis.groups.empty()) return {};  // an axis without any legal size: nothing can run
  // A key of its own per kernel and column: a new op or kernel changes no other plan.
  const std::string name =
      hex64(options.run_seed) + "/" + op.name + "/" + kernel.name + "/" + column;
  return Planner(space, options, rc::Random(stable_hash(name))).run();
}

}  // namespace gate
