// Correct ways to add up, in f32: what kernels do on CPUs, in warps, in blocks, with atomics, with
// split-K and on tensor cores. Envelopes must admit all of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "gate/base/random.h"

namespace gate::correct {

using Floats = std::vector<float>;

enum class Adding { sequential, reversed, pairwise, warp, block, atomics, split };
inline constexpr std::array all_addings = {Adding::sequential, Adding::reversed, Adding::pairwise,
                                           Adding::warp,       Adding::block,    Adding::atomics,
                                           Adding::split};
inline std::string name(Adding adding) {
  constexpr std::array names = {"sequential", "reversed", "pairwise", "warp",
                                "block",      "atomics",  "split"};
  return names[static_cast<std::size_t>(adding)];
}

inline float add_in_order(std::span<const float> terms) {
  float sum = 0;
  for (const float term : terms) sum += term;
  return sum;
}

inline float add_pairwise(std::span<const float> terms) {
  if (terms.size() <= 2) return add_in_order(terms);
  const std::size_t half = terms.size() / 2;
  return add_pairwise(terms.first(half)) + add_pairwise(terms.subspan(half));
}

/// Strided partial sums of `lanes` threads, then a butterfly.
inline float add_in_lanes(std::span<const float> terms, std::size_t lanes) {
  Floats sums(lanes, 0.0f);
  for (std::size_t i = 0; i < terms.size(); ++i) sums[i % lanes] += terms[i];
  for (std::size_t step = lanes / 2; step > 0; step /= 2) {
    for (std::size_t lane = 0; lane < step; ++lane) sums[lane] += sums[lane + step];
  }
  return sums[0];
}

inline float add_shuffled(std::span<const float> terms) {
  Floats order(terms.begin(), terms.end());
  RandomStream random(0x61746f6d, order.size());
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(i))]);
  }
  return add_in_order(order);
}

/// Contiguous slices, their sums added one after the other.
inline float add_split(std::span<const float> terms, std::size_t slices) {
  const std::size_t width = (terms.size() + slices - 1) / slices;
  float sum = 0;
  for (std::size_t from = 0; from < terms.size(); from += width) {
    sum += add_in_order(terms.subspan(from, std::min(width, terms.size() - from)));
  }
  return sum;
}

inline float add_up(Adding adding, std::span<const float> terms) {
  switch (adding) {
    case Adding::sequential:
      return add_in_order(terms);
    case Adding::reversed: {
      const Floats reversed(terms.rbegin(), terms.rend());
      return add_in_order(reversed);
    }
    case Adding::pairwise:
      return add_pairwise(terms);
    case Adding::warp:
      return add_in_lanes(terms, 32);
    case Adding::block:
      return add_in_lanes(terms, 256);
    case Adding::atomics:
      return add_shuffled(terms);
    case Adding::split:
      return add_split(terms, 4);
  }
  return 0;
}

inline Floats products(std::span<const float> a, std::span<const float> b) {
  Floats terms(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) terms[i] = a[i] * b[i];
  return terms;
}

inline float dot(Adding adding, std::span<const float> a, std::span<const float> b) {
  return add_up(adding, products(a, b));
}

inline float fused_dot(std::span<const float> a, std::span<const float> b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum = std::fma(a[i], b[i], sum);
  return sum;
}

/// Cut to `bits` below the exponent of `largest`: alignment in a tensor core's adder.
inline double cut(double term, int exponent, int bits) {
  const double quantum = std::ldexp(1.0, exponent - bits);
  return std::trunc(term / quantum) * quantum;
}

/// 16 products and the accumulator aligned to the largest of them, one extra bit kept, truncated.
inline float tensor_core_dot(std::span<const float> a, std::span<const float> b) {
  double accumulator = 0;
  for (std::size_t from = 0; from < a.size(); from += 16) {
    const std::size_t to = std::min(from + 16, a.size());
    double largest = std::abs(accumulator);
    bool finite = std::isfinite(accumulator);
    for (std::size_t i = from; i < to; ++i) {
      const double product = static_cast<double>(a[i]) * b[i];
      finite = finite && std::isfinite(product);
      largest = std::max(largest, std::abs(product));
    }
    if (largest == 0 && finite) continue;
    const int exponent = finite ? std::ilogb(largest) : 0;
    double sum = finite ? cut(accumulator, exponent, 24) : accumulator;
    for (std::size_t i = from; i < to; ++i) {
      const double product = static_cast<double>(a[i]) * b[i];
      sum += finite ? cut(product, exponent, 24) : product;
    }
    const bool usual = std::isfinite(sum) && sum != 0 && std::abs(sum) < 0x1p128;
    accumulator = usual ? cut(sum, std::max(std::ilogb(sum), -126), 23) : static_cast<float>(sum);
  }
  return static_cast<float>(accumulator);
}

}  // namespace gate::correct
