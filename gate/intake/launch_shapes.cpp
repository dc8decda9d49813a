// Plausible grids and blocks: from the body's use of the grid, launch bounds, tile constants.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/intake/draft.h"

namespace gate {
namespace {

std::string size_text(const Expression& size) {
  const std::string& text = size.text();
  return text.find(' ') == std::string::npos ? text : "(" + text + ")";
}

std::string product(const std::vector<Expression>& sizes, std::size_t count) {
  std::vector<std::string> factors;
  for (std::size_t i = 0; i < count; ++i) factors.push_back(size_text(sizes[i]));
  return factors.empty() ? "1" : join(factors, " * ");
}

std::string divided(const std::string& count, std::int64_t by) {
  return fmt::format("ceil_div({}, {})", count, by);
}

void add(std::vector<std::int64_t>& list, std::int64_t value) {
  if (value > 0 && std::find(list.begin(), list.end(), value) == list.end()) list.push_back(value);
}

class Shapes {
 public:
  explicit Shapes(const DraftRequest& request)
      : source_(request.source), function_(request.function), op_(request.op) {}

  std::vector<LaunchShape> run() {
    const bool plane = function_.geometry.thread_y;
    for (const std::int64_t side : sizes(plane)) {
      if (plane) {
        planes(side);
      } else {
        lines(side);
      }
    }
    return std::move(shapes_);
  }

 private:
  /// Threads of a block, or its side: what the source says first, then what is usual.
  std::vector<std::int64_t> sizes(bool plane) const {
    std::vector<std::int64_t> list;
    for (const TemplateParameter& parameter : function_.templates) {
      if (!parameter.is_type && parameter.fallback) add(list, *parameter.fallback);
    }
    if (!plane) add(list, function_.launch_bounds);
    const std::int64_t low = plane ? 4 : 32, high = plane ? 32 : 1024;
    for (const MinedTile& tile : source_.constants) {
      const bool constant = tile.text.find('=') != std::string::npos || tile.text == "dim3" ||
                            tile.text == "launch" || tile.text.find("shared") != std::string::npos;
      if (constant && tile.value >= low && tile.value <= high) add(list, tile.value);
    }
    add(list, plane ? 16 : 256);
    add(list, plane ? 32 : 128);
    constexpr std::size_t sizes_max = 3;
    if (list.size() > sizes_max) list.resize(sizes_max);
    return list;
  }

  void push(std::vector<std::string> grid, std::vector<std::string> block, std::int64_t side) {
    LaunchShape shape;
    shape.grid = std::move(grid);
    shape.block = std::move(block);
    for (const TemplateParameter& parameter : function_.templates) {
      if (!parameter.is_type) shape.numbers.push_back(side);
    }
    if (!function_.geometry.dynamic_shared) {
      shapes_.push_back(std::move(shape));
      return;
    }
    const std::vector<Expression>& sizes = op_.outputs.front().shape;
    for (const std::string& bytes :
         {fmt::format("{} * 4", join(shape.block, " * ")),
          sizes.empty() ? std::string("4096") : size_text(sizes.back()) + " * 4"}) {
      shape.shared = bytes;
      shapes_.push_back(shape);
    }
  }

  void planes(std::int64_t side) {
    const std::vector<Expression>& sizes = op_.outputs.front().shape;
    const std::string edge = std::to_string(side);
    const std::size_t rank = sizes.size();
    if (rank < 2) return lines(side * side);
    const std::string x = divided(size_text(sizes[rank - 1]), side);
    const std::string y = divided(size_text(sizes[rank - 2]), side);
    std::vector<std::string> grid = {x, y}, turned = {y, x};
    if (function_.geometry.block_z) {
      grid.push_back(product(sizes, rank - 2));
      turned.push_back(product(sizes, rank - 2));
    }
    push(grid, {edge, edge}, side);
    push(turned, {edge, edge}, side);
  }

  void lines(std::int64_t threads) {
    const std::vector<Expression>& sizes = op_.outputs.front().shape;
    const std::size_t rank = sizes.size();
    const std::vector<std::string> block = {std::to_string(threads)};
    const std::string all = product(sizes, rank);
    const std::vector<Expression>& wide = op_.inputs.empty() ? sizes : op_.inputs.front().shape;
    const std::string rows = wide.size() > 1 ? product(wide, wide.size() - 1) : all;
    if (function_.geometry.block_y && rank > 1) {
      const std::string x = size_text(sizes[rank - 1]), y = product(sizes, rank - 1);
      push({divided(x, threads), y}, block, threads);
      push({x, y}, block, threads);
      push({y, divided(x, threads)}, block, threads);
      return;
    }
    if (function_.geometry.element_index) {
      push({divided(all, threads)}, block, threads);
      if (rows != all) push({divided(rows, threads)}, block, threads);
      push({rows}, block, threads);
      return;
    }
    push({rows}, block, threads);
    if (rows != all) push({all}, block, threads);
    push({divided(rows, std::max<std::int64_t>(1, threads / 32))}, block, threads);
    push({"1"}, block, threads);
  }

  const SourceReading& source_;
  const SourceFunction& function_;
  const OpSchema& op_;
  std::vector<LaunchShape> shapes_;
};

}  // namespace

std::vector<LaunchShape> launch_shapes(const DraftRequest& request) {
  if (request.function.what != SourceFunction::What::kernel) return {LaunchShape{}};
  return Shapes(request).run();
}

}  // namespace gate
