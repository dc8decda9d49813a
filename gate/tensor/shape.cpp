// Arithmetic of shapes and views; counts saturate instead of wrapping, so that a size cap holds.
// SPDX-License-Identifier: Apache-2.0
#include "gate/tensor/shape.h"

#include <limits>

#include "gate/base/check.h"

namespace gate {

namespace {

constexpr std::int64_t count_max = std::numeric_limits<std::int64_t>::max();

std::int64_t product(std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  return __builtin_mul_overflow(a, b, &value) ? count_max : value;
}

std::int64_t sum(std::int64_t a, std::int64_t b) {
  std::int64_t value = 0;
  return __builtin_add_overflow(a, b, &value) ? count_max : value;
}

}  // namespace

View contiguous_view(const std::vector<std::int64_t>& shape) {
  View view{shape, std::vector<std::int64_t>(shape.size()), 0};
  std::int64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    view.strides[axis] = stride;
    stride = product(stride, shape[axis]);
  }
  return view;
}

std::int64_t element_count(const std::vector<std::int64_t>& shape) {
  std::int64_t count = 1;
  bool empty = false;
  for (const std::int64_t extent : shape) {
    check(extent >= 0, "extents are not negative");
    empty = empty || extent == 0;
    count = product(count, extent);
  }
  return empty ? 0 : count;
}

std::int64_t storage_elements(const View& view) {
  check(view.strides.size() == view.shape.size(), "a view has one stride per axis");
  if (element_count(view.shape) == 0) return 0;
  std::int64_t lowest = view.offset, highest = view.offset;
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    const std::int64_t steps = view.shape[axis] - 1, stride = view.strides[axis];
    if (stride >= 0) {
      highest = sum(highest, product(steps, stride));
    } else {
      lowest += steps * stride;
    }
  }
  check(lowest >= 0, "a view stays inside its storage");
  return sum(highest, 1);
}

bool is_contiguous(const View& view) {
  if (element_count(view.shape) == 0) return true;
  if (view.offset != 0) return false;
  const View packed = contiguous_view(view.shape);
  for (std::size_t axis = 0; axis < view.shape.size(); ++axis) {
    if (view.shape[axis] != 1 && view.strides[axis] != packed.strides[axis]) return false;
  }
  return true;
}

std::int64_t position(const View& view, std::int64_t linear) {
  std::int64_t place = view.offset;
  for (std::size_t axis = view.shape.size(); axis-- > 0;) {
    const std::int64_t extent = view.shape[axis];
    place += linear % extent * view.strides[axis];
    linear /= extent;
  }
  return place;
}

std::vector<std::int64_t> index_of(const std::vector<std::int64_t>& shape, std::int64_t linear) {
  std::vector<std::int64_t> index(shape.size());
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = linear % shape[axis];
    linear /= shape[axis];
  }
  return index;
}

}  // namespace gate
