// Hypotheses on what a kernel computes instead: a changed reference whose result its output may
// equal. They are asked of the reference alone and know axes, attributes and tensors, no op.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/search/search.h"

namespace gate {

/// A failing case with what was given, wanted and got.
struct Sample {
  Case test_case;
  Inputs inputs;
  Expected want;
  std::vector<Tensor> got;  // outputs
};

/// What hypotheses are made from.
struct HypothesisSpace {
  const Target& target;
  std::vector<std::int64_t> granularities;
  std::function<Result<Expected>(const Inputs&)> reference;
};

struct Hypothesis {
  std::string text;  // "as if only the last 1 of k counted"
  /// The result it stands for; nothing where it does not apply.
  std::function<std::optional<Expected>(const Sample&)> expected;
};

/// Simple ones first.
std::vector<Hypothesis> output_hypotheses(const HypothesisSpace& space);
std::vector<Hypothesis> row_hypotheses(const HypothesisSpace& space);
std::vector<Hypothesis> input_hypotheses(const HypothesisSpace& space,
                                         const std::vector<Sample>& samples);
std::vector<Hypothesis> axis_hypotheses(const HypothesisSpace& space);

/// A number that cases know by name: "2", "sqrt(d)", "1/eps".
struct NamedNumber {
  std::string text;
  std::function<double(const Case&)> value;
};
std::vector<NamedNumber> named_numbers(const OpSchema& op);
/// All values of a tensor, logical order, in a type that holds whatever is put there.
Tensor widened(const Tensor& tensor, const std::vector<std::int64_t>& shape);

/// The first hypothesis that explains every sample; without text if none does.
Hypothesis find_cause(const HypothesisSpace& space, const std::vector<Sample>& samples);
/// Whether a sample's output equals what a hypothesis stands for.
bool explains(const Hypothesis& hypothesis, const Sample& sample, const HypothesisSpace& space);

}  // namespace gate
