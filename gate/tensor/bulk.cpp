// Reading many elements: 16-bit floats by shifting them into a float, others one by one.
// SPDX-License-Identifier: Apache-2.0
#include "gate/tensor/bulk.h"

#include <bit>
#include <cstring>

namespace gate {
namespace {

/// A NaN in parts, since arithmetic on it need not keep its sign and payload.
double quiet_nan(std::uint16_t bits, int mantissa_bits) {
  const std::uint64_t sign = static_cast<std::uint64_t>(bits >> 15) << 63;
  const std::uint64_t fraction = bits & ((1ull << mantissa_bits) - 1);
  return std::bit_cast<double>(sign | 0xFFFull << 51 | fraction << (52 - mantissa_bits));
}

double value_of_half(std::uint16_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffu;
  if (magnitude > 0x7c00u) return quiet_nan(bits, 10);
  // Shifted into place, the exponent is short by 112: subnormals come out right as well.
  const float value = magnitude == 0x7c00u ? std::bit_cast<float>(0x7f800000u)
                                           : std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  return (bits & 0x8000u) != 0 ? -value : value;
}

double value_of_brain(std::uint16_t bits) {
  if ((bits & 0x7fffu) > 0x7f80u) return quiet_nan(bits, 7);
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

template <class Convert>
void each_16_bits(const std::byte* first, std::vector<double>& values, Convert convert) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    std::uint16_t element;
    std::memcpy(&element, first + i * sizeof element, sizeof element);
    values[i] = convert(element);
  }
}

}  // namespace

std::vector<double> load_all(DType dtype, const std::byte* first, std::size_t count) {
  std::vector<double> values(count);
  if (dtype == DType::f16) {
    each_16_bits(first, values, value_of_half);
  } else if (dtype == DType::bf16) {
    each_16_bits(first, values, value_of_brain);
  } else {
    const std::size_t bytes = facts(dtype).bytes;
    for (std::size_t i = 0; i < count; ++i) values[i] = load(dtype, first + i * bytes);
  }
  return values;
}

}  // namespace gate
