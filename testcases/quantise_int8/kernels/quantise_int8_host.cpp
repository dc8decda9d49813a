// Codes from the largest magnitude in double, not from the rounded scale.
// SPDX-License-Identifier: Apache-2.0
#include "../../host_view.h"

namespace {

template <class T>
void run(const T* x_data, std::int8_t* code_data, float* scale_data, int rows, int cols,
         long long x_0, long long x_1, long long code_0, long long code_1, long long scale_0) {
  const View<const T, 2> x{x_data, {x_0, x_1}};
  const View<std::int8_t, 2> code{code_data, {code_0, code_1}};
  const View<float, 1> scale{scale_data, {scale_0}};
  for (int r = 0; r < rows; ++r) {
    float largest = 0;
    for (int i = 0; i < cols; ++i) largest = std::max(largest, std::abs(load(x(r, i))));
    scale(r) = largest / 127;
    for (int i = 0; i < cols; ++i) {
      const double v = largest > 0 ? load(x(r, i)) * 127.0 / largest : 0;
      code(r, i) = static_cast<std::int8_t>(std::nearbyint(v));
    }
  }
}

}  // namespace

extern "C" {
void quantise_int8_f32(const float* x_data, std::int8_t* code_data, float* scale_data, int rows,
                       int cols, long long x_0, long long x_1, long long code_0, long long code_1,
                       long long scale_0) {
  run<float>(x_data, code_data, scale_data, rows, cols, x_0, x_1, code_0, code_1, scale_0);
}
void quantise_int8_f16(const Half* x_data, std::int8_t* code_data, float* scale_data, int rows,
                       int cols, long long x_0, long long x_1, long long code_0, long long code_1,
                       long long scale_0) {
  run<Half>(x_data, code_data, scale_data, rows, cols, x_0, x_1, code_0, code_1, scale_0);
}
}
