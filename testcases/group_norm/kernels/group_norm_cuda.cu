// One thread a group, two passes.
// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "../../device_view.cuh"

template <typename T>
__global__ void group_norm(const T* x_data, const T* weight_data, const T* bias_data, T* y_data,
                           int batch, int groups, int width, float eps, long long x_0,
                           long long x_1, long long x_2, long long weight_0, long long weight_1,
                           long long bias_0, long long bias_1, long long y_0, long long y_1,
                           long long y_2) {
  const View<const T, 3> x{x_data, {x_0, x_1, x_2}};
  const View<const T, 2> weight{weight_data, {weight_0, weight_1}};
  const View<const T, 2> bias{bias_data, {bias_0, bias_1}};
  const View<T, 3> y{y_data, {y_0, y_1, y_2}};
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(batch) * groups) return;
  const long long b = item / groups, g = item % groups;
  float total = 0.0f;
  for (int i = 0; i < width; ++i) total += load(x(b, g, i));
  const float mean = total / static_cast<float>(width);
  float squares = 0.0f;
  for (int i = 0; i < width; ++i) {
    const float d = load(x(b, g, i)) - mean;
    squares += d * d;
  }
  const float scale = rsqrtf(squares / static_cast<float>(width) + eps);
  for (int i = 0; i < width; ++i) {
    const float normal = (load(x(b, g, i)) - mean) * scale;
    store(y(b, g, i), normal * load(weight(g, i)) + load(bias(g, i)));
  }
}
