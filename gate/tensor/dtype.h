// The dtype table: sizes, limits, and round-to-nearest-even conversions done in integers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace gate {

enum class DType { f64, f32, f16, bf16, f8e4m3, f8e5m2, i8, u8, i32, i64, boolean };

struct DTypeFacts {
  std::string_view name;    // as in TOML: f16, bool …
  std::string_view c_name;  // as in CUDA C++: __half
  std::size_t bytes;
  bool is_float;
  int mantissa_bits;  // stored ones
  int exponent_bits;
  double unit_roundoff;  // u; 0 for integers
  double largest;        // MAX, finite
  double normal_min;
  double subnormal_min;
  bool has_infinity;  // false: e4m3 and integers
};

const DTypeFacts& facts(DType dtype);
std::span<const DType> all_dtypes();
std::optional<DType> dtype_named(std::string_view name);

/// Value of one element; integers beyond 2^53 lose digits here: use load_integer.
/// A bool yields its byte, so that a byte other than 0 and 1 shows. NaNs come back quiet.
double load(DType dtype, const std::byte* element);
/// Round to nearest even, once. Beyond the largest value: infinity, or NaN for e4m3 (which has no
/// infinity); integers truncate towards zero and clamp (NaN becomes 0); a bool is 1 for any
/// value but 0 and NaN. f64 keeps its bits; a NaN keeps sign and leading payload, quiet.
void store(DType dtype, double value, std::byte* element);
std::int64_t load_integer(DType dtype, const std::byte* element);
void store_integer(DType dtype, std::int64_t value, std::byte* element);
/// Bits as an integer, zero extended; and back.
std::uint64_t load_bits(DType dtype, const std::byte* element);
void store_bits(DType dtype, std::uint64_t bits, std::byte* element);
/// `value` rounded to the dtype and read back.
double rounded(DType dtype, double value);
/// Distance of `value`'s representable neighbours (unit in the last place), subnormals included.
double ulp(DType dtype, double value);

}  // namespace gate
