// The accumulators, and the factors that bound them.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/suite_sums.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace gate {
namespace {

/// Multiples of 2^quantum, towards zero.
double truncated(double x, int quantum) {
  return std::ldexp(std::trunc(std::ldexp(x, -quantum)), quantum);
}

/// One step of a matrix unit: `bits` of the largest addend survive, then of the result.
double core_step(double accumulator, const double* terms, int count, int bits, int guard) {
  double largest = std::abs(accumulator);
  for (int i = 0; i < count; ++i) largest = std::max(largest, std::abs(terms[i]));
  if (largest == 0 || !std::isfinite(largest)) {
    for (int i = 0; i < count; ++i) accumulator += terms[i];
    return accumulator;
  }
  const int quantum = std::ilogb(largest) - (bits - 1) - guard;
  double sum = truncated(accumulator, quantum);
  for (int i = 0; i < count; ++i) sum += truncated(terms[i], quantum);
  return sum == 0 ? 0 : truncated(sum, std::ilogb(sum) - (bits - 1));
}

double core_sum(std::int64_t count, const SuiteTerms& term, int step, int bits, int guard) {
  double accumulator = 0;
  double terms[32];
  for (std::int64_t first = 0; first < count; first += step) {
    const int here = static_cast<int>(std::min<std::int64_t>(step, count - first));
    for (int i = 0; i < here; ++i) terms[i] = term(first + i);
    accumulator = core_step(accumulator, terms, here, bits, guard);
  }
  return accumulator;
}

double fp8_sum(std::int64_t count, const SuiteTerms& term) {
  constexpr std::int64_t promotion = 128;
  float total = 0;
  for (std::int64_t first = 0; first < count; first += promotion) {
    const std::int64_t here = std::min(promotion, count - first);
    const auto part = [&](std::int64_t i) { return term(first + i); };
    total += to_f32(core_sum(here, part, 32, 14, 0));
  }
  return total;
}

double serial_sum(std::int64_t first, std::int64_t count, const SuiteTerms& term,
                  DType accumulator) {
  if (accumulator == DType::f32) {
    float sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += to_f32(term(first + i));
    return sum;
  }
  double sum = 0;
  for (std::int64_t i = 0; i < count; ++i) sum = rounded(accumulator, sum + term(first + i));
  return sum;
}

float pairwise_sum(std::int64_t first, std::int64_t count, const SuiteTerms& term) {
  if (count <= 8) return to_f32(serial_sum(first, count, term, DType::f32));
  const std::int64_t half = count / 2;
  return pairwise_sum(first, half, term) + pairwise_sum(first + half, count - half, term);
}

}  // namespace

double suite_sum(std::int64_t count, const SuiteTerms& term, Summation how, DType accumulator) {
  switch (how) {
    case Summation::serial:
      return serial_sum(0, count, term, accumulator);
    case Summation::pairwise:
      return pairwise_sum(0, count, term);
    case Summation::split: {
      const std::int64_t part = (count + 7) / 8;
      float sum = 0;
      for (std::int64_t first = 0; first < count; first += part) {
        sum += to_f32(serial_sum(first, std::min(part, count - first), term, DType::f32));
      }
      return sum;
    }
    case Summation::tensor_core:
      return core_sum(count, term, 16, 24, 3);
    case Summation::fp8_core:
      return fp8_sum(count, term);
  }
  return 0;
}

double serial_factor(double n) { return std::min(n, 6 * std::sqrt(n)) * 0x1p-24; }
double tensor_factor(double n) {
  return std::max((std::ceil(n / 16) + 1) * 0x1p-22, serial_factor(n));
}
double fp8_factor(double n) {
  return (std::min(n, 128.0) + 5) * 0x1p-13 + 6 * std::sqrt(n / 128) * 0x1p-24;
}
double matrix_factor(DType in, bool tf32, double n) {
  if (in == DType::f8e4m3 || in == DType::f8e5m2) return fp8_factor(n);
  return in == DType::f32 && !tf32 ? serial_factor(n) : tensor_factor(n);
}

}  // namespace gate
