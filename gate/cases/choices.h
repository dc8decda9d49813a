// Random choices through RapidCheck's public generators, at its nominal size: whole ranges.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "gate/base/check.h"

namespace gate {

class Choices {
 public:
  explicit Choices(const rc::Random& random) : random_(random) {}

  /// Uniform in [low, high], both included.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    check(low <= high, "a range of choices is not empty");
    return rc::gen::inRange<std::int64_t>(low, high + 1)(random_.split()).value();
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  std::uint64_t key() { return random_.split().next(); }
  rc::Random random() { return random_.split(); }

  template <class T>
  const T& of(const std::vector<T>& list) {
    check(!list.empty(), "a choice has something to choose from");
    return list[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(list.size()) - 1))];
  }

  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1],
                list[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(i) - 1))]);
  }

 private:
  rc::Random random_;
};

/// Cards dealt without replacement and shuffled anew when they run out: every card is met before
/// any is met again.
template <class T>
class Deck {
 public:
  Deck() = default;
  explicit Deck(std::vector<T> cards) : cards_(std::move(cards)), next_(cards_.size()) {}
  /// The first round goes in the given order.
  static Deck in_order(std::vector<T> cards) {
    Deck deck(std::move(cards));
    deck.next_ = 0;
    return deck;
  }

  bool empty() const { return cards_.empty(); }
  const T& draw(Choices& choices) {
    check(!cards_.empty(), "an empty deck is not drawn from");
    if (next_ >= cards_.size()) {
      choices.shuffle(cards_);
      next_ = 0;
    }
    return cards_[next_++];
  }
  /// The next card that suits; those passed over stay in the round. Any card where none suits.
  template <class Suits>
  const T& draw(Choices& choices, Suits suits) {
    if (next_ >= cards_.size()) return draw_fresh(choices, suits);
    const auto rest = cards_.begin() + static_cast<std::ptrdiff_t>(next_);
    const auto card = std::find_if(rest, cards_.end(), suits);
    if (card == cards_.end()) return draw_fresh(choices, suits);
    std::rotate(rest, card, card + 1);
    return cards_[next_++];
  }

 private:
  /// Leaves the cards that do not suit at the front of a new round.
  template <class Suits>
  const T& draw_fresh(Choices& choices, Suits suits) {
    std::vector<T> left(cards_.begin() + static_cast<std::ptrdiff_t>(next_), cards_.end());
    std::vector<T> dealt(cards_.begin(), cards_.begin() + static_cast<std::ptrdiff_t>(next_));
    choices.shuffle(dealt);
    cards_ = std::move(left);
    cards_.insert(cards_.end(), dealt.begin(), dealt.end());
    next_ = 0;
    const auto card = std::find_if(cards_.begin(), cards_.end(), suits);
    if (card != cards_.end()) std::rotate(cards_.begin(), card, card + 1);
    return cards_[next_++];
  }

  std::vector<T> cards_;
  std::size_t next_ = 0;
};

}  // namespace gate
