// Source for the malformed kernel tomls beside it.
// SPDX-License-Identifier: Apache-2.0
constexpr int tile = 128;
__global__ void rowsum_f32(const float* x, float* y, int rows, int cols) {
  __shared__ float partial[32][33];
  y[blockIdx.x] = x[blockIdx.x * cols] + partial[0][0] * tile + rows;
}
