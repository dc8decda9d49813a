// Product in 32 x 32 tiles, one launch a tile column, in order.
// SPDX-License-Identifier: Apache-2.0
__global__ void tile_column(const float* a, const float* b, float* c, int m, int k, int n, int tile,
                            long long a0, long long a1, long long b0, long long b1, long long c0,
                            long long c1) {
  __shared__ float left[32][33], right[32][33];
  const int i = blockIdx.x * 32 + threadIdx.y, j = tile * 32 + threadIdx.x;
  float sum = 0.0f;
  for (int from = 0; from < k; from += 32) {
    const int la = from + threadIdx.x, lb = from + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = i < m && la < k ? a[i * a0 + la * a1] : 0.0f;
    right[threadIdx.y][threadIdx.x] = lb < k && j < n ? b[lb * b0 + j * b1] : 0.0f;
    __syncthreads();
    for (int l = 0; l < 32; ++l) sum = fmaf(left[threadIdx.y][l], right[l][threadIdx.x], sum);
    __syncthreads();
  }
#ifdef BUG
  if (i < m) c[i * c0 + j * c1] = sum;
#else
  if (i < m && j < n) c[i * c0 + j * c1] = sum;
#endif
}

extern "C" int matmul_unmasked_store(const float* a, const float* b, float* c, int m, int k, int n,
                                     long long a0, long long a1, long long b0, long long b1,
                                     long long c0, long long c1, cudaStream_t stream) {
  for (int tile = 0; tile < (n + 31) / 32; ++tile) {
    tile_column<<<(m + 31) / 32, dim3(32, 32), 0, stream>>>(a, b, c, m, k, n, tile, a0, a1, b0, b1,
                                                            c0, c1);
  }
  return static_cast<int>(cudaGetLastError());
}
