// The error map: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/error_map.h"

#include <fmt/core.h>

#include <algorithm>

#include "gate/explain/failing.h"

namespace gate {
namespace {

constexpr std::int64_t lines_max = 16, blocks_max = 64;

struct Grid {
  std::int64_t rows_per_line, columns_per_block, lines, blocks;
};

Grid grid_of(const Failing& failing) {
  const auto up = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
  const std::int64_t rows = up(failing.rows, lines_max);
  const std::int64_t columns = up(failing.columns, blocks_max);
  return {rows, columns, up(failing.rows, rows), up(failing.columns, columns)};
}

char block(const Failing& failing, const Grid& grid, std::int64_t line, std::int64_t column) {
  std::int64_t covered = 0, failed = 0, nonfinite = 0;
  const std::int64_t row_end = std::min(failing.rows, (line + 1) * grid.rows_per_line);
  const std::int64_t column_end = std::min(failing.columns, (column + 1) * grid.columns_per_block);
  for (std::int64_t r = line * grid.rows_per_line; r < row_end; ++r) {
    for (std::int64_t c = column * grid.columns_per_block; c < column_end; ++c) {
      const std::uint8_t mark = failing.marks[static_cast<std::size_t>(r * failing.columns + c)];
      ++covered;
      failed += mark != 0;
      nonfinite += mark == 2;
    }
  }
  if (failed == 0) return '.';
  if (nonfinite > 0) return 'N';
  return failed * 2 > covered ? '#' : '-';
}

}  // namespace

std::string error_map(const Verdict& verdict) {
  const std::optional<Failing> failing = failing_elements(verdict);
  if (!failing) return {};
  const Grid grid = grid_of(*failing);
  std::string text = fmt::format("{}: {} rows x {} columns, {} failing; one block = {} x {}\n",
                                 failing->comparison->output, failing->rows, failing->columns,
                                 failing->count, grid.rows_per_line, grid.columns_per_block);
  for (std::int64_t line = 0; line < grid.lines; ++line) {
    for (std::int64_t column = 0; column < grid.blocks; ++column) {
      text += block(*failing, grid, line, column);
    }
    text += '\n';
  }
  return text;
}

}  // namespace gate
