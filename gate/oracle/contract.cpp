// Memory side of the contract: gaps of strided outputs, poison left behind.
// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle/contract.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace gate {
namespace {

bool has_failed(const Comparison& comparison, std::size_t element) {
  return element < comparison.failed.size() && comparison.failed[element] != 0;
}

/// One byte per storage element: 1 where the view reaches it.
std::vector<std::uint8_t> reached(const View& view) {
  std::vector<std::uint8_t> marks(static_cast<std::size_t>(storage_elements(view)), 0);
  const std::int64_t count = element_count(view.shape);
  for (std::int64_t i = 0; i < count; ++i) marks[static_cast<std::size_t>(position(view, i))] = 1;
  return marks;
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

std::optional<std::string> written_gap(const Outcome& outcome, bool second_pattern) {
  for (const Tensor& tensor : outcome.after) {
    if (tensor.role != Role::output || storage_elements(tensor.view) == tensor.elements()) continue;
    const std::size_t bytes = facts(tensor.dtype).bytes;
    const std::uint64_t poison = poison_bits(tensor.dtype, second_pattern);
    const std::vector<std::uint8_t> marks = reached(tensor.view);
    for (std::size_t place = 0; place < marks.size(); ++place) {
      if (marks[place] != 0) continue;
      if (load_bits(tensor.dtype, tensor.storage.data() + place * bytes) == poison) continue;
      return fmt::format("{}: wrote to storage element {}, which lies between its elements",
                         tensor.name, place);
    }
  }
  return std::nullopt;
}

bool needs_second_poison(const JudgeInput& input) {
  if (input.outcome.end != Kind::pass || input.second_poison != nullptr) return false;
  for (const ExpectedTensor& want : input.judging.expected.outputs) {
    const Tensor* got = find_output(input.outcome, want.name);
    if (got != nullptr && !unwritten_elements(*got, input.second_pattern).empty()) return true;
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
    for (const std::int64_t element : unwritten_elements(*got, input.second_pattern)) {
      const auto place = static_cast<std::size_t>(element);
      if (is_open(want, place, input.judging.op.contract)) continue;
      const bool survives = again != nullptr && again->bits_at(element) ==
                                                    poison_bits(got->dtype, !input.second_pattern);
      const bool is_wrong = comparison != comparisons.end() && has_failed(*comparison, place);
      if (again != nullptr ? survives : is_wrong) left.elements.push_back(element);
    }
    if (!left.elements.empty()) return left;
  }
  return std::nullopt;
}

}  // namespace gate
