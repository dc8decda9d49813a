// Laws of views and of draws, against enumeration.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>

#include "gate/base/random.h"
#include "gate/tensor/shape.h"

namespace gate {
namespace {

std::vector<std::int64_t> any_shape() {
  const auto rank = *rc::gen::inRange<std::size_t>(0, 5);
  return *rc::gen::container<std::vector<std::int64_t>>(rank, rc::gen::inRange<std::int64_t>(0, 5));
}

View any_view() {
  View view = contiguous_view(any_shape());
  for (std::int64_t& stride : view.strides) stride = *rc::gen::inRange<std::int64_t>(0, 30);
  view.offset = *rc::gen::inRange<std::int64_t>(0, 10);
  return view;
}

/// Position by the definition: offset + Σ index * stride.
std::int64_t defined_position(const View& view, std::int64_t linear) {
  const auto index = index_of(view.shape, linear);
  std::int64_t place = view.offset;
  for (std::size_t axis = 0; axis < index.size(); ++axis) place += index[axis] * view.strides[axis];
  return place;
}

RC_GTEST_PROP(ViewLaws, StorageEndsBehindTheFarthestElement, ()) {
  const View view = any_view();
  std::int64_t farthest = -1;
  for (std::int64_t linear = 0; linear < element_count(view.shape); ++linear) {
    RC_ASSERT(position(view, linear) == defined_position(view, linear));
    farthest = std::max(farthest, position(view, linear));
  }
  RC_ASSERT(storage_elements(view) == farthest + 1);
}

RC_GTEST_PROP(ViewLaws, ContiguousMeansPositionIsNumber, ()) {
  View view = *rc::gen::arbitrary<bool>() ? any_view() : contiguous_view(any_shape());
  bool identical = true;
  for (std::int64_t linear = 0; linear < element_count(view.shape); ++linear) {
    identical = identical && position(view, linear) == linear;
  }
  RC_ASSERT(is_contiguous(view) == identical);
}

RC_GTEST_PROP(ViewLaws, IndexesCountThroughTheShape, ()) {
  const auto shape = any_shape();
  for (std::int64_t linear = 0; linear < element_count(shape); ++linear) {
    const auto index = index_of(shape, linear);
    std::int64_t number = 0;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      RC_ASSERT(index[axis] >= 0 && index[axis] < shape[axis]);
      number = number * shape[axis] + index[axis];
    }
    RC_ASSERT(number == linear);
  }
}

RC_GTEST_PROP(RandomLaws, DrawsStayInTheirRange,
              (std::uint64_t key, std::int64_t a, std::int64_t b)) {
  RandomStream stream(key, 0);
  const std::int64_t low = std::min(a, b), high = std::max(a, b);
  const std::int64_t draw = stream.between(low, high);
  RC_ASSERT(low <= draw && draw <= high);
  const double unit = stream.unit();
  RC_ASSERT(0 <= unit && unit < 1);
}

RC_GTEST_PROP(RandomLaws, AStreamIsItsKeyAndLane, (std::uint64_t key, std::uint64_t lane)) {
  RandomStream first(key, lane), second(key, lane);
  for (int draw = 0; draw < 9; ++draw) RC_ASSERT(first.next_u64() == second.next_u64());
}

}  // namespace
}  // namespace gate
