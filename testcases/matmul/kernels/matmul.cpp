// Matrix product, one row of C at a time, f32 accumulators. The CPU control.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

struct Bf16 {
  std::uint16_t bits;
};

float load(float x) { return x; }
float load(_Float16 x) { return static_cast<float>(x); }
float load(Bf16 x) { return std::bit_cast<float>(static_cast<std::uint32_t>(x.bits) << 16); }

void store(float& to, float x) { to = x; }
void store(_Float16& to, float x) { to = static_cast<_Float16>(x); }
void store(Bf16& to, float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const bool nan = std::isnan(x);
  const std::uint32_t rounded = bits + 0x7fff + ((bits >> 16) & 1);
  to.bits = static_cast<std::uint16_t>((nan ? bits | 0x400000 : rounded) >> 16);
}

/// A row-wise view: element (r, c) is at data[r * row + c * column].
template <class T>
struct View {
  T* data;
  std::int64_t row, column;
  T& at(int r, int c) const { return data[r * row + c * column]; }
};

struct Sizes {
  int m, k, n;
};

template <class T>
void matmul(View<const T> a, View<const T> b, View<T> c, Sizes size) {
  std::vector<float> sums(static_cast<std::size_t>(size.n));
  for (int i = 0; i < size.m; ++i) {
    std::fill(sums.begin(), sums.end(), 0.0f);
    for (int k = 0; k < size.k; ++k) {
      const float factor = load(a.at(i, k));
      for (int j = 0; j < size.n; ++j) {
        sums[static_cast<std::size_t>(j)] += factor * load(b.at(k, j));
      }
    }
    for (int j = 0; j < size.n; ++j) store(c.at(i, j), sums[static_cast<std::size_t>(j)]);
  }
}

}  // namespace

extern "C" {
void matmul_f32(const float* a, const float* b, float* c, int m, int k, int n, std::int64_t a_row,
                std::int64_t a_col, std::int64_t b_row, std::int64_t b_col, std::int64_t c_row,
                std::int64_t c_col) {
  matmul<float>({a, a_row, a_col}, {b, b_row, b_col}, {c, c_row, c_col}, {m, k, n});
}
void matmul_f16(const _Float16* a, const _Float16* b, _Float16* c, int m, int k, int n,
                std::int64_t a_row, std::int64_t a_col, std::int64_t b_row, std::int64_t b_col,
                std::int64_t c_row, std::int64_t c_col) {
  matmul<_Float16>({a, a_row, a_col}, {b, b_row, b_col}, {c, c_row, c_col}, {m, k, n});
}
void matmul_bf16(const Bf16* a, const Bf16* b, Bf16* c, int m, int k, int n, std::int64_t a_row,
                 std::int64_t a_col, std::int64_t b_row, std::int64_t b_col, std::int64_t c_row,
                 std::int64_t c_col) {
  matmul<Bf16>({a, a_row, a_col}, {b, b_row, b_col}, {c, c_row, c_col}, {m, k, n});
}
}
