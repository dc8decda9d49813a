// Row primitives around exp(x - max): softmax, log-softmax, attention. The closed forms cover
// three-pass, online and scaled-exp2 algorithms. Masked (-inf) entries give exactly 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

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
    for (std::int64_t i = 0; i < n; ++i) {
      const double x = value_of(row[i]);
      if (x == -infinity) continue;
      e.terms += 1;
      const double share = e.values[static_cast<std::size_t>(i)] / e.total;
      e.weighted += share * (a.unit * exponent_roundings(a, x, e.largest) + error_of(row[i]));
    }
  }
  return e;
}

template <ReferenceScalar S, class Row>
std::vector<S> softmax(const Context<S>& c, const Row& row) {
  const Exponentials e = exponentials(c, row);
  const Arithmetic& a = c.arithmetic();
  std::vector<S> result;
  result.reserve(e.values.size());
  for (std::size_t i = 0; i < e.values.size(); ++i) {
    const double y = e.values[i] / e.total;
    if constexpr (std::same_as<S, double>) {
      result.push_back(y);
    } else {
      const S x = row[static_cast<std::int64_t>(i)];
      const double relative = a.unit * exponent_roundings(a, x.value, e.largest) + x.error +
                              e.weighted + accumulation(a, e.terms) + 4 * a.unit;
      // A kernel's value lies in [0, 1] whatever it lost.
      const double error = std::min(y * relative + 2 * a.underflow, 1.0);
      const bool masked = x.value == -infinity;
      // Scaling by log2(e) may leave the range before the maximum is subtracted.
      const bool known = std::isfinite(x.error) &&
                         !(std::abs(e.largest) > a.largest / 2 && std::isfinite(e.largest));
      result.push_back(tracked_result(Tracked{y, masked ? 0 : error, &a}, known));
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
      const double error = a.unit * entire + e.weighted + accumulation(a, e.terms) + x.error;
      result.push_back(tracked_result(Tracked{y, error, &a}, std::isfinite(x.error)));
    }
  }
  return result;
}

/// The keys one query meets. `visible` empty: all of them.
template <ReferenceScalar S>
struct AttentionKeys {
  std::int64_t count = 0;
  std::function<Line<S>(std::int64_t)> key;
  std::function<Line<S>(std::int64_t)> value;
  std::function<bool(std::int64_t)> visible;
  double scale = 1;
};

/// Scores of one query with their errors, as S.
template <ReferenceScalar S>
std::vector<S> attention_scores(const Context<S>& c, const Line<S>& query,
                                const AttentionKeys<S>& keys) {
  std::vector<S> scores;
  scores.reserve(static_cast<std::size_t>(keys.count));
  for (std::int64_t j = 0; j < keys.count; ++j) {
    if (keys.visible && !keys.visible(j)) {
      scores.push_back(input_scalar<S>(-infinity, &c.arithmetic()));
      continue;
    }
    S score = dot(c, query, keys.key(j));
    if constexpr (std::same_as<S, Tracked>) {
      // The product with the scale and its own rounding.
      const double value = score.value * keys.scale;
      const double error = std::abs(keys.scale) * score.error +
                           2 * c.arithmetic().unit * std::abs(value) + c.arithmetic().underflow;
      const bool known = std::isfinite(score.error) && !score.overflow;
      scores.push_back(tracked_result(Tracked{value, error, &c.arithmetic()}, known));
    } else {
      scores.push_back(score * keys.scale);
    }
  }
  return scores;
}

/// Sums over the keys for one output column.
struct AttentionSums {
  double value = 0;      // sum p v
  double magnitude = 0;  // sum p |v|
  double squares = 0;    // sum p^2 v^2
  double shifted = 0;    // sum p |v| (exp(delta) - 1)
  double entire = 0;     // sum |v|
  double widest = 0;     // max |v|
  bool unknown = false;  // an infinite value meets a weight that may vanish
};

inline double attention_error(const Arithmetic& a, const AttentionSums& s, double terms,
                              const Exponentials& e) {
  const double factor = matrix_accumulation(a, terms);
  const double stored = a.stored_unit * std::min(s.magnitude, 6 * std::sqrt(s.squares));
  const double vanished = (a.stored_underflow + a.underflow) / e.total * s.entire;
  const double error = s.shifted + stored + factor * s.magnitude +
                       std::abs(s.value) * (e.weighted + factor) + vanished;
  return std::min(error, (s.widest + std::abs(s.value)) * (1 + factor));
}

/// softmax(scale * q k) v for one query. A row without a visible key is NaN.
template <ReferenceScalar S>
std::vector<S> attention(const Context<S>& c, const Line<S>& query, const AttentionKeys<S>& keys) {
  const std::vector<S> scores = attention_scores(c, query, keys);
  Exponentials e = exponentials(c, scores);
  const Arithmetic& a = c.arithmetic();
  const auto n = static_cast<std::size_t>(keys.count);
  std::vector<double> shift(n, 0.0);
  bool known = true;
  if constexpr (std::same_as<S, Tracked>) {
    double at_largest = 0;
    for (const S& s : scores) {
      if (s.value == e.largest) at_largest = std::max(at_largest, s.error);
      known = known && std::isfinite(s.error);
    }
    e.weighted = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (scores[j].value == -infinity) continue;
      const double delta = scores[j].error + at_largest +
                           a.unit * (std::abs(scores[j].value) + std::abs(e.largest) + 4) +
                           (a.fast_math != 0 ? a.unit * 4 : 0);
      shift[j] = std::expm1(std::min(delta, 50.0));
      e.weighted += e.values[j] / e.total * shift[j];
    }
  }
  const std::int64_t columns = keys.count > 0 ? keys.value(0).size() : 0;
  std::vector<AttentionSums> sums(static_cast<std::size_t>(columns));
  for (std::size_t j = 0; j < n; ++j) {
    const Line<S> row = keys.value(static_cast<std::int64_t>(j));
    const double p = e.values[j] / e.total;
    const bool hidden = value_of(scores[j]) == -infinity;
    const bool may_vanish = e.values[j] <= 4 * std::max(a.underflow, a.stored_underflow);
    for (std::int64_t d = 0; d < columns; ++d) {
      AttentionSums& s = sums[static_cast<std::size_t>(d)];
      const double v = value_of(row[d]);
      if (!std::isfinite(v) && may_vanish) s.unknown = true;
      if (hidden && !std::isnan(p)) continue;
      s.value += p * v;
      if constexpr (std::same_as<S, Tracked>) {
        const double size = std::abs(v);
        s.magnitude += p * size;
        s.squares += p * p * size * size;
        s.shifted += p * size * shift[j];
        s.entire += size;
        s.widest = std::max(s.widest, size);
      }
    }
  }
  std::vector<S> result;
  result.reserve(sums.size());
  for (const AttentionSums& s : sums) {
    if constexpr (std::same_as<S, double>) {
      result.push_back(s.value);
    } else {
      const bool lost = s.unknown || !known || s.magnitude > a.largest;
      result.push_back(
          tracked_result(Tracked{s.value, attention_error(a, s, e.terms, e), &a}, !lost));
    }
  }
  return result;
}

}  // namespace gate
