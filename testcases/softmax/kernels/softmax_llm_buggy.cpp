// Softmax whose rows are padded with zeros to a multiple of 128; the padding is never masked.
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

template <class T>
void softmax(View<const T> x, View<T> y, int rows, int cols) {
  const int padded = (cols + 127) / 128 * 128;
  std::vector<float> row(static_cast<std::size_t>(padded));
  for (int r = 0; r < rows; ++r) {
    std::fill(row.begin(), row.end(), 0.0f);
    for (int c = 0; c < cols; ++c) row[static_cast<std::size_t>(c)] = load(x.at(r, c));
    const float largest = *std::max_element(row.begin(), row.end());
    float total = 0;
    for (float& value : row) {
      value = std::exp(value - largest);
      total += value;
    }
    for (int c = 0; c < cols; ++c) store(y.at(r, c), row[static_cast<std::size_t>(c)] / total);
  }
}

}  // namespace

extern "C" {
void softmax_llm_f32(const float* x, float* y, int rows, int cols, std::int64_t x_row,
                     std::int64_t x_col, std::int64_t y_row, std::int64_t y_col) {
  softmax<float>({x, x_row, x_col}, {y, y_row, y_col}, rows, cols);
}
void softmax_llm_f16(const _Float16* x, _Float16* y, int rows, int cols, std::int64_t x_row,
                     std::int64_t x_col, std::int64_t y_row, std::int64_t y_col) {
  softmax<_Float16>({x, x_row, x_col}, {y, y_row, y_col}, rows, cols);
}
void softmax_llm_bf16(const Bf16* x, Bf16* y, int rows, int cols, std::int64_t x_row,
                      std::int64_t x_col, std::int64_t y_row, std::int64_t y_col) {
  softmax<Bf16>({x, x_row, x_col}, {y, y_row, y_col}, rows, cols);
}
}
