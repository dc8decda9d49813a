// Evaluates domains against the axes and attributes of a case.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/domain.h"

#include <algorithm>

namespace gate {

IntegerRange full_range(DType dtype) {
  switch (dtype) {
    case DType::i8:
      return {"full", INT8_MIN, INT8_MAX};
    case DType::u8:
      return {"full", 0, UINT8_MAX};
    case DType::i32:
      return {"full", INT32_MIN, INT32_MAX};
    case DType::i64:
      return {"full", INT64_MIN, INT64_MAX};
    default:
      return {"boolean", 0, 1};
  }
}

std::optional<IntegerRange> integer_range(const TensorSchema& tensor, DType dtype,
                                          const IntegerValues& values) {
  const IntegerRange full = full_range(dtype);
  if (!tensor.domain || tensor.domain->kind == "full" || full.kind == "boolean") return full;
  const std::string& kind = tensor.domain->kind;
  if (kind == "boolean") return IntegerRange{kind, 0, 1};
  if (kind == "permutation") {
    if (tensor.shape.empty()) return IntegerRange{kind, 0, 0};
    const auto cols = tensor.shape.back().value(values);
    if (!cols) return std::nullopt;
    return IntegerRange{kind, 0, std::max<std::int64_t>(*cols - 1, 0)};
  }
  const auto low = tensor.domain->low.value(values);
  const auto high = tensor.domain->high.value(values);
  if (!low || !high) return std::nullopt;
  const bool index = kind == "index";
  if (index && *high < 1) return std::nullopt;
  IntegerRange range{kind, index ? 0 : *low, index ? *high - 1 : *high};
  range.low = std::clamp(range.low, full.low, full.high);
  range.high = std::clamp(range.high, full.low, full.high);
  if (range.low > range.high) return std::nullopt;
  return range;
}

double largest_magnitude(const OpSchema& op, DType dtype) {
  const double largest = facts(dtype).largest;
  const double declared = op.contract.magnitude_max;
  return declared > 0 && declared < largest ? declared : largest;
}

}  // namespace gate
