// Conversions between dtypes and double, in integers: no rounding mode, no libm, no fast math.
// 8-bit floats follow the OCP 8-bit floating point specification 1.0.
// SPDX-License-Identifier: Apache-2.0
#include "gate/tensor/dtype.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "gate/base/check.h"
#include "gate/tensor/bulk.h"

namespace gate {

namespace {

constexpr double i64_largest = 0x1.fffffffffffffp62;  // the largest double that is one

constexpr std::array<DTypeFacts, 11> table = {{
    // name, c_name, bytes, float, mantissa, exponent, u, largest, normal_min, subnormal_min, inf
    {"f64", "double", 8, true, 52, 11, 0x1p-53, 0x1.fffffffffffffp1023, 0x1p-1022, 0x1p-1074, true},
    {"f32", "float", 4, true, 23, 8, 0x1p-24, 0x1.fffffep127, 0x1p-126, 0x1p-149, true},
    {"f16", "__half", 2, true, 10, 5, 0x1p-11, 65504, 0x1p-14, 0x1p-24, true},
    {"bf16", "__nv_bfloat16", 2, true, 7, 8, 0x1p-8, 0x1.fep127, 0x1p-126, 0x1p-133, true},
    {"f8e4m3", "__nv_fp8_e4m3", 1, true, 3, 4, 0x1p-4, 448, 0x1p-6, 0x1p-9, false},
    {"f8e5m2", "__nv_fp8_e5m2", 1, true, 2, 5, 0x1p-3, 57344, 0x1p-14, 0x1p-16, true},
    {"i8", "signed char", 1, false, 0, 0, 0, 127, 1, 1, false},
    {"u8", "unsigned char", 1, false, 0, 0, 0, 255, 1, 1, false},
    {"i32", "int", 4, false, 0, 0, 0, 2147483647, 1, 1, false},
    {"i64", "long long", 8, false, 0, 0, 0, i64_largest, 1, 1, false},
    {"bool", "bool", 1, false, 0, 0, 0, 1, 1, 1, false},
}};

constexpr std::array<DType, 11> dtypes = {DType::f64,    DType::f32,    DType::f16,    DType::bf16,
                                          DType::f8e4m3, DType::f8e5m2, DType::i8,     DType::u8,
                                          DType::i32,    DType::i64,    DType::boolean};

// A value in parts: magnitude significand * 2^(exponent - 63), the top bit of significand set.
struct Parts {
  bool negative = false;
  int exponent = 0;
  std::uint64_t significand = 0;
};

Parts normalised(bool negative, std::uint64_t magnitude, int exponent) {
  const int zeros = std::countl_zero(magnitude);
  if (zeros == 64) return {negative, 0, 0};
  return {negative, exponent - zeros, magnitude << zeros};
}

int bias_of(const DTypeFacts& format) { return (1 << (format.exponent_bits - 1)) - 1; }

/// Bits of the first pattern above the finite ones: infinity, or NaN where there is none.
std::uint64_t overflow_bits(const DTypeFacts& format) {
  const std::uint64_t top = ((1ull << format.exponent_bits) - 1) << format.mantissa_bits;
  return format.has_infinity ? top : top | ((1ull << format.mantissa_bits) - 1);
}

std::uint64_t sign_bit(const DTypeFacts& format) { return 1ull << (8 * format.bytes - 1); }

/// Rounds to nearest, ties to even, once; the carry of rounding runs into the exponent by itself.
[[gnu::always_inline]] inline std::uint64_t encode(const DTypeFacts& format, const Parts& parts) {
  const std::uint64_t sign = parts.negative ? sign_bit(format) : 0;
  const int bias = bias_of(format);
  const int exponent = std::max(parts.exponent, 1 - bias);
  const int shift = 63 - format.mantissa_bits + (exponent - parts.exponent);
  if (parts.significand == 0 || shift > 64) return sign;  // below half of the smallest value
  std::uint64_t kept = shift == 64 ? 0 : parts.significand >> shift;
  const std::uint64_t half = 1ull << (shift - 1);
  const std::uint64_t rest = parts.significand & (half | (half - 1));
  if (rest > half || (rest == half && (kept & 1) != 0)) ++kept;
  const auto field = static_cast<std::uint64_t>(exponent + bias - 1) << format.mantissa_bits;
  return sign | std::min(field + kept, overflow_bits(format));
}

/// Quiet, with the sign and the leading payload bits of `value`.
std::uint64_t encode_nan(const DTypeFacts& format, double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const std::uint64_t sign = (bits >> 63) != 0 ? sign_bit(format) : 0;
  if (!format.has_infinity) return sign | overflow_bits(format);
  const std::uint64_t payload = (bits & ((1ull << 52) - 1)) >> (52 - format.mantissa_bits);
  return sign | overflow_bits(format) | 1ull << (format.mantissa_bits - 1) | payload;
}

[[gnu::always_inline]] inline std::uint64_t encode_double(const DTypeFacts& format, double value) {
  if (format.mantissa_bits == 52) return std::bit_cast<std::uint64_t>(value);
  if (std::isnan(value)) return encode_nan(format, value);
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const bool negative = (bits >> 63) != 0;
  const int field = static_cast<int>(bits >> 52 & 0x7FF);
  const std::uint64_t fraction = bits & ((1ull << 52) - 1);
  if (field == 0x7FF) return overflow_bits(format) | (negative ? sign_bit(format) : 0);
  // Subnormal doubles are far below every other format: zero.
  if (field == 0) return encode(format, {negative, 0, 0});
  return encode(format, {negative, field - 1023, (fraction | 1ull << 52) << 11});
}

double decode(const DTypeFacts& format, std::uint64_t bits) {
  if (format.mantissa_bits == 52) return std::bit_cast<double>(bits);
  const std::uint64_t sign = (bits & sign_bit(format)) != 0 ? 1ull << 63 : 0;
  const std::uint64_t magnitude = bits & (sign_bit(format) - 1);
  const std::uint64_t fraction = magnitude & ((1ull << format.mantissa_bits) - 1);
  const int widening = 52 - format.mantissa_bits;
  const std::uint64_t special = overflow_bits(format);
  if (magnitude >= special) {
    const bool infinite = format.has_infinity && magnitude == special;
    const std::uint64_t payload = infinite ? 0 : 1ull << 51 | fraction << widening;
    return std::bit_cast<double>(sign | 0x7FFull << 52 | payload);
  }
  const int field = static_cast<int>(magnitude >> format.mantissa_bits);
  if (field != 0) {
    const auto exponent = static_cast<std::uint64_t>(field - bias_of(format) + 1023) << 52;
    return std::bit_cast<double>(sign | exponent | fraction << widening);
  }
  const double value = static_cast<double>(fraction) * format.subnormal_min;  // exact
  return sign != 0 ? -value : value;
}

struct IntegerLimits {
  std::int64_t least, largest;
};

IntegerLimits limits(DType dtype) {
  switch (dtype) {
    case DType::i8:
      return {-128, 127};
    case DType::u8:
      return {0, 255};
    case DType::i32:
      return {INT32_MIN, INT32_MAX};
    default:
      return {INT64_MIN, INT64_MAX};
  }
}

// A size that the compiler knows makes these single instructions; they are in every inner loop.
template <class Word>
std::uint64_t word_at(const std::byte* element) {
  Word word;
  std::memcpy(&word, element, sizeof word);
  return word;
}

template <class Word>
void put_word(Word word, std::byte* element) {
  std::memcpy(element, &word, sizeof word);
}

/// Of a dtype that the compiler knows: shifts and masks are constants.
template <class Word, DType dtype>
void encode_all(const std::vector<double>& values, std::byte* first) {
  constexpr DTypeFacts format = table[static_cast<std::size_t>(dtype)];
  for (std::size_t i = 0; i < values.size(); ++i)
    put_word(static_cast<Word>(encode_double(format, values[i])), first + i * sizeof(Word));
}

/// Towards zero, clamped; NaN becomes 0.
std::int64_t truncated(double value) {
  if (std::isnan(value)) return 0;
  if (value >= 0x1p63) return INT64_MAX;
  if (value < -0x1p63) return INT64_MIN;
  return static_cast<std::int64_t>(value);
}

}  // namespace

const DTypeFacts& facts(DType dtype) { return table[static_cast<std::size_t>(dtype)]; }

std::span<const DType> all_dtypes() { return dtypes; }

std::optional<DType> dtype_named(std::string_view name) {
  for (const DType dtype : dtypes) {
    if (facts(dtype).name == name) return dtype;
  }
  return std::nullopt;
}

std::uint64_t load_bits(DType dtype, const std::byte* element) {
  // Host and devices are little endian: the leading bytes of the word are the element.
  static_assert(std::endian::native == std::endian::little);
  switch (facts(dtype).bytes) {
    case 1:
      return word_at<std::uint8_t>(element);
    case 2:
      return word_at<std::uint16_t>(element);
    case 4:
      return word_at<std::uint32_t>(element);
    default:
      return word_at<std::uint64_t>(element);
  }
}

void store_bits(DType dtype, std::uint64_t bits, std::byte* element) {
  switch (facts(dtype).bytes) {
    case 1:
      return put_word(static_cast<std::uint8_t>(bits), element);
    case 2:
      return put_word(static_cast<std::uint16_t>(bits), element);
    case 4:
      return put_word(static_cast<std::uint32_t>(bits), element);
    default:
      return put_word(bits, element);
  }
}

double load(DType dtype, const std::byte* element) {
  const DTypeFacts& format = facts(dtype);
  if (format.is_float) return decode(format, load_bits(dtype, element));
  return static_cast<double>(load_integer(dtype, element));
}

void store(DType dtype, double value, std::byte* element) {
  const DTypeFacts& format = facts(dtype);
  if (format.is_float) return store_bits(dtype, encode_double(format, value), element);
  if (dtype == DType::boolean) return store_integer(dtype, std::abs(value) > 0 ? 1 : 0, element);
  store_integer(dtype, truncated(value), element);
}

void store_all(DType dtype, const std::vector<double>& values, std::byte* first) {
  if (dtype == DType::f16) return encode_all<std::uint16_t, DType::f16>(values, first);
  if (dtype == DType::bf16) return encode_all<std::uint16_t, DType::bf16>(values, first);
  const std::size_t bytes = facts(dtype).bytes;
  for (std::size_t i = 0; i < values.size(); ++i) store(dtype, values[i], first + i * bytes);
}

std::int64_t load_integer(DType dtype, const std::byte* element) {
  const std::uint64_t bits = load_bits(dtype, element);
  if (facts(dtype).is_float) return truncated(decode(facts(dtype), bits));
  switch (dtype) {
    case DType::i8:
      return static_cast<std::int8_t>(bits);
    case DType::i32:
      return static_cast<std::int32_t>(bits);
    default:
      return static_cast<std::int64_t>(bits);
  }
}

void store_integer(DType dtype, std::int64_t value, std::byte* element) {
  const DTypeFacts& format = facts(dtype);
  if (format.is_float) {
    const auto bits = static_cast<std::uint64_t>(value);
    const Parts parts = normalised(value < 0, value < 0 ? 0 - bits : bits, 63);
    return store_bits(dtype, encode(format, parts), element);
  }
  if (dtype == DType::boolean) return store_bits(dtype, value != 0 ? 1 : 0, element);
  const auto [least, largest] = limits(dtype);
  const std::int64_t clamped = std::min(std::max(value, least), largest);
  store_bits(dtype, static_cast<std::uint64_t>(clamped), element);
}

double rounded(DType dtype, double value) {
  std::array<std::byte, 8> element{};
  store(dtype, value, element.data());
  return load(dtype, element.data());
}

double ulp(DType dtype, double value) {
  const DTypeFacts& format = facts(dtype);
  if (!format.is_float) return 1;
  if (std::isnan(value)) return value;
  const double magnitude = std::min(std::abs(value), format.largest);
  if (magnitude < format.normal_min) return format.subnormal_min;
  const auto bits = std::bit_cast<std::uint64_t>(magnitude);
  const double power = std::bit_cast<double>(bits & ~((1ull << 52) - 1));
  return power * (2 * format.unit_roundoff);  // both powers of two: exact, at least subnormal_min
}

}  // namespace gate
