// Transposed copy through 32 x 32 tiles.
// SPDX-License-Identifier: Apache-2.0
__global__ void transpose_pitch(const float* x, float* y, int rows, int cols, long long xr,
                                long long xc, long long yr, long long yc) {
  __shared__ float tile[32][33];
  const int i = blockIdx.y * 32 + threadIdx.y, j = blockIdx.x * 32 + threadIdx.x;
  if (i < rows && j < cols) tile[threadIdx.y][threadIdx.x] = x[i * xr + j * xc];
  __syncthreads();
  const int to = blockIdx.x * 32 + threadIdx.y, from = blockIdx.y * 32 + threadIdx.x;
  if (to >= cols || from >= rows) return;
#ifdef BUG
  y[static_cast<long long>(to) * rows + from] = tile[threadIdx.x][threadIdx.y];
#else
  y[to * yr + from * yc] = tile[threadIdx.x][threadIdx.y];
#endif
}
