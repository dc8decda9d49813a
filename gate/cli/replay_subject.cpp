// Everything one execution of a seed's case yields: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/replay_subject.h"

#include <cmath>
#include <limits>

namespace gate {
namespace {

constexpr unsigned bit(Accept accept) { return static_cast<unsigned>(accept); }

bool is_free(const ExpectedTensor& want, std::size_t element) {
  return element < want.free.size() && want.free[element] != 0;
}

AcceptedOutput accepted_integers(const ExpectedTensor& want) {
  AcceptedOutput output{want.name, {}, want.also};
  for (std::size_t i = 0; i < want.integers.size(); ++i) {
    Acceptance element;
    element.integer = want.integers[i];
    if (is_free(want, i)) element.accepts = bit(Accept::any);
    output.elements.push_back(element);
  }
  return output;
}

}  // namespace

Acceptance acceptance_of(const ElementRule& rule, double value, double envelope) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  const auto matches = [&](double got) {
    return state_of(rule, got, value, envelope) == ElementState::match;
  };
  Acceptance result;
  result.value = value;
  if (state_of(rule, value, value, envelope) == ElementState::unjudgeable) {
    result.accepts = bit(Accept::any);
    return result;
  }
  if (matches(std::nan(""))) result.accepts |= bit(Accept::nan);
  if (matches(infinity)) result.accepts |= bit(Accept::plus_inf);
  if (matches(-infinity)) result.accepts |= bit(Accept::minus_inf);
  result.limit = -1;
  if (std::isnan(value) && matches(0)) result.accepts |= bit(Accept::any);
  if (!std::isfinite(value)) return result;
  const double right = rule.exact ? rounded(rule.dtype, value) : value;
  if (!std::isfinite(right) || !matches(right)) return result;
  result.value = right;
  result.limit = limit_of(rule, value, envelope);
  if (matches(0) && std::abs(right) > result.limit) result.accepts |= bit(Accept::zero);
  if (rule.exact && rule.signed_zero) result.accepts |= bit(Accept::sign);
  return result;
}

std::vector<AcceptedOutput> accepted_outputs(const Target& target, const Inputs& inputs,
                                             const Expected& expected) {
  std::vector<AcceptedOutput> outputs;
  for (const ExpectedTensor& want : expected.outputs) {
    const Tensor* tensor = find_tensor(inputs, want.name);
    if (tensor == nullptr) continue;
    if (!facts(tensor->dtype).is_float) {
      outputs.push_back(accepted_integers(want));
      continue;
    }
    const ElementRule rule = element_rule(tensor->dtype, target.tolerance, target.op->contract);
    AcceptedOutput output{want.name, {}, {}};
    for (std::size_t i = 0; i < want.value.size(); ++i) {
      Acceptance element = acceptance_of(rule, want.value[i], want.envelope[i]);
      if (is_free(want, i)) element.accepts = bit(Accept::any);
      output.elements.push_back(element);
    }
    outputs.push_back(std::move(output));
  }
  return outputs;
}

Result<Material> material_of(Executor& executor, const Case& value) {
  Material material;
  material.inputs = executor.inputs_of(value);
  Result<Expected> expected = executor.reference(material.inputs);
  if (!expected) return expected.failure();
  material.expected = std::move(*expected);
  material.outputs = accepted_outputs(executor.target(), material.inputs, material.expected);
  material.outcome = executor.outcome_of(value);
  return material;
}

}  // namespace gate
