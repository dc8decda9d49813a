// Evidence: executed cases with their facts.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/explain/core.h"
#include "gate/explain/core_search.h"

namespace gate {

Evidence::Evidence(Executor& executor, const std::vector<Judged>& judged)
    : executor_(executor), judged_(judged) {
  for (const Judged& each : judged) add(each);
}

std::vector<double> Evidence::values_of_case(const Case& value) {
  std::vector<Fact> facts = facts_of(value, executor_.inputs_of(value), *executor_.target().op);
  std::vector<double> values = gate::values_of(facts);
  if (names_.empty()) names_ = std::move(facts);
  return values;
}

void Evidence::add(const Judged& judged) {
  const Kind kind = judged.verdict.kind;
  if (colour(kind) == Colour::grey || kind == Kind::build_failed) return;
  const Target& target = executor_.target();
  if (!validate(judged.test_case, *target.op, target.kernel)) return;
  const auto [place, fresh] = known_.emplace(to_text(judged.test_case), items_.size());
  if (!fresh) return;
  Item item;
  item.test_case = judged.test_case;
  item.kind = kind;
  item.special = property_of(judged.test_case, *target.op) == property_special;
  item.values = values_of_case(judged.test_case);
  items_.push_back(std::move(item));
}

const std::vector<double>& Evidence::values_of(const Judged& judged) {
  static const std::vector<double> nothing;
  add(judged);
  const auto known = known_.find(to_text(judged.test_case));
  return known == known_.end() ? nothing : items_[known->second].values;
}

std::vector<const Verdict*> Evidence::met_by(const Rule& rule, Kind kind, bool special) {
  std::vector<const Verdict*> list;
  for (const Judged& judged : judged_) {
    if (judged.verdict.kind != kind) continue;
    if (!special && judged.verdict.property == property_special) continue;
    const std::vector<double>& values = values_of(judged);
    if (!values.empty() && rule.holds(values)) list.push_back(&judged.verdict);
  }
  return list;
}

/// Cases of the other property are left out: NaN and infinities have rules of their own. So are
/// failures of another kind: they tell neither for nor against.
std::vector<Observation> Evidence::observations(Kind kind, bool special) const {
  std::vector<Observation> list;
  for (const Item& item : items_) {
    if (item.special && !special) continue;
    if (item.kind != kind && item.kind != Kind::pass) continue;
    const auto holds = [&](const Rule& rule) { return rule.holds(item.values); };
    if (item.kind == kind && std::any_of(aside_.begin(), aside_.end(), holds)) continue;
    list.push_back({item.test_case, item.kind == kind, item.values});
  }
  return list;
}

Core Evidence::core_of(const RawFailure& failure, const Case& witness, std::size_t executions_max) {
  add(failure.first);
  add(failure.shrunk);
  for (const Judged& tried : failure.tried) add(tried);
  if (!known_.contains(to_text(witness))) return {};
  const Kind kind = failure.shrunk.verdict.kind;
  const bool special =
      property_of(failure.shrunk.test_case, *executor_.target().op) == property_special;
  CoreSearch search(*this, {failure, witness, names_, special, executions_max});
  return search.run([&] { return observations(kind, special); });
}

}  // namespace gate
