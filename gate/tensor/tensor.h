// A named tensor: dtype, view and the bytes of its storage (gaps included).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "gate/tensor/dtype.h"
#include "gate/tensor/shape.h"

namespace gate {

enum class Role { input, output, workspace, inout };

struct Tensor {
  std::string name;
  Role role = Role::input;
  DType dtype = DType::f32;
  View view;
  std::vector<std::byte> storage;  // storage_elements(view) * bytes of dtype

  std::int64_t elements() const { return element_count(view.shape); }
  /// Value of the logical element `linear`.
  double at(std::int64_t linear) const;
  std::int64_t integer_at(std::int64_t linear) const;
  std::uint64_t bits_at(std::int64_t linear) const;
  void set(std::int64_t linear, double value);
  void set_integer(std::int64_t linear, std::int64_t value);
  void set_bits(std::int64_t linear, std::uint64_t bits);
};

/// Storage allocated, every byte poisoned (gaps too): the pattern `poison_bits(dtype)`.
Tensor make_tensor(std::string name, Role role, DType dtype, View view);
/// Poison of a dtype as bytes of one element: a quiet NaN with payload for floats, 0x5A… else.
/// `second` gives another pattern, for telling a legitimate equal value from poison left behind.
std::uint64_t poison_bits(DType dtype, bool second = false);
void poison(Tensor& tensor, bool second = false);

}  // namespace gate
