// The failing elements of an output seen as a matrix: last dimension columns, the rest rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "gate/oracle/verdict.h"

namespace gate {

struct Failing {
  std::int64_t rows = 0, columns = 0;
  std::int64_t count = 0;  // failing elements
  std::int64_t nonfinite = 0;
  std::vector<std::uint8_t> marks;   // per element: 0 fine, 1 wrong, 2 nonfinite
  std::vector<std::int64_t> in_row;  // failing elements per row, per column
  std::vector<std::int64_t> in_column;
  const Comparison* comparison = nullptr;
};

/// Of the first output with failures (or with unwritten elements); nothing if no element failed.
std::optional<Failing> failing_elements(const Verdict& verdict);

}  // namespace gate
