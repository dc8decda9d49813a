// Sums by index: outputs cleared, then one thread a value.
// SPDX-License-Identifier: Apache-2.0
__global__ void clear(float* y, int slots, long long ys) {
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < slots) y[s * ys] = 0.0f;
}

__global__ void scatter(const float* values, const int* index, float* y, int count, long long vs,
                        long long is, long long ys) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  float* slot = &y[index[i * is] * ys];
#ifdef BUG
  *slot = *slot + values[i * vs];
#else
  atomicAdd(slot, values[i * vs]);
#endif
}
