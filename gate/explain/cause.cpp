// The search for a cause among hypotheses: the first that every sample agrees with.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/explain/hypothesis.h"
#include "gate/oracle/comparison.h"

namespace gate {
namespace {

/// The changed computation may round more often than the right one.
constexpr double slack = 4;

bool equals(const Sample& sample, const Expected& expected, const HypothesisSpace& space) {
  Tolerance tolerance = space.target.tolerance;
  tolerance.c *= slack;
  for (std::size_t t = 0; t < sample.got.size(); ++t) {
    const Comparison comparison =
        compare(sample.got[t], expected.outputs[t], tolerance, space.target.op->contract);
    if (comparison.wrong + comparison.nonfinite > 0) return false;
    const auto& free = expected.outputs[t].free;
    const std::int64_t skipped =
        comparison.unjudgeable + std::count_if(free.begin(), free.end(), [](auto f) { return f; });
    if (skipped * 2 > comparison.elements) return false;  // says next to nothing
  }
  return true;
}

}  // namespace

Tensor widened(const Tensor& tensor, const std::vector<std::int64_t>& shape) {
  Tensor wide = make_tensor(tensor.name, tensor.role, DType::f64, contiguous_view(shape));
  for (std::int64_t i = 0; i < tensor.elements(); ++i) wide.set(i, tensor.at(i));
  return wide;
}

bool explains(const Hypothesis& hypothesis, const Sample& sample, const HypothesisSpace& space) {
  const std::optional<Expected> expected = hypothesis.expected(sample);
  return expected && expected->outputs.size() == sample.got.size() &&
         equals(sample, *expected, space);
}

Hypothesis find_cause(const HypothesisSpace& space, const std::vector<Sample>& samples) {
  if (samples.empty()) return {};
  std::vector<Hypothesis> all = output_hypotheses(space);
  for (auto more :
       {axis_hypotheses(space), row_hypotheses(space), input_hypotheses(space, samples)}) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }
  for (Hypothesis& hypothesis : all) {
    const bool holds = std::all_of(samples.begin(), samples.end(), [&](const Sample& sample) {
      return explains(hypothesis, sample, space);
    });
    if (holds) return std::move(hypothesis);
  }
  return {};
}

}  // namespace gate
