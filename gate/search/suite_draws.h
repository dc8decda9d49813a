// Inputs of suites: the distributions of oracle.md sections 7 and 12, quantised.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "gate/tensor/dtype.h"

namespace gate {

struct SuiteDraw {
  std::string_view distribution;
  std::int64_t rows = 1, cols = 1;
  DType dtype = DType::f32;
  std::uint64_t key = 0, lane = 0;
};
/// rows x cols values; e4m3 saturates as a quantiser does.
std::vector<double> suite_values(const SuiteDraw& draw);

}  // namespace gate
