// Views per layout. Positions stay below 2^62, so products of sizes are computed without checks.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/layout.h"

#include <algorithm>

namespace gate {
namespace {

constexpr std::int64_t padding_max = 4096;
constexpr std::int64_t step_max = 64;

/// Strides of rows that are `row` elements apart, over all dimensions but the last.
void stack_rows(View& view, std::int64_t row) {
  for (std::size_t d = view.shape.size() - 1; d-- > 0;) {
    view.strides[d] = row;
    row *= view.shape[d];
  }
}

}  // namespace

View view_of(const TensorChoice& choice, const std::vector<std::int64_t>& shape) {
  View view = contiguous_view(shape);
  const std::size_t rank = shape.size();
  if (choice.layout == "row_pitch" && rank >= 2) stack_rows(view, shape.back() + choice.padding);
  if (choice.layout == "strided" && rank >= 1) {
    view.strides.back() = choice.step;
    stack_rows(view, shape.back() * choice.step);
  }
  if (choice.layout == "offset") view.offset = choice.offset;
  if (choice.layout == "transposed" && rank >= 2) {
    view.strides[rank - 1] = shape[rank - 2];
    view.strides[rank - 2] = 1;
  }
  if (choice.layout == "broadcast") {
    const auto wide = std::find_if(shape.begin(), shape.end(), [](auto size) { return size > 1; });
    if (wide != shape.end()) {
      const auto d = static_cast<std::size_t>(wide - shape.begin());
      view.strides[d] = 0;
      // Dimensions before it have size 1; their strides are never used but shown.
      for (std::size_t before = 0; before < d; ++before) view.strides[before] = 0;
    }
  }
  return view;
}

std::int64_t alignment_elements(std::size_t dtype_bytes, const KernelSpec* kernel) {
  if (kernel == nullptr || kernel->alignment <= 0) return 1;
  const auto bytes = static_cast<std::int64_t>(dtype_bytes);
  return std::max<std::int64_t>(1, (kernel->alignment + bytes - 1) / bytes);
}

std::string layout_problem(const TensorChoice& choice, const TensorSchema& tensor,
                           std::size_t dtype_bytes, const KernelSpec* kernel) {
  const auto& allowed = tensor.layouts;
  const std::string& layout = choice.layout;
  if (layout != "contiguous" && std::find(allowed.begin(), allowed.end(), layout) == allowed.end())
    return "layout '" + layout + "' is not one of its layouts";
  const std::int64_t unit = alignment_elements(dtype_bytes, kernel);
  const bool pitched = layout == "row_pitch";
  const bool stepped = layout == "strided";
  const bool moved = layout == "offset";
  if (pitched && tensor.shape.size() < 2) return "row_pitch needs two dimensions";
  if (layout == "transposed" && tensor.shape.size() < 2) return "transposed needs two dimensions";
  if ((stepped || layout == "broadcast") && tensor.shape.empty())
    return layout + " needs a dimension";
  if (pitched ? choice.padding < 1 || choice.padding > padding_max : choice.padding != 0)
    return "padding " + std::to_string(choice.padding) + " does not suit " + layout;
  if (stepped ? choice.step < 2 || choice.step > step_max : choice.step != 1)
    return "step " + std::to_string(choice.step) + " does not suit " + layout;
  if (moved ? choice.offset < 1 || choice.offset > padding_max : choice.offset != 0)
    return "offset " + std::to_string(choice.offset) + " does not suit " + layout;
  if (choice.padding % unit != 0 || choice.offset % unit != 0)
    return "rows are not aligned to " + std::to_string(unit) + " elements";
  return {};
}

}  // namespace gate
