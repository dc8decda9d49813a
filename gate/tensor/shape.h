// Shapes and strided views, in elements.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace gate {

/// A view into storage: element (i0, i1 …) is at offset + Σ i_d * strides[d] (elements).
struct View {
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::int64_t offset = 0;

  bool operator==(const View&) const = default;
};

/// Row-major strides without gaps.
View contiguous_view(const std::vector<std::int64_t>& shape);
/// Number of logical elements; 1 for rank 0. Saturates, as do all counts here.
std::int64_t element_count(const std::vector<std::int64_t>& shape);
/// Elements of storage the view needs: largest reachable position + 1 (offset included); 0 if
/// empty.
std::int64_t storage_elements(const View& view);
/// True if every logical element stands at the position of its own number (so offset 0).
bool is_contiguous(const View& view);
/// Storage position of the logical (row-major) element number `linear`.
std::int64_t position(const View& view, std::int64_t linear);
/// Index tuple of a logical element number.
std::vector<std::int64_t> index_of(const std::vector<std::int64_t>& shape, std::int64_t linear);

}  // namespace gate
