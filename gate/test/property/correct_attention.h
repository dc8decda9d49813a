// Correct attention for one query in f32: three passes, and tiled with running rescaling.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/tensor/dtype.h"
#include "gate/test/property/correct_rows.h"

namespace gate::correct {

struct AttentionStyle {
  RowStyle row;
  bool tensor_core = false;   // products as tensor cores form them
  bool scaled_query = false;  // the scale is applied to the query first
  std::size_t tile = 0;       // keys per tile, 0: three passes
  DType stored = DType::f32;  // what probabilities are stored as
};

inline float product(std::span<const float> a, std::span<const float> b,
                     const AttentionStyle& style) {
  return style.tensor_core ? tensor_core_dot(a, b) : dot(style.row.adding, a, b);
}

inline float stored(float p, DType dtype) { return static_cast<float>(rounded(dtype, p)); }

inline Floats scores_of(std::span<const float> query, const std::vector<Floats>& keys,
                        const AttentionStyle& style) {
  const float scale = 1 / std::sqrt(static_cast<float>(query.size()));
  Floats q(query.begin(), query.end());
  if (style.scaled_query) {
    for (float& value : q) value *= scale;
  }
  Floats scores;
  for (const Floats& key : keys) {
    const float score = product(q, key, style);
    scores.push_back(style.scaled_query ? score : score * scale);
  }
  return scores;
}

inline float weigh(std::span<const float> p, const std::vector<Floats>& values, std::size_t column,
                   const AttentionStyle& style) {
  Floats along;
  for (std::size_t j = 0; j < p.size(); ++j) along.push_back(values[j][column]);
  return product(p, along, style);
}

/// Weights normalised before they meet the values.
inline Floats attention_three_pass(const Floats& scores, const std::vector<Floats>& values,
                                   const AttentionStyle& style) {
  Floats p = softmax_three_pass(scores, style.row);
  for (float& weight : p) weight = stored(weight, style.stored);
  Floats out;
  for (std::size_t d = 0; d < values[0].size(); ++d) out.push_back(weigh(p, values, d, style));
  return out;
}

/// Tiles of keys; accumulators are rescaled when the running maximum rises, divided at the end.
inline Floats attention_tiled(const Floats& scores, const std::vector<Floats>& values,
                              const AttentionStyle& style) {
  Floats out(values[0].size(), 0.0f);
  float largest = -std::numeric_limits<float>::infinity(), total = 0;
  for (std::size_t from = 0; from < scores.size(); from += style.tile) {
    const std::size_t count = std::min(style.tile, scores.size() - from);
    const auto tile = std::span(scores).subspan(from, count);
    const std::vector<Floats> rows(values.begin() + static_cast<std::ptrdiff_t>(from),
                                   values.begin() + static_cast<std::ptrdiff_t>(from + count));
    const float next = std::fmax(largest, largest_of(tile));
    const float rescale = largest == next ? 1.0f : std::exp(largest - next);
    Floats p;
    for (const float score : tile) p.push_back(finish(std::exp(score - next), style.row));
    total = total * rescale + add_up(style.row.adding, p);
    for (float& weight : p) weight = stored(weight, style.stored);
    for (std::size_t d = 0; d < out.size(); ++d) {
      out[d] = out[d] * rescale + weigh(p, rows, d, style);
    }
    largest = next;
  }
  return normalised(std::move(out), total, style.row);
}

inline Floats attention(std::span<const float> query, const std::vector<Floats>& keys,
                        const std::vector<Floats>& values, const AttentionStyle& style) {
  const Floats scores = scores_of(query, keys, style);
  return style.tile == 0 ? attention_three_pass(scores, values, style)
                         : attention_tiled(scores, values, style);
}

}  // namespace gate::correct
