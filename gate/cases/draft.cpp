// Decks of a plan and how drafts are dealt from them.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/draft.h"

#include <algorithm>
#include <tuple>

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

}  // namespace

Dealer::Dealer(const CaseSpace& space, const rc::Random& random) : space_(space), choices_(random) {
  std::vector<std::pair<std::size_t, std::size_t>> focus;
  std::vector<std::size_t> launch_axes;
  for (std::size_t axis = 0; axis < space.axes.size(); ++axis) {
    groups_.emplace_back(space.axes[axis].tickets);
    for (const std::size_t group : space.axes[axis].tickets) focus.emplace_back(axis, group);
    if (!space.axes[axis].launch.empty()) launch_axes.push_back(axis);
  }
  focus_ = Deck(focus);
  launch_axes_ = Deck(launch_axes);
  budgets_ = Deck<std::size_t>({0, 0, 0, 1, 1, 2});
  for (const Attribute* attribute : space.swept)
    attributes_[attribute->name] = Deck(attribute->values);
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
  deal_attributes(draft);
  deal_profiles(draft);
  deal_layout(draft);
  first_ = false;
  return draft;
}

void Dealer::deal_sizes(Draft& draft, std::int64_t ordinal) {
  for (Deck<std::size_t>& deck : groups_) draft.groups.push_back(deck.draw(choices_));
  draft.budget = static_cast<int>(budgets_.draw(choices_));
  // Early, once per axis: limits of launches need one huge axis and nothing else.
  const auto launches = static_cast<std::int64_t>(
      std::count_if(space_.axes.begin(), space_.axes.end(),
                    [](const AxisSpace& axis) { return !axis.launch.empty(); }));
  const bool boundary = draft.strategy->sizes == Strategy::Sizes::boundary &&
                        draft.strategy->values == Strategy::Values::plain;
  draft.launch = boundary && ordinal % 2 == 1 && ordinal / 2 < launches;
  if (draft.launch) {
    draft.focus_axis = launch_axes_.draw(choices_);
  } else if (!focus_.empty()) {
    std::size_t group = 0;
    std::tie(draft.focus_axis, group) = focus_.draw(choices_);
    draft.groups[draft.focus_axis] = group;
  }
  if (draft.launch || draft.strategy->sizes == Strategy::Sizes::huge)
    draft.budget = budget_levels - 1;
}

void Dealer::deal_attributes(Draft& draft) {
  for (const Attribute& attribute : space_.op->attributes)
    draft.attributes[attribute.name] = attribute.fallback;
  for (auto& [name, deck] : attributes_) draft.attributes[name] = deck.draw(choices_);
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
    } else if (first_ || choices_.chance(name == focus ? 100 - strategy.focus_percent
                                                       : strategy.generic_percent)) {
      profile = tensor.generic;
    } else {
      profile = plain_[name].draw(choices_);
    }
  }
}

void Dealer::deal_layout(Draft& draft) {
  if (odd_tensors_.empty() || !choices_.chance(draft.strategy->odd_percent)) return;
  draft.odd_tensor = odd_tensors_.draw(choices_);
  draft.odd_layout = layouts_.at(draft.odd_tensor).draw(choices_);
}

}  // namespace gate
