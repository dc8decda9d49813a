// Row primitives: sum, dot, mean, moments, norms. Their errors are the closed forms of
// knowledge oracle.md, 4: tracking each operation is too loose where errors are correlated.
// A row is anything with size() and operator[] yielding S: Line, std::vector, std::span.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/reference/context.h"
#include "gate/reference/terms.h"

namespace gate {

template <ReferenceScalar S, class Row>
S sum(const Context<S>& c, const Row& row) {
  const auto value = [&](std::int64_t i) { return value_of(row[i]); };
  const auto error = [&](std::int64_t i) { return error_of(row[i]); };
  const TermList list{static_cast<std::int64_t>(row.size()), value, error, false};
  return add_terms<S>(c.arithmetic(), list);
}

/// A sum of products that tensor cores may form.
template <ReferenceScalar S, class RowA, class RowB>
S dot(const Context<S>& c, const RowA& a, const RowB& b) {
  const auto value = [&](std::int64_t i) { return value_of(a[i]) * value_of(b[i]); };
  const auto error = [&](std::int64_t i) -> double {
    const double ea = error_of(a[i]), eb = error_of(b[i]);
    if (ea == 0 && eb == 0) return 0;
    return std::abs(value_of(a[i])) * eb + std::abs(value_of(b[i])) * ea + ea * eb;
  };
  const TermList list{static_cast<std::int64_t>(a.size()), value, error, true};
  return add_terms<S>(c.arithmetic(), list);
}

/// `extra` roundings of a result, on top of its own.
inline double rounded_more(double x, double) { return x; }
inline Tracked rounded_more(Tracked x, double extra) {
  if (x.arithmetic != nullptr && std::isfinite(x.value)) {
    x.error += extra * x.arithmetic->unit * std::abs(x.value);
  }
  return x;
}

/// Sum divided by the count, or multiplied by its rounded inverse.
template <ReferenceScalar S, class Row>
S mean(const Context<S>& c, const Row& row) {
  return rounded_more(sum(c, row) / S(static_cast<double>(row.size())), 1);
}

/// x^(-1/2) whose argument is uncertain by the factor 1 +- relative and never below `least`,
/// plus `roundings` of the root and what follows.
struct InverseRoot {
  double argument = 1;
  double relative = 0;
  double least = 0;
  double roundings = 3;
};
template <ReferenceScalar S>
S inverse_root(const Arithmetic& arithmetic, const InverseRoot& of) {
  const double value = 1 / std::sqrt(of.argument);
  if constexpr (std::same_as<S, double>) {
    return value;
  } else {
    const double widest = of.least > 0 ? std::sqrt(of.argument / of.least) - 1 : infinity;
    const double grown = of.relative < 1 ? 1 / std::sqrt(1 - of.relative) - 1 : infinity;
    const double roundings = of.roundings + (arithmetic.fast_math != 0 ? 4 : 0);
    // Variances and sums of squares stay at or above eps however badly they were computed.
    const double spread =
        of.relative > 0 ? std::min(grown, std::max(widest, 0.5 * of.relative)) : 0;
    const Tracked z{value, value * (spread + roundings * arithmetic.unit), &arithmetic};
    return tracked_result(z, !std::isnan(of.relative));
  }
}

template <ReferenceScalar S>
struct Moments {
  S mean;
  S scale;  // 1 / sqrt(variance + eps)
};

/// Sums the error of a variance needs.
struct DeviationSums {
  double squares = 0, magnitudes = 0, from_mean = 0;
};

/// What running moments lose on this very row in f32: they are rounded at every step, and where few
/// values differ, to the same side.
struct RunningLoss {
  double mean = 0, variance = 0;
};
template <class Row>
RunningLoss running_loss(const Row& row, double mean, double variance) {
  const auto n = static_cast<std::int64_t>(row.size());
  float running = 0, squares = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto x = static_cast<float>(value_of(row[i]));
    const float off = x - running;
    running += off / static_cast<float>(i + 1);
    squares += off * (x - running);
  }
  const RunningLoss loss{std::abs(running - mean),
                         std::abs(squares / static_cast<double>(n) - variance)};
  return std::isfinite(loss.mean + loss.variance) ? loss : RunningLoss();
}

/// Mean and inverse deviation (biased variance) of a row; y = (x - mean) * scale. Admits two-pass
/// and Welford, rejects variances whose error grows with the square of the condition number.
template <ReferenceScalar S, class Row>
Moments<S> moments(const Context<S>& c, const Row& row, double eps) {
  const auto n = static_cast<std::int64_t>(row.size());
  const double count = static_cast<double>(n);
  double total = 0, magnitude = 0, errors = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const S x = row[i];
    total += value_of(x);
    magnitude += std::abs(value_of(x));
    errors += error_of(x);
  }
  const double mean = total / count;
  double squares = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const double d = value_of(row[i]) - mean;
    squares += d * d;
  }
  const double variance = squares / count;
  const Arithmetic& a = c.arithmetic();
  if constexpr (std::same_as<S, double>) {
    return {mean, inverse_root<S>(a, {.argument = variance + eps})};
  } else {
    const auto square = [&](std::int64_t i) {
      const double d = value_of(row[i]) - mean;
      return d * d;
    };
    const auto value = [&](std::int64_t i) { return value_of(row[i]); };
    const double summed = sum_error(a, false, n, value).bound(a, false);
    const double spread = sum_error(a, false, n, square).bound(a, false);
    // Means of denormal rows are rounded to the denormal grid, by running means at every step.
    const double grid = accumulation(a, count) / a.unit * a.underflow + a.flush;
    // Other running orders drift alike: twice the measured loss.
    const RunningLoss running =
        a.unit == 0x1p-24 ? running_loss(row, mean, variance) : RunningLoss();
    const double mean_error = std::max((summed + 2 * a.unit * magnitude + errors) / count + grid,
                                       2 * running.mean + errors / count);
    const double factor = squares > 0 ? spread / squares : accumulation(a, count);
    double crossed = 0, squared = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double off = error_of(row[i]) + mean_error;
      crossed += 2 * std::abs(value_of(row[i]) - mean) * off;
      squared += off * off;
    }
    const double whole = variance + eps;
    const double condition = std::max(1.0, std::sqrt((mean * mean + variance) / whole));
    const double closed = (factor + 6 * a.unit) * condition * variance / whole +
                          ((crossed + squared) / count + 2 * a.underflow) / whole;
    const double relative = std::max(closed, 2 * running.variance / whole);
    const bool in_range = !(squares > a.largest || magnitude > a.largest);
    Tracked scale = inverse_root<S>(a, {whole, relative, eps, 3});
    if (!std::isfinite(whole)) return {Tracked{mean, 0, &a}, scale};
    if (!in_range) scale.error = infinity;
    return {tracked_result(Tracked{mean, mean_error, &a}, true), scale};
  }
}

/// 1 / sqrt(sum of squares / divisor + eps): RMSNorm with the row length, L2 norm with 1.
template <ReferenceScalar S, class Row>
S inverse_norm(const Context<S>& c, const Row& row, double divisor, double eps) {
  const auto n = static_cast<std::int64_t>(row.size());
  double squares = 0, errors = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const S x = row[i];
    squares += value_of(x) * value_of(x);
    if (error_of(x) > 0) errors += (2 * std::abs(value_of(x)) + error_of(x)) * error_of(x);
  }
  const Arithmetic& a = c.arithmetic();
  const double whole = squares / divisor + eps;
  if constexpr (std::same_as<S, double>) {
    return inverse_root<S>(a, {.argument = whole});
  } else {
    const auto square = [&](std::int64_t i) { return value_of(row[i]) * value_of(row[i]); };
    const double share = std::isfinite(whole) && whole > 0 ? squares / divisor / whole : 0;
    const double factor =
        squares > 0 ? sum_error(a, false, n, square).bound(a, false) / squares : 0;
    double relative = share > 0 ? (factor + 3 * a.unit) * share : 0;
    if (whole > 0) relative += (errors + static_cast<double>(n) * a.underflow) / divisor / whole;
    Tracked scale = inverse_root<S>(a, {whole, relative, eps, 3});
    if (std::isfinite(squares) && squares > a.largest) scale.error = infinity;
    return scale;
  }
}

template <ReferenceScalar S, class Row>
S rms_scale(const Context<S>& c, const Row& row, double eps) {
  return inverse_norm(c, row, static_cast<double>(row.size()), eps);
}
template <ReferenceScalar S, class Row>
S l2_scale(const Context<S>& c, const Row& row, double eps) {
  return inverse_norm(c, row, 1.0, eps);
}

}  // namespace gate
