// Softmax over rows in three passes: the CPU control.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

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

template <class T>
void softmax(View<const T> x, View<T> y, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float largest = -std::numeric_limits<float>::infinity();
    for (int c = 0; c < cols; ++c) largest = std::max(largest, load(x.at(r, c)));
    float total = 0;
    for (int c = 0; c < cols; ++c) total += std::exp(load(x.at(r, c)) - largest);
    for (int c = 0; c < cols; ++c) {
      store(y.at(r, c), std::exp(load(x.at(r, c)) - largest) / total);
    }
  }
}

}  // namespace

extern "C" {
void softmax_f32(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                 std::int64_t x_col, std::int64_t y_row, std::int64_t y_col) {
  softmax<float>({x, x_row, x_col}, {y, y_row, y_col}, rows, cols);
}
void softmax_f16(const _Float16* x, _Float16* y, int rows, int cols, std::int64_t x_row,
                 std::int64_t x_col, std::int64_t y_row, std::int64_t y_col) {
  softmax<_Float16>({x, x_row, x_col}, {y, y_row, y_col}, rows, cols);
}
void softmax_bf16(const Bf16* x, Bf16* y, int rows, int cols, std::int64_t x_row,
                  std::int64_t x_col, std::int64_t y_row, std::int64_t y_col) {
  softmax<Bf16>({x, x_row, x_col}, {y, y_row, y_col}, rows, cols);
}
}
