// Two runs on the same bytes: equal bits, or within both limits where the contract allows atomics.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/oracle/contract.h"
#include "gate/oracle/element.h"

namespace gate {
namespace {

/// Whether the two values may stand for each other. NaNs are one value: payloads carry nothing.
bool agree(const Tensor& first, const Tensor& second, std::int64_t element,
           std::optional<double> allowed) {
  if (first.bits_at(element) == second.bits_at(element)) return true;
  if (!facts(first.dtype).is_float) return false;
  const double a = first.at(element), b = second.at(element);
  if (std::isnan(a) && std::isnan(b)) return true;
  return allowed && std::abs(a - b) <= *allowed;
}

}  // namespace

std::optional<std::string> difference(const Outcome& first, const Outcome& second,
                                      const Judging& judging) {
  const Contract& contract = judging.op.contract;
  for (const ExpectedTensor& want : judging.expected.outputs) {
    const Tensor* a = find_output(first, want.name);
    const Tensor* b = find_output(second, want.name);
    if (a == nullptr || b == nullptr || a->elements() != b->elements()) continue;
    const ElementRule rule = element_rule(a->dtype, judging.tolerance, contract);
    const bool loose = contract.determinism == "within_envelope" && !rule.exact;
    for (std::int64_t i = 0; i < a->elements(); ++i) {
      const auto place = static_cast<std::size_t>(i);
      if (is_open(want, place, contract)) continue;
      std::optional<double> allowed;
      if (loose && place < want.value.size() && std::isfinite(want.value[place])) {
        const double limit = 2 * limit_of(rule, want.value[place], want.envelope[place]);
        if (!std::isfinite(limit)) continue;
        allowed = limit;
      }
      if (agree(*a, *b, i, allowed)) continue;
      return fmt::format("{} element {}: {} in one run, {} in another", want.name, i,
                         number_text(a->at(i)), number_text(b->at(i)));
    }
  }
  return std::nullopt;
}

}  // namespace gate
