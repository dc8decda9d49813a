// Drafts: the stratified half of a case, dealt from decks so that every size class, profile,
// attribute value and layout is met before any is met again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gate/cases/choices.h"
#include "gate/cases/strategies.h"

namespace gate {

struct Draft {
  const Strategy* strategy = nullptr;
  std::string property = "value";
  std::size_t focus_axis = 0;       // keeps its size class whatever the budget
  std::vector<std::size_t> groups;  // per axis of the space
  bool launch = false;              // the focus axis takes a launch limit
  int budget = 0;
  const TracedWorkload* traced = nullptr;  // sizes and attributes of one, instead of the groups
  std::map<std::string, Scalar> attributes;
  std::map<std::string, std::string> profiles;  // input -> profile name
  std::string odd_tensor, odd_layout;           // not contiguous for certain
};

/// Deals the drafts of one plan, in order.
class Dealer {
 public:
  Dealer(const CaseSpace& space, const rc::Random& random);
  /// `ordinal` counts the drafts of this strategy from 0.
  Draft deal(const Strategy& strategy, std::int64_t ordinal);

 private:
  using Named = std::pair<std::string, std::string>;

  void deal_sizes(Draft& draft, std::int64_t ordinal);
  bool is_telling(const Draft& draft) const;
  void deal_attributes(Draft& draft, bool telling);
  void deal_profiles(Draft& draft);
  void deal_layout(Draft& draft, bool telling);

  const CaseSpace& space_;
  Choices choices_;
  bool first_ = true;
  std::vector<Deck<std::size_t>> groups_;            // per axis
  Deck<std::pair<std::size_t, std::size_t>> focus_;  // axis, group: jointly, conjunctions matter
  Deck<std::size_t> launch_axes_, smallest_axes_, budgets_;
  std::int64_t launches_ = 0;
  std::map<std::string, Deck<Scalar>> attributes_, swept_;
  Deck<std::string> focus_inputs_, laws_;
  std::map<std::string, Deck<std::string>> plain_, exact_;
  Deck<Named> special_;  // input, profile
  Deck<std::string> odd_tensors_;
  std::map<std::string, Deck<std::string>> layouts_;
};

}  // namespace gate
