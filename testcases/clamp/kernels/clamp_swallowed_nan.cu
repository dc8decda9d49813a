// max(min(x, high), low), one thread an element.
// SPDX-License-Identifier: Apache-2.0
__global__ void clamp_swallowed_nan(const float* x, float* y, int rows, int cols, float low,
                                    float high, long long xr, long long xc, long long yr,
                                    long long yc) {
  const long long item = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (item >= static_cast<long long>(rows) * cols) return;
  const float v = x[item / cols * xr + item % cols * xc];
#ifdef BUG
  y[item / cols * yr + item % cols * yc] = fmaxf(fminf(v, high), low);
#else
  y[item / cols * yr + item % cols * yc] = v != v ? v : fmaxf(fminf(v, high), low);
#endif
}
