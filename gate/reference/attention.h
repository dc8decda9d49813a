// Row primitive: attention of one query over its keys; closed form of knowledge oracle.md, 4.
// Scores that are -inf, and keys that are not visible, weigh exactly 0.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "gate/reference/softmax.h"

namespace gate {

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
  SumError summed;       // p v, added up
  bool unknown = false;  // an infinite value meets a weight that may vanish
};

inline double attention_error(const Arithmetic& a, const AttentionSums& s, const Exponentials& e) {
  const double factor = std::max(matrix_accumulation(a, e.terms), e.summed);
  const double stored = a.stored_unit * std::min(s.magnitude, 6 * std::sqrt(s.squares));
  const double vanished =
      (a.stored_underflow + a.underflow) / e.total * s.entire + 2 * e.terms * a.underflow;
  const double summed = s.summed.bound(a, true);
  const double error =
      s.shifted + stored + summed + std::abs(s.value) * (e.weighted + factor) + vanished;
  return std::min(error, (s.widest + std::abs(s.value)) * (1 + factor));
}

/// The weights one query gives its keys.
template <ReferenceScalar S>
struct AttentionWeights {
  std::vector<S> scores;
  Exponentials exponentials;
  std::vector<double> shift;  // exp(delta) - 1 of each weight, delta the error of its exponent
  bool known = true;          // no score was lost
};

template <ReferenceScalar S>
AttentionWeights<S> attention_weights(const Context<S>& c, const Line<S>& query,
                                      const AttentionKeys<S>& keys) {
  AttentionWeights<S> w{attention_scores(c, query, keys), {}, {}, true};
  w.exponentials = exponentials(c, w.scores);
  Exponentials& e = w.exponentials;
  if constexpr (std::same_as<S, Tracked>) {
    const double unit = c.arithmetic().unit;
    w.shift.assign(w.scores.size(), 0.0);
    double at_largest = 0;
    for (const S& score : w.scores) {
      if (score.value == e.largest) at_largest = std::max(at_largest, score.error);
      w.known = w.known && std::isfinite(score.error);
    }
    e.weighted = 0;
    for (std::size_t j = 0; j < w.scores.size(); ++j) {
      const S& score = w.scores[j];
      if (score.value == -infinity) continue;
      double delta =
          score.error + at_largest + unit * (std::abs(score.value) + std::abs(e.largest) + 4);
      if (is_fast(score)) delta += unit * (4 + 2 * 1.173 * std::abs(score.value - e.largest));
      w.shift[j] = std::expm1(std::min(delta, 50.0));
      e.weighted += e.values[j] / e.total * w.shift[j];
    }
  }
  return w;
}

/// Adds value row `j` with its weight to the sums of all output columns.
template <ReferenceScalar S>
void add_weighted(std::vector<AttentionSums>& sums, const Line<S>& row, std::size_t j,
                  const AttentionWeights<S>& w, const Arithmetic& a) {
  const double p = w.exponentials.values[j] / w.exponentials.total;
  const bool hidden = value_of(w.scores[j]) == -infinity && !std::isnan(p);
  const bool may_vanish = w.exponentials.values[j] <= 4 * std::max(a.underflow, a.stored_underflow);
  for (std::size_t d = 0; d < sums.size(); ++d) {
    AttentionSums& s = sums[d];
    const double v = value_of(row[static_cast<std::int64_t>(d)]);
    if (may_vanish && !std::isfinite(v)) s.unknown = true;
    if (hidden) continue;
    s.value += p * v;
    if constexpr (std::same_as<S, Tracked>) {
      const double size = std::abs(v);
      s.magnitude += p * size;
      s.summed.add(p * v);
      s.squares += p * p * size * size;
      s.shifted += p * size * w.shift[j];
      s.entire += size;
      s.widest = std::max(s.widest, size);
    }
  }
}

/// The second pass of the sums' errors; see sum_error.h.
inline void absorb_weighted(std::vector<AttentionSums>& sums, const Line<Tracked>& row,
                            std::size_t j, const AttentionWeights<Tracked>& w,
                            const Arithmetic& a) {
  if (w.scores[j].value == -infinity) return;
  const double p = w.exponentials.values[j] / w.exponentials.total;
  for (std::size_t d = 0; d < sums.size(); ++d) {
    sums[d].summed.absorb(a, p * row[static_cast<std::int64_t>(d)].value, true);
  }
}

/// softmax(scale * q k) v for one query. A row without a visible key is NaN.
template <ReferenceScalar S>
std::vector<S> attention(const Context<S>& c, const Line<S>& query, const AttentionKeys<S>& keys) {
  const AttentionWeights<S> w = attention_weights(c, query, keys);
  const Arithmetic& a = c.arithmetic();
  const std::int64_t columns = keys.count > 0 ? keys.value(0).size() : 0;
  std::vector<AttentionSums> sums(static_cast<std::size_t>(columns));
  for (std::int64_t j = 0; j < keys.count; ++j) {
    add_weighted(sums, keys.value(j), static_cast<std::size_t>(j), w, a);
  }
  if constexpr (std::same_as<S, Tracked>) {
    for (std::int64_t j = 0; j < keys.count; ++j) {
      absorb_weighted(sums, keys.value(j), static_cast<std::size_t>(j), w, a);
    }
  }
  std::vector<S> result;
  result.reserve(sums.size());
  for (const AttentionSums& s : sums) {
    if constexpr (std::same_as<S, double>) {
      result.push_back(s.value);
    } else {
      const bool beyond = std::isfinite(s.value) && s.magnitude > a.largest;
      const bool lost = s.unknown || !w.known || beyond;
      const double error = attention_error(a, s, w.exponentials);
      result.push_back(tracked_result(Tracked{s.value, error, &a}, !lost));
    }
  }
  return result;
}

}  // namespace gate
