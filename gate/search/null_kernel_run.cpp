// Null kernels against the cases of a plan: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/null_kernel_run.h"

#include <algorithm>

#include "gate/base/random.h"
#include "gate/oracle/null_kernels.h"

namespace gate {
namespace {

constexpr std::uint64_t other_lane = 0x6e756c6c;

/// The outputs a right kernel would have left behind: what `previous_output` returns.
std::vector<Tensor> right_outputs(const Inputs& inputs, const Expected& expected) {
  std::vector<Tensor> outputs;
  for (const ExpectedTensor& want : expected.outputs) {
    const Tensor* tensor = find_tensor(inputs, want.name);
    if (tensor == nullptr) continue;
    Tensor output =
        make_tensor(tensor->name, Role::output, tensor->dtype, contiguous_view(tensor->view.shape));
    const bool is_float = facts(output.dtype).is_float;
    for (std::int64_t i = 0; i < output.elements(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      if (is_float) {
        output.set(i, want.value[place]);
      } else {
        output.set_integer(i, want.integers[place]);
      }
    }
    outputs.push_back(std::move(output));
  }
  return outputs;
}

/// Whether more cases could still change the answer: some null kernel passed all it was tried on,
/// or applied to none of the few that were tried.
bool is_open(const std::vector<NullKernelResult>& results, std::size_t tried) {
  constexpr std::size_t applicable_within = 4;
  return std::any_of(results.begin(), results.end(), [&](const NullKernelResult& each) {
    return each.rejected == 0 && (each.survived > 0 || tried < applicable_within);
  });
}

void count(NullKernelResult& result, NullVerdict verdict) {
  switch (verdict) {
    case NullVerdict::rejected:
      ++result.rejected;
      return;
    case NullVerdict::survived:
      ++result.survived;
      return;
    case NullVerdict::not_applicable:
    case NullVerdict::equals_reference:
      ++result.not_applicable;
      return;
  }
}

}  // namespace

std::vector<NullKernelResult> measure_null_kernels(Executor& executor,
                                                   const std::vector<Entry>& plan,
                                                   bool until_rejected) {
  const Target& target = executor.target();
  std::vector<NullKernelResult> results;
  for (const NullKernel& kernel : all_null_kernels()) {
    results.push_back({std::string(kernel.name), 0, 0, 0});
  }
  std::vector<Tensor> previous;
  std::size_t tried = 0;
  for (const Entry& entry : plan) {
    if (!validate(entry.test_case, *target.op, target.kernel)) continue;
    const Inputs inputs = executor.inputs_of(entry.test_case);
    const Result<Expected> expected = executor.reference(inputs);
    if (!expected) continue;
    Case reseeded = entry.test_case;
    reseeded.key = mix(reseeded.key, other_lane);
    NullSubject subject{*target.op, target.column, inputs, *expected, previous, {}, {}};
    subject.reference = [&](const Inputs& changed) -> std::optional<Expected> {
      Result<Expected> other = executor.reference(changed);
      return other ? std::optional(std::move(*other)) : std::nullopt;
    };
    subject.other_seed = subject.reference(executor.inputs_of(reseeded));
    const Judging judging{*target.op, target.column, target.tolerance, entry.test_case, *expected};
    for (std::size_t k = 0; k < results.size(); ++k) {
      if (until_rejected && results[k].rejected > 0) continue;
      count(results[k], try_null_kernel(all_null_kernels()[k], subject, judging));
    }
    previous = right_outputs(inputs, *expected);
    if (until_rejected && !is_open(results, ++tried)) break;
  }
  return results;
}

std::vector<std::string> surviving_null_kernels(const std::vector<NullKernelResult>& results) {
  std::vector<std::string> names;
  for (const NullKernelResult& result : results) {
    if (result.rejected == 0 && result.survived > 0) names.push_back(result.name);
  }
  return names;
}

}  // namespace gate
