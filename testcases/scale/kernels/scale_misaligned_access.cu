// Four elements a thread by vector loads; rows need not begin at a multiple of 16 bytes.
// SPDX-License-Identifier: Apache-2.0

extern "C" __global__ void scale_misaligned_access(const float* x, float* y, int rows, int cols,
                                                   long long x_row, long long y_row, float a) {
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  int done = 0;
#ifdef CORRECTED
  const bool aligned = (reinterpret_cast<unsigned long long>(in) % 16 |
                        reinterpret_cast<unsigned long long>(out) % 16) == 0;
  if (aligned) done = cols / 4 * 4;
#else
  done = cols / 4 * 4;
#endif
  for (int col = threadIdx.x * 4; col < done; col += blockDim.x * 4) {
    float4 v = *reinterpret_cast<const float4*>(in + col);
    v.x *= a;
    v.y *= a;
    v.z *= a;
    v.w *= a;
    *reinterpret_cast<float4*>(out + col) = v;
  }
  for (int col = done + threadIdx.x; col < cols; col += blockDim.x) out[col] = a * in[col];
}
