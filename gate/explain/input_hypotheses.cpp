// Hypotheses on the inputs: one of them scaled, an attribute read as another value.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gate/explain/hypothesis.h"

namespace gate {
namespace {

std::optional<Expected> scaled(std::optional<Expected> expected, double factor) {
  if (!expected) return expected;
  for (ExpectedTensor& output : expected->outputs) {
    for (double& value : output.value) value *= factor;
    for (double& envelope : output.envelope) envelope *= std::abs(factor);
  }
  return expected;
}

std::optional<Expected> taken(Result<Expected> expected) {
  if (!expected) return std::nullopt;
  return std::move(*expected);
}

/// One input multiplied by a number, the result by another.
std::optional<Expected> with_input_scaled(const HypothesisSpace& space, const Sample& sample,
                                          const std::string& name, std::pair<double, double> by) {
  Inputs inputs = sample.inputs;
  Tensor* tensor = find_tensor(inputs, name);
  if (tensor == nullptr || !facts(tensor->dtype).is_float || by.first == 1) return std::nullopt;
  if (space.target.op->bundled) *tensor = widened(*tensor, tensor->view.shape);
  for (std::int64_t i = 0; i < tensor->elements(); ++i) tensor->set(i, tensor->at(i) * by.first);
  return scaled(taken(space.reference(inputs)), by.second);
}

/// The median of got / want over the failing elements, where want is not 0.
std::optional<double> median_factor(const Sample& sample) {
  std::vector<double> factors;
  const ExpectedTensor& want = sample.want.outputs.front();
  const Tensor& got = sample.got.front();
  for (std::size_t i = 0; i < want.value.size(); ++i) {
    const double value = got.at(static_cast<std::int64_t>(i));
    const bool off = std::abs(value - want.value[i]) > 0.02 * std::abs(want.value[i]);
    if (want.value[i] != 0 && std::isfinite(value) && off) factors.push_back(value / want.value[i]);
  }
  if (factors.empty()) return std::nullopt;
  std::nth_element(factors.begin(),
                   factors.begin() + static_cast<std::ptrdiff_t>(factors.size() / 2),
                   factors.end());
  return factors[factors.size() / 2];
}

/// The nearest number with two digits: what somebody would have written.
double written(double value) { return std::stod(fmt::format("{:.1e}", value)); }

std::optional<Expected> with_attribute(const HypothesisSpace& space, const Sample& sample,
                                       const std::string& name, const Scalar& value) {
  Inputs inputs = sample.inputs;
  const auto given = inputs.attributes.find(name);
  if (given == inputs.attributes.end() || given->second == value) return std::nullopt;
  given->second = value;
  return taken(space.reference(inputs));
}

void add_attribute(std::vector<Hypothesis>& list, const HypothesisSpace& space,
                   const Attribute& attribute, const std::vector<Scalar>& values) {
  for (const Scalar& value : values) {
    const double number =
        std::visit([](const auto& given) { return static_cast<double>(given); }, value);
    list.push_back({fmt::format("as if {} were {:g}", attribute.name, number),
                    [space, name = attribute.name, value](const Sample& sample) {
                      return with_attribute(space, sample, name, value);
                    }});
  }
}

}  // namespace

std::vector<Hypothesis> input_hypotheses(const HypothesisSpace& space,
                                         const std::vector<Sample>& samples) {
  std::vector<Hypothesis> list;
  for (const Attribute& attribute : space.target.op->attributes) {
    std::vector<Scalar> values = attribute.values;
    values.push_back(attribute.fallback);
    const bool is_float = facts(attribute.dtype).is_float;
    if (is_float && !samples.empty()) {
      if (const std::optional<double> factor = median_factor(samples.front())) {
        const auto given = samples.front().inputs.attributes.find(attribute.name);
        if (given != samples.front().inputs.attributes.end()) {
          values.push_back(written(std::get<double>(given->second) * *factor));
        }
      }
      values.push_back(0.0);
      values.push_back(1.0);
    }
    add_attribute(list, space, attribute, values);
  }
  for (const TensorSchema& input : space.target.op->inputs) {
    for (const NamedNumber& number : named_numbers(*space.target.op)) {
      const auto add = [&](const std::string& then, double exponent) {
        const std::string how =
            number.text == "-1"
                ? fmt::format("as if {} were negated{}", input.name, then)
                : fmt::format("as if {} were multiplied by {}{}", input.name, number.text, then);
        list.push_back(
            {how, [space, name = input.name, number, exponent](const Sample& sample) {
               const double factor = number.value(sample.test_case);
               return with_input_scaled(space, sample, name, {factor, std::pow(factor, exponent)});
             }});
      };
      add("", 0);
      if (number.text != "-1") add(" and the result divided by it", -1);
    }
  }
  return list;
}

}  // namespace gate
