// Correct row-wise algorithms in f32: softmax, layer norm, root-mean-square and Euclidean norms.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <limits>

#include "gate/test/property/correct_sums.h"

namespace gate::correct {

/// A library function may be off by one more unit in the last place: adversarially, by the bits.
inline float nudged(float x) {
  if (!std::isfinite(x) || x == 0) return x;
  const bool up = mix(static_cast<std::uint64_t>(std::bit_cast<std::uint32_t>(x)), 77) % 2 == 0;
  return std::nextafter(x, up ? HUGE_VALF : -HUGE_VALF);
}

struct RowStyle {
  Adding adding = Adding::sequential;
  bool library_noise = false;  // functions one ulp off
  bool reciprocal = false;     // multiply by the inverse instead of dividing
};

inline float finish(float x, const RowStyle& style) { return style.library_noise ? nudged(x) : x; }

inline float largest_of(std::span<const float> x) {
  float largest = -std::numeric_limits<float>::infinity();
  for (const float value : x) largest = std::fmax(largest, value);
  return largest;
}

inline Floats normalised(Floats terms, float total, const RowStyle& style) {
  const float inverse = 1 / total;
  for (float& term : terms) term = style.reciprocal ? term * inverse : term / total;
  return terms;
}

inline Floats softmax_three_pass(std::span<const float> x, const RowStyle& style) {
  const float largest = largest_of(x);
  Floats terms;
  for (const float value : x) terms.push_back(finish(std::exp(value - largest), style));
  const float total = add_up(style.adding, terms);
  return normalised(std::move(terms), total, style);
}

/// exp2 of logits scaled by log2(e), the scaling fused with the subtraction or before it.
inline Floats softmax_exp2(std::span<const float> x, const RowStyle& style) {
  constexpr float log2_e = 1.44269504f;
  const float largest = largest_of(x) * log2_e;
  Floats terms;
  for (const float value : x) {
    const float exponent =
        style.reciprocal ? std::fma(value, log2_e, -largest) : value * log2_e - largest;
    terms.push_back(finish(std::exp2(exponent), style));
  }
  const float total = add_up(style.adding, terms);
  return normalised(std::move(terms), total, style);
}

/// Running maximum and rescaled sum.
struct Online {
  float largest = -std::numeric_limits<float>::infinity();
  float sum = 0;
};
inline Online merged(const Online& a, const Online& b) {
  const float largest = std::fmax(a.largest, b.largest);
  if (std::isinf(largest) && largest < 0) return {largest, a.sum + b.sum};
  const auto part = [&](const Online& side) {
    const bool empty = std::isinf(side.largest) && side.largest < 0;
    return empty ? 0.0f : side.sum * std::exp(side.largest - largest);
  };
  return {largest, part(a) + part(b)};
}

inline Floats softmax_online(std::span<const float> x, const RowStyle& style) {
  const std::size_t lanes = style.adding == Adding::warp ? 32 : 1;
  std::vector<Online> running(lanes);
  bool poisoned = false;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Online& lane = running[i % lanes];
    poisoned = poisoned || std::isnan(x[i]) || (std::isinf(x[i]) && x[i] > 0);
    lane = merged(lane, {x[i], std::isinf(x[i]) && x[i] < 0 ? 0.0f : 1.0f});
  }
  Online all;
  for (const Online& lane : running) all = merged(all, lane);
  if (poisoned) all.sum = std::numeric_limits<float>::quiet_NaN();
  Floats terms;
  for (const float value : x) terms.push_back(finish(std::exp(value - all.largest), style));
  return normalised(std::move(terms), all.sum, style);
}

/// Mean and sum of squared deviations of a part of a row.
struct Moment {
  float count = 0, mean = 0, squares = 0;
};
inline Moment merged(const Moment& a, const Moment& b) {
  if (a.count == 0) return b;
  if (b.count == 0) return a;
  const float count = a.count + b.count, delta = b.mean - a.mean;
  return {count, a.mean + delta * (b.count / count),
          a.squares + b.squares + delta * delta * (a.count * b.count / count)};
}

inline Floats scaled(std::span<const float> x, float mean, float scale) {
  Floats y;
  for (const float value : x) y.push_back((value - mean) * scale);
  return y;
}

inline float inverse_root_of(float x, const RowStyle& style) {
  return finish(style.reciprocal ? std::pow(x, -0.5f) : 1 / std::sqrt(x), style);
}

inline Floats layernorm_two_pass(std::span<const float> x, float eps, const RowStyle& style) {
  const float count = static_cast<float>(x.size());
  const float total = add_up(style.adding, x);
  const float mean = style.reciprocal ? total * (1 / count) : total / count;
  Floats squares;
  for (const float value : x) squares.push_back((value - mean) * (value - mean));
  const float variance = add_up(style.adding, squares) / count;
  return scaled(x, mean, inverse_root_of(variance + eps, style));
}

inline Floats layernorm_welford(std::span<const float> x, float eps, const RowStyle& style) {
  const std::size_t lanes = style.adding == Adding::warp ? 32 : 1;
  std::vector<Moment> parts(lanes);
  for (std::size_t i = 0; i < x.size(); ++i) {
    Moment& part = parts[i % lanes];
    part.count += 1;
    const float delta = x[i] - part.mean;
    part.mean += delta / part.count;
    part.squares += delta * (x[i] - part.mean);
  }
  Moment all;
  for (const Moment& part : parts) all = merged(all, part);
  return scaled(x, all.mean, inverse_root_of(all.squares / all.count + eps, style));
}

/// RMS norm (divisor n) and L2 norm (divisor 1).
inline Floats unit_norm(std::span<const float> x, float divisor, float eps, const RowStyle& style) {
  const float whole = dot(style.adding, x, x) / divisor + eps;
  const float scale = inverse_root_of(whole, style);
  Floats y;
  for (const float value : x) {
    y.push_back(style.library_noise ? value / std::sqrt(whole) : value * scale);
  }
  return y;
}

}  // namespace gate::correct
