// Samples for the search of a cause: small failing cases of different sizes, with their outputs.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "gate/explain/core.h"
#include "gate/explain/hypothesis.h"
#include "gate/explain/variants.h"

namespace gate {
namespace {

constexpr std::size_t samples_max = 4;
constexpr std::int64_t elements_max = 256, operations_max = 1 << 16;
constexpr std::int64_t accounted_elements_max = 1 << 13, accounted_operations_max = 1 << 20;

std::optional<Sample> sample_of(Executor& executor, const Case& value) {
  Sample sample{value, executor.inputs_of(value), executor.expected_of(value), {}};
  const Outcome outcome = executor.outcome_of(value);
  if (outcome.end != Kind::pass) return std::nullopt;
  for (const ExpectedTensor& want : sample.want.outputs) {
    for (const Tensor& tensor : outcome.after) {
      if (tensor.name == want.name) sample.got.push_back(tensor);
    }
  }
  if (sample.got.empty() || sample.got.size() != sample.want.outputs.size()) return std::nullopt;
  return sample;
}

}  // namespace

Hypothesis Evidence::cause_of(const Core& core, const RawFailure& failure) {
  const Target& target = executor_.target();
  if (failure.shrunk.verdict.kind != Kind::wrong) return {};
  std::vector<const Item*> failing;
  for (const Item& item : items_) {
    const CaseCost cost = cost_of(item.test_case, *target.op);
    if (item.kind != Kind::wrong || item.special || !core.rule.holds(item.values)) continue;
    if (cost.elements <= elements_max && cost.operations <= operations_max) {
      failing.push_back(&item);
    }
  }
  // Large ones tell more, and sizes that were not met yet.
  std::stable_sort(failing.begin(), failing.end(), [&](const Item* a, const Item* b) {
    return cost_of(a->test_case, *target.op).elements > cost_of(b->test_case, *target.op).elements;
  });
  std::set<std::pair<std::string, std::int64_t>> met;
  std::vector<Sample> samples;
  while (samples.size() < samples_max && !failing.empty()) {
    const auto fresh = [&](const Item* item) {
      return std::count_if(item->test_case.axes.begin(), item->test_case.axes.end(),
                           [&](const auto& axis) { return met.count(axis) == 0; });
    };
    const auto next =
        std::max_element(failing.begin(), failing.end(),
                         [&](const Item* a, const Item* b) { return fresh(a) < fresh(b); });
    if (fresh(*next) == 0) break;
    met.insert((*next)->test_case.axes.begin(), (*next)->test_case.axes.end());
    if (auto sample = sample_of(executor_, (*next)->test_case)) {
      samples.push_back(std::move(*sample));
    }
    failing.erase(next);
  }
  std::reverse(samples.begin(), samples.end());  // most hypotheses fall on the cheapest one
  return find_cause(space(), samples);
}

HypothesisSpace Evidence::space() {
  const Target& target = executor_.target();
  return {target, granularities_of(target),
          [this](const Inputs& inputs) { return executor_.reference(inputs); }};
}

bool Evidence::cause_holds(const Hypothesis& cause, const Case& value) {
  if (cause.text.empty()) return false;
  const CaseCost cost = cost_of(value, *executor_.target().op);
  if (cost.elements > accounted_elements_max || cost.operations > accounted_operations_max) {
    return false;
  }
  const std::optional<Sample> sample = sample_of(executor_, value);
  return sample && explains(cause, *sample, space());
}

}  // namespace gate
