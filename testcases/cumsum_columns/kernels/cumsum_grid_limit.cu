// Running sums down the columns, one a block on grid y, which ends at 65,535.
// SPDX-License-Identifier: Apache-2.0
__global__ void cumsum_grid_limit(const float* x, float* y, int rows, int cols, long long xr,
                                  long long xc, long long yr, long long yc) {
#ifdef BUG
  const int last = min(cols, static_cast<int>(blockIdx.y) + 1);
#else
  const int last = cols;
#endif
  for (int c = blockIdx.y; c < last; c += gridDim.y) {
    float sum = 0.0f;
    for (int r = 0; r < rows; ++r) {
      sum += x[r * xr + c * xc];
      y[r * yr + c * yc] = sum;
    }
  }
}
