// Decks of a plan and how drafts are dealt from them.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/draft.h"

#include <algorithm>

namespace gate {
namespace {

/// Every profile once, and plain data in about a quarter of the deals: structural bugs show there.
std::vector<std::string> plain_cards(const TensorSpace& tensor) {
  std::vector<std::string> cards = tensor.plain;
  cards.insert(cards.end(), (tensor.plain.size() + 2) / 3, tensor.generic);
  return cards;
}

std::vector<std::string> exact_cards(const TensorSpace& tensor) {
  std::vector<std::string> cards = tensor.exact;
  if (cards.size() > 1) std::erase(cards, "zeros");
  return cards;
}

/// How often a tensor gets plain data. Indices and masks are as telling by their structure.
int generic_percent(const Strategy& strategy, const TensorSpace& tensor, bool in_focus) {
  if (in_focus) return 100 - strategy.focus_percent;
  return facts(tensor.dtype).is_float ? strategy.generic_percent
                                      : std::min(strategy.generic_percent, 50);
}

}  // namespace

Dealer::Dealer(const CaseSpace& space, const rc::Random& random) : space_(space), choices_(random) {
  std::vector<std::pair<std::size_t, std::size_t>> focus;
  std::vector<std::size_t> axes, launch_axes;
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    groups_.emplace_back(space.axes[axis].tickets);
    axes.push_back(axis);
    for (const std::size_t group : space.axes[axis].tickets) focus.emplace_back(axis, group);
    if (!space.axes[axis].launch.empty()) launch_axes.push_back(axis);
  }
  focus_ = Deck(focus);
  launch_axes_ = Deck(launch_axes);
  launches_ = std::ssize(launch_axes);
  smallest_axes_ = Deck(axes);
  budgets_ = Deck<std::size_t>({0, 0, 0, 1, 1, 2});
  for (const Attribute* attribute : space.swept)
    attributes_[attribute->name] = swept_[attribute->name] = Deck(attribute->values);
  std::vector<std::string> inputs;
  std::vector<std::string> odd_tensors;
  std::vector<Named> specials;
  for (const TensorSpace& tensor : space.tensors) {
    const std::string& name = tensor.schema->name;
    if (!tensor.layouts.empty()) odd_tensors.push_back(name);
    layouts_[name] = Deck(tensor.layouts);
    if (!tensor.input) continue;
    inputs.push_back(name);
    plain_[name] = Deck(plain_cards(tensor));
    exact_[name] = Deck(exact_cards(tensor));
    for (const std::string& profile : tensor.special) specials.emplace_back(name, profile);
  }
  focus_inputs_ = Deck(inputs);
  laws_ = Deck(space.op->contract.laws);
  // NaN in every operand and masks come before infinities.
  choices_.shuffle(specials);
  std::stable_partition(specials.begin(), specials.end(),
                        [](const Named& pair) { return pair.second != "inf"; });
  special_ = Deck<Named>::in_order(specials);
  odd_tensors_ = Deck(odd_tensors);
}

Draft Dealer::deal(const Strategy& strategy, std::int64_t ordinal) {
  Draft draft;
  draft.strategy = &strategy;
  if (strategy.law) draft.property = std::string(property_law_prefix) + laws_.draw(choices_);
  if (strategy.values == Strategy::Values::special) draft.property = property_special;
  deal_sizes(draft, ordinal);
  deal_profiles(draft);
  const bool telling = is_telling(draft);
  deal_attributes(draft, telling);
  deal_layout(draft, telling);
  first_ = false;
  return draft;
}

void Dealer::deal_sizes(Draft& draft, std::int64_t ordinal) {
  draft.budget = static_cast<int>(budgets_.draw(choices_));
  draft.groups.assign(space_.axes.size(), 0);
  if (space_.axes.empty()) return;
  const Strategy& strategy = *draft.strategy;
  if (strategy.sizes == Strategy::Sizes::traced) {
    draft.traced = &space_.traced[static_cast<std::size_t>(ordinal) % space_.traced.size()];
    return;
  }
  // Every other boundary entry goes to an extreme at first: the launch limits, which need one huge
  // axis and nothing else, then each axis at its smallest.
  const auto count = std::ssize(space_.axes);
  const std::int64_t turn = ordinal % 2 == 1 ? ordinal / 2 : -1;
  const bool boundary = strategy.sizes == Strategy::Sizes::boundary && !strategy.several;
  draft.launch = boundary && turn >= 0 && turn < launches_;
  const bool smallest = boundary && turn >= launches_ && turn < launches_ + count;
  if (draft.launch || strategy.sizes == Strategy::Sizes::huge) draft.budget = budget_levels - 1;
  if (draft.launch) {
    draft.focus_axis = launch_axes_.draw(choices_);
    return;  // its size is known, the other axes are tiny
  }
  // Where an axis has to have several parts, the class of size 1 waits for its turn.
  const auto suits = [&](std::size_t axis, std::size_t group) {
    return !strategy.several || space_.axes[axis].groups[group].high > 1;
  };
  if (smallest) {
    draft.focus_axis = smallest_axes_.draw(choices_);
  } else {
    const auto& [axis, group] =
        focus_.draw(choices_, [&](const auto& pair) { return suits(pair.first, pair.second); });
    draft.focus_axis = axis;
    draft.groups[axis] = group;
  }
  for (std::size_t axis = 0; axis < groups_.size(); ++axis) {
    if (axis == draft.focus_axis) continue;
    draft.groups[axis] =
        groups_[axis].draw(choices_, [&](std::size_t card) { return suits(axis, card); });
  }
}

/// Whether faults of structure can show: no axis of size 1, no input that is nearly all equal.
bool Dealer::is_telling(const Draft& draft) const {
  for (std::size_t axis = 0; axis < draft.groups.size(); ++axis)
    if (draft.launch || space_.axes[axis].groups[draft.groups[axis]].high <= 1) return false;
  return std::none_of(draft.profiles.begin(), draft.profiles.end(), [](const auto& named) {
    return named.second == "zeros" || named.second == "constant" || named.second == "impulse";
  });
}

void Dealer::deal_attributes(Draft& draft, bool telling) {
  for (const Attribute& attribute : space_.op->attributes)
    draft.attributes[attribute.name] = attribute.fallback;
  // The strategy of attributes has decks of its own, so that it meets every value by itself; a
  // draft in which little shows uses no card up.
  for (auto& [name, deck] : draft.strategy->sweep ? swept_ : attributes_)
    draft.attributes[name] = telling || draft.strategy->sweep
                                 ? deck.draw(choices_)
                                 : choices_.of(find_attribute(*space_.op, name)->values);
}

void Dealer::deal_profiles(Draft& draft) {
  const Strategy& strategy = *draft.strategy;
  if (focus_inputs_.empty()) return;
  std::string focus = focus_inputs_.draw(choices_);
  if (strategy.values == Strategy::Values::special) {
    const Named& victim = special_.draw(choices_);
    focus = victim.first;
    draft.profiles[focus] = victim.second;
  }
  bool impulse = false;
  for (const TensorSpace& tensor : space_.tensors) {
    const std::string& name = tensor.schema->name;
    if (!tensor.input || draft.profiles.contains(name)) continue;
    std::string& profile = draft.profiles[name];
    if (strategy.values == Strategy::Values::exact && !exact_[name].empty()) {
      profile = exact_[name].draw(choices_);
      const auto& exact = tensor.exact;
      // Two impulses hardly ever meet: their product would be zero everywhere.
      if (impulse && profile == "impulse" &&
          std::find(exact.begin(), exact.end(), "small_integers") != exact.end())
        profile = "small_integers";
      impulse = impulse || profile == "impulse";
    } else if (first_ || choices_.chance(generic_percent(strategy, tensor, name == focus))) {
      profile = tensor.generic;
    } else {
      profile = plain_[name].draw(choices_);
    }
  }
}

void Dealer::deal_layout(Draft& draft, bool telling) {
  if (odd_tensors_.empty() || !choices_.chance(draft.strategy->odd_percent)) return;
  if (!telling && !draft.strategy->layout) return;
  draft.odd_tensor = odd_tensors_.draw(choices_);
  draft.odd_layout = layouts_.at(draft.odd_tensor).draw(choices_);
}

}  // namespace gate
