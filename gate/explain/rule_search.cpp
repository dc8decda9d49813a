// The beam. Coverage of observations as bits, so that a rule costs a few words to weigh.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/rule_search.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

namespace gate {
namespace {

// A passing case that a rule admits says that something is missing; a failing one that it misses
// may be another bug's.
constexpr double admitted_weight = 10, missed_weight = 1;
constexpr std::size_t conditions_max = 5, beam_width = 40, alternatives_max = 40;
constexpr std::size_t equals_max = 8;  // conditions kept that cover the same observations
constexpr double close_score = 4;

using Bits = std::vector<std::uint64_t>;

double score(std::size_t admitted, std::size_t missed, double cost) {
  return admitted_weight * static_cast<double>(admitted) +
         missed_weight * static_cast<double>(missed) + cost;
}

Bits both(const Bits& a, const Bits& b) {
  Bits result(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) result[i] = a[i] & b[i];
  return result;
}

std::size_t count(const Bits& a, const Bits& b) {
  std::size_t sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum += static_cast<std::size_t>(std::popcount(a[i] & b[i]));
  }
  return sum;
}

struct Candidate {
  std::vector<std::size_t> groups;  // ascending
  Bits covered;
  double cost = 0, score = 0;
  std::size_t admitted = 0, missed = 0;
};

class Search {
 public:
  explicit Search(const RuleProblem& problem) : problem_(problem) {
    const std::size_t words = (problem.observations.size() + 63) / 64;
    failing_.assign(words, 0);
    passing_.assign(words, 0);
    for (std::size_t i = 0; i < problem.observations.size(); ++i) {
      (problem.observations[i].fails ? failing_ : passing_)[i / 64] |= 1ull << (i % 64);
    }
    failing_count_ = count(failing_, failing_);
    group(candidate_conditions(problem));
  }

  std::vector<RankedRule> run() {
    Bits all = failing_;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] |= passing_[i];
    std::vector<Candidate> beam = {weigh({{}, all, 0, 0, 0, 0})};
    std::vector<Candidate> kept = beam;
    for (std::size_t length = 0; length < conditions_max; ++length) {
      beam = extend(beam);
      if (beam.empty()) break;
      kept.insert(kept.end(), beam.begin(), beam.end());
    }
    std::stable_sort(kept.begin(), kept.end(), better);
    return rules_of(kept);
  }

 private:
  static bool better(const Candidate& a, const Candidate& b) { return a.score < b.score; }

  Candidate weigh(Candidate candidate) const {
    candidate.admitted = count(candidate.covered, passing_);
    candidate.missed = failing_count_ - count(candidate.covered, failing_);
    candidate.score = score(candidate.admitted, candidate.missed, candidate.cost);
    return candidate;
  }

  /// Conditions that cover the same observations are one choice, simplest first.
  void group(std::vector<Condition> conditions) {
    std::map<Bits, std::size_t> known;
    std::stable_sort(conditions.begin(), conditions.end(),
                     [](const Condition& a, const Condition& b) { return a.cost < b.cost; });
    for (Condition& condition : conditions) {
      Bits covered(failing_.size(), 0);
      for (std::size_t i = 0; i < problem_.observations.size(); ++i) {
        if (condition.holds(problem_.observations[i].values)) covered[i / 64] |= 1ull << (i % 64);
      }
      const auto [place, fresh] = known.emplace(covered, groups_.size());
      if (fresh) {
        groups_.push_back({});
        covered_.push_back(std::move(covered));
      }
      std::vector<Condition>& members = groups_[place->second];
      if (members.size() < equals_max) members.push_back(std::move(condition));
    }
  }

  std::vector<Candidate> extend(const std::vector<Candidate>& beam) const {
    std::vector<Candidate> next;
    std::set<std::vector<std::size_t>> seen;
    for (const Candidate& candidate : beam) {
      for (std::size_t g = 0; g < groups_.size(); ++g) {
        Candidate longer;
        longer.covered = both(candidate.covered, covered_[g]);
        if (longer.covered == candidate.covered) continue;  // adds nothing here
        longer.groups = candidate.groups;
        longer.groups.insert(std::upper_bound(longer.groups.begin(), longer.groups.end(), g), g);
        longer.cost = candidate.cost + groups_[g].front().cost;
        longer = weigh(std::move(longer));
        if (longer.admitted >= candidate.admitted) continue;  // excludes no passing case
        if (!seen.insert(longer.groups).second) continue;
        next.push_back(std::move(longer));
      }
    }
    std::stable_sort(next.begin(), next.end(), better);
    if (next.size() > beam_width) next.resize(beam_width);
    return next;
  }

  Rule rule_of(const Candidate& candidate) const {
    Rule rule;
    for (const std::size_t g : candidate.groups) rule.conditions.push_back(groups_[g].front());
    return rule;
  }

  /// Best rules first; of the best also those that swap one condition for an equal one: the
  /// observations cannot tell them apart yet.
  std::vector<RankedRule> rules_of(const std::vector<Candidate>& kept) const {
    std::vector<RankedRule> rules;
    const Candidate& best = kept.front();
    rules.push_back(rank(problem_, rule_of(best)));
    for (std::size_t c = 0; c < best.groups.size(); ++c) {
      for (std::size_t other = 1; other < groups_[best.groups[c]].size(); ++other) {
        Rule rule = rules.front().rule;
        rule.conditions[c] = groups_[best.groups[c]][other];
        rules.push_back(rank(problem_, std::move(rule)));
      }
    }
    for (std::size_t i = 1; i < kept.size() && rules.size() < alternatives_max; ++i) {
      if (kept[i].score > best.score + close_score) break;
      rules.push_back(rank(problem_, rule_of(kept[i])));
    }
    return rules;
  }

  const RuleProblem& problem_;
  Bits failing_, passing_;
  std::size_t failing_count_ = 0;
  std::vector<std::vector<Condition>> groups_;
  std::vector<Bits> covered_;  // by group
};

}  // namespace

std::vector<RankedRule> search_rules(const RuleProblem& problem) { return Search(problem).run(); }

RankedRule rank(const RuleProblem& problem, Rule rule) {
  RankedRule ranked;
  for (const Observation& observation : problem.observations) {
    const bool holds = rule.holds(observation.values);
    ranked.admitted += holds && !observation.fails;
    ranked.missed += !holds && observation.fails;
  }
  ranked.score = score(ranked.admitted, ranked.missed, rule.cost());
  ranked.rule = std::move(rule);
  return ranked;
}

}  // namespace gate
