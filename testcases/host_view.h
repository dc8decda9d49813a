// Views of tensors and element conversions, for the catalogue's host kernels.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

using Half = _Float16;
struct Bf16 {
  std::uint16_t bits;
};

template <class T, int rank>
struct View {
  T* data;
  std::int64_t stride[rank];
  T& operator()(std::int64_t i) const { return data[i * stride[0]]; }
  T& operator()(std::int64_t i, std::int64_t j) const {
    return data[i * stride[0] + j * stride[1]];
  }
  T& operator()(std::int64_t i, std::int64_t j, std::int64_t k) const {
    return data[i * stride[0] + j * stride[1] + k * stride[2]];
  }
  T& operator()(std::int64_t i, std::int64_t j, std::int64_t k, std::int64_t l) const {
    return data[i * stride[0] + j * stride[1] + k * stride[2] + l * stride[3]];
  }
};

inline float load(float x) { return x; }
inline float load(Half x) { return static_cast<float>(x); }
inline float load(Bf16 x) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16);
}
inline void store(float& to, float x) { to = x; }
inline void store(Half& to, float x) { to = static_cast<Half>(x); }
inline void store(Bf16& to, float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const std::uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
  to.bits = static_cast<std::uint16_t>((std::isnan(x) ? bits | 0x400000 : rounded) >> 16);
}

/// Pairwise sum of term(0) … term(count - 1).
template <class Term>
float pairwise(std::int64_t from, std::int64_t count, const Term& term) {
  if (count <= 8) {
    float sum = 0;
    for (std::int64_t i = 0; i < count; ++i) sum += term(from + i);
    return sum;
  }
  const std::int64_t half = count / 2;
  return pairwise(from, half, term) + pairwise(from + half, count - half, term);
}
