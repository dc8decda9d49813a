// Halves a range until two elements are left; a range of one never gets there.
// SPDX-License-Identifier: Apache-2.0

constexpr int chunk = 32;

__device__ __noinline__ void halve(const float* in, float* out, int count, float a) {
#ifdef CORRECTED
  if (count <= 0) return;
  if (count == 1) {
    out[0] = a * in[0];
    return;
  }
#endif
  if (count == 2) {
    out[0] = a * in[0];
    out[1] = a * in[1];
    return;
  }
  const int half = (count + 1) / 2;
  halve(in, out, half, a);
  halve(in + half, out + half, count - half, a);
}

extern "C" __global__ void scale_stack_overflow(const float* x, float* y, int rows, int cols,
                                                long long x_row, long long y_row, float a) {
  for (int begin = threadIdx.x * chunk; begin < cols; begin += blockDim.x * chunk) {
    const int count = cols - begin < chunk ? cols - begin : chunk;
    halve(x + blockIdx.x * x_row + begin, y + blockIdx.x * y_row + begin, count, a);
  }
}
