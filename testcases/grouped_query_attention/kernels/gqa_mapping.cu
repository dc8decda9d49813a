// One query token, one block a query head; heads share keys in groups.
// SPDX-License-Identifier: Apache-2.0
__global__ void gqa_mapping(const float* q, const float* k, const float* v, float* o, int kv_heads,
                            int group, int n, int d, long long q0, long long q1, long long k0,
                            long long k1, long long k2, long long v0, long long v1, long long v2,
                            long long o0, long long o1) {
  const int seen = n;
#ifdef BUG
  const int h = static_cast<int>(blockIdx.x) / kv_heads % kv_heads;
#else
  const int h = static_cast<int>(blockIdx.x) / group;
#endif
  extern __shared__ float weight[];
  const int t = threadIdx.x, i = blockIdx.x;
  const float scale = rsqrtf(static_cast<float>(d));
  for (int j = t; j < seen; j += blockDim.x) {
    float dot = 0.0f;
    for (int e = 0; e < d; ++e) dot = fmaf(q[i * q0 + e * q1], k[h * k0 + j * k1 + e * k2], dot);
    weight[j] = dot * scale;
  }
  __syncthreads();
  float largest = -INFINITY, sum = 0.0f;
  for (int j = 0; j < seen; ++j) largest = fmaxf(largest, weight[j]);
  for (int j = 0; j < seen; ++j) sum += expf(weight[j] - largest);
  for (int e = t; e < d; e += blockDim.x) {
    float out = 0.0f;
    for (int j = 0; j < seen; ++j) {
      out = fmaf(expf(weight[j] - largest), v[h * v0 + j * v1 + e * v2], out);
    }
    o[i * o0 + e * o1] = seen > 0 ? out / sum : 0.0f;
  }
}
