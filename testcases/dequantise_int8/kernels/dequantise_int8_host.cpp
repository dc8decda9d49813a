// Multiplied in double.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const std::int8_t* code_data, const T* scale_data, T* y_data, int rows, int cols,
         long long code_0, long long code_1, long long scale_0, long long y_0, long long y_1) {
  const View<const std::int8_t, 2> code{code_data, {code_0, code_1}};
  const View<const T, 1> scale{scale_data, {scale_0}};
  const View<T, 2> y{y_data, {y_0, y_1}};
  for (int r = 0; r < rows; ++r) {
    for (int i = 0; i < cols; ++i) {
      const double exact = static_cast<double>(code(r, i)) * load(scale(r));
      store(y(r, i), static_cast<float>(exact));
    }
  }
}

}  // namespace

extern "C" {
void dequantise_int8_f32(const std::int8_t* code_data, const float* scale_data, float* y_data,
                         int rows, int cols, long long code_0, long long code_1, long long scale_0,
                         long long y_0, long long y_1) {
  run<float>(code_data, scale_data, y_data, rows, cols, code_0, code_1, scale_0, y_0, y_1);
}
void dequantise_int8_f16(const std::int8_t* code_data, const Half* scale_data, Half* y_data,
                         int rows, int cols, long long code_0, long long code_1, long long scale_0,
                         long long y_0, long long y_1) {
  run<Half>(code_data, scale_data, y_data, rows, cols, code_0, code_1, scale_0, y_0, y_1);
}
void dequantise_int8_bf16(const std::int8_t* code_data, const Bf16* scale_data, Bf16* y_data,
                          int rows, int cols, long long code_0, long long code_1, long long scale_0,
                          long long y_0, long long y_1) {
  run<Bf16>(code_data, scale_data, y_data, rows, cols, code_0, code_1, scale_0, y_0, y_1);
}
}
