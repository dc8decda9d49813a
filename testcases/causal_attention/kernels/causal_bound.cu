// Causal attention, one block a query, bottom-right aligned.
// SPDX-License-Identifier: Apache-2.0
__global__ void causal_bound(const float* q, const float* k, const float* v, float* o, int m, int n,
                             int d, long long q0, long long q1, long long k0, long long k1,
                             long long v0, long long v1, long long o0, long long o1) {
#ifdef BUG
  const int seen = min(static_cast<int>(blockIdx.x) + 1, n);
#else
  const int seen = max(static_cast<int>(blockIdx.x) + n - m + 1, 0);
#endif
  extern __shared__ float weight[];
  const int t = threadIdx.x, i = blockIdx.x;
  const float scale = rsqrtf(static_cast<float>(d));
  for (int j = t; j < seen; j += blockDim.x) {
    float dot = 0.0f;
    for (int e = 0; e < d; ++e) dot = fmaf(q[i * q0 + e * q1], k[j * k0 + e * k1], dot);
    weight[j] = dot * scale;
  }
  __syncthreads();
  float largest = -INFINITY, sum = 0.0f;
  for (int j = 0; j < seen; ++j) largest = fmaxf(largest, weight[j]);
  for (int j = 0; j < seen; ++j) sum += expf(weight[j] - largest);
  for (int e = t; e < d; e += blockDim.x) {
    float out = 0.0f;
    for (int j = 0; j < seen; ++j) out = fmaf(expf(weight[j] - largest), v[j * v0 + e * v1], out);
    o[i * o0 + e * o1] = seen > 0 ? out / sum : 0.0f;
  }
}
