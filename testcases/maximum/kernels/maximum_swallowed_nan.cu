// Larger of two elements, one thread an element.
// SPDX-License-Identifier: Apache-2.0
__global__ void maximum_swallowed_nan(const float* a, const float* b, float* y, int rows, int cols,
                                      long long ar, long long ac, long long br, long long bc,
                                      long long yr, long long yc) {
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * cols) return;
  const float u = a[item / cols * ar + item % cols * ac];
  const float v = b[item / cols * br + item % cols * bc];
#ifdef BUG
  y[item / cols * yr + item % cols * yc] = u > v ? u : v;
#else
  y[item / cols * yr + item % cols * yc] = u != u ? u : u > v ? u : v;
#endif
}
