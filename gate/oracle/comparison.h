// The per-element rule: got against value and envelope. oracle.md section 2.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/reference/expected.h"
#include "gate/spec/tolerance.h"
#include "gate/tensor/tensor.h"

namespace gate {

/// How one element relates to what was expected.
enum class ElementState { match, wrong, nonfinite, unjudgeable };

struct Comparison {
  std::string output;
  std::vector<std::int64_t> shape;
  std::int64_t elements = 0;
  std::int64_t wrong = 0;      // finite, beyond the limit; or a value where none belongs
  std::int64_t nonfinite = 0;  // NaN or infinity where the reference is finite
  std::int64_t unjudgeable = 0;
  std::int64_t discriminating = 0;      // elements with |y| > limit: zero would be rejected
  double largest_ratio = 0;             // (|got-want| - rounding) / envelope, over matches only
  std::int64_t worst = -1;              // element number of the worst failing one, -1 none
  double got = 0, want = 0, limit = 0;  // at `worst`
  std::optional<double> factor;         // got = factor * want at every judged element, some failing
  std::vector<std::uint8_t> failed;     // per element: 0 no, 1 wrong, 2 nonfinite; empty: none
};

Comparison compare(const Tensor& got, const ExpectedTensor& want, const Tolerance& tolerance,
                   const Contract& contract);
/// The limit of one element: u_out (|y| + c t) + eta_out + c t; 0 for exact columns.
double limit_of(double value, double envelope, DType out, const Tolerance& tolerance,
                const Contract& contract);

}  // namespace gate
