// Memory side of the contract: what is open, what was never written.
// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle/contract.h"

#include <algorithm>
#include <cmath>

namespace gate {
namespace {

bool has_failed(const Comparison& comparison, std::size_t element) {
  return element < comparison.failed.size() && comparison.failed[element] != 0;
}

}  // namespace

const Tensor* find_output(const Outcome& outcome, const std::string& name) {
  for (const Tensor& tensor : outcome.after) {
    const bool is_output = tensor.role == Role::output || tensor.role == Role::inout;
    if (is_output && tensor.name == name) return &tensor;
  }
  return nullptr;
}

bool is_open(const ExpectedTensor& want, std::size_t element, const Contract& contract) {
  if (element < want.free.size() && want.free[element] != 0) return true;
  return contract.nan == "any" && element < want.value.size() && std::isnan(want.value[element]);
}

bool needs_second_poison(const JudgeInput& input) {
  if (input.outcome.end != Kind::pass || input.second_poison != nullptr) return false;
  for (const ExpectedTensor& want : input.judging.expected.outputs) {
    const Tensor* got = find_output(input.outcome, want.name);
    if (got != nullptr && !unwritten_elements(*got, false).empty()) return true;
  }
  return false;
}

std::optional<Unwritten> unwritten_output(const JudgeInput& input,
                                          const std::vector<Comparison>& comparisons) {
  const bool second_ran = input.second_poison != nullptr && input.second_poison->end == Kind::pass;
  for (const ExpectedTensor& want : input.judging.expected.outputs) {
    const Tensor* got = find_output(input.outcome, want.name);
    if (got == nullptr) continue;
    const auto comparison =
        std::find_if(comparisons.begin(), comparisons.end(),
                     [&](const Comparison& candidate) { return candidate.output == want.name; });
    const Tensor* again = second_ran ? find_output(*input.second_poison, want.name) : nullptr;
    Unwritten left{want.name, got->elements(), {}};
    for (const std::int64_t element : unwritten_elements(*got, false)) {
      const auto place = static_cast<std::size_t>(element);
      if (is_open(want, place, input.judging.op.contract)) continue;
      const bool survives =
          again != nullptr && again->bits_at(element) == poison_bits(got->dtype, true);
      const bool is_wrong = comparison != comparisons.end() && has_failed(*comparison, place);
      if (again != nullptr ? survives : is_wrong) left.elements.push_back(element);
    }
    if (!left.elements.empty()) return left;
  }
  return std::nullopt;
}

}  // namespace gate
