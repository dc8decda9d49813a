// Row primitives around exp(x - max): softmax, log-softmax. The closed forms cover three-pass,
// online and scaled-exp2 algorithms. Masked (-inf) entries give exactly 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/reference/reductions.h"

namespace gate {

/// Every entry is -inf: the contracts leave the row open.
template <class Row>
bool fully_masked(const Row& row) {
  const auto n = static_cast<std::int64_t>(row.size());
  for (std::int64_t i = 0; i < n; ++i) {
    if (!(value_of(row[i]) == -infinity)) return false;
  }
  return true;
}

/// exp(x - max) of a row in fp64 and what its error needs.
struct Exponentials {
  std::vector<double> values;  // exp(x - max)
  double largest = -infinity;  // max, NaN left aside as kernels do
  double total = 0;            // their sum
  double terms = 0;            // entries that are not masked
  double summed = 0;           // relative error of that sum
  double weighted = 0;         // sum of y * (roundings of its exponent), plus carried errors
};

/// Roundings of exp(x - m), in units of the roundoff.
inline double exponent_roundings(const Arithmetic& a, double x, double m) {
  const double fast = a.fast_math != 0 ? 4 + 2 * 1.173 * std::abs(x - m) : 0;
  return 1.5 * (std::abs(x) + std::abs(m) + 4) + fast;
}

template <ReferenceScalar S, class Row>
Exponentials exponentials(const Context<S>& c, const Row& row) {
  const auto n = static_cast<std::int64_t>(row.size());
  Exponentials e;
  e.values.resize(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) {
    const double x = value_of(row[i]);
    if (x > e.largest) e.largest = x;
  }
  for (std::int64_t i = 0; i < n; ++i) {
    const double x = value_of(row[i]);
    e.values[static_cast<std::size_t>(i)] = std::exp(x - e.largest);
    e.total += e.values[static_cast<std::size_t>(i)];
  }
  if constexpr (std::same_as<S, Tracked>) {
    const Arithmetic& a = c.arithmetic();
    SumError summed;
    for (const double value : e.values) {
      if (value != 0) summed.add(value);  // masked entries add nothing, and round nothing
    }
    for (const double value : e.values) summed.absorb(a, value, false);
    e.summed = summed.bound(a, false) / e.total;
    const double inverse = 1 / e.total;
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = value_of(row[i]);
      if (x == -infinity) continue;
      e.terms += 1;
      const double share = e.values[static_cast<std::size_t>(i)] * inverse;
      e.weighted += share * (a.unit * exponent_roundings(a, x, e.largest) + error_of(row[i]));
    }
  }
  return e;
}

template <ReferenceScalar S, class Row>
std::vector<S> softmax(const Context<S>& c, const Row& row) {
  const Exponentials e = exponentials(c, row);
  const Arithmetic& a = c.arithmetic();
  const double shared = e.weighted + e.summed + 4 * a.unit;
  // Scaling by log2(e) may leave the range before the maximum is subtracted.
  const bool in_range = !(std::abs(e.largest) > a.largest / 2) || std::isinf(e.largest);
  std::vector<S> result(e.values.size());
  for (std::size_t i = 0; i < e.values.size(); ++i) {
    const double y = e.values[i] / e.total;
    if constexpr (std::same_as<S, double>) {
      result[i] = y;
    } else {
      const S x = row[static_cast<std::int64_t>(i)];
      const double relative = a.unit * exponent_roundings(a, x.value, e.largest) + x.error + shared;
      // A kernel's value lies in [0, 1] whatever it lost.
      const double error = std::min(y * relative + 2 * a.underflow, 1.0);
      const bool masked = x.value == -infinity;
      const bool known = in_range && std::isfinite(x.error);
      result[i] = tracked_result(Tracked{y, masked ? 0 : error, &a}, known);
    }
  }
  return result;
}

template <ReferenceScalar S, class Row>
std::vector<S> log_softmax(const Context<S>& c, const Row& row) {
  const Exponentials e = exponentials(c, row);
  const Arithmetic& a = c.arithmetic();
  const double log_total = std::log(e.total);
  std::vector<S> result;
  result.reserve(e.values.size());
  for (std::size_t i = 0; i < e.values.size(); ++i) {
    const S x = row[static_cast<std::int64_t>(i)];
    const double y = value_of(x) - e.largest - log_total;
    if constexpr (std::same_as<S, double>) {
      result.push_back(y);
    } else {
      const double entire = std::abs(x.value) + std::abs(e.largest) +
                            std::abs(e.largest + log_total) + 2 * std::abs(log_total);
      const double error = a.unit * entire + e.weighted + e.summed + x.error;
      result.push_back(tracked_result(Tracked{y, error, &a}, std::isfinite(x.error)));
    }
  }
  return result;
}

}  // namespace gate
