// Softmax in one pass, every thread over its own columns; a row's first entries may be -inf.
// SPDX-License-Identifier: Apache-2.0
__global__ void softmax_leading_inf(const float* x, float* y, int cols, long long xr, long long xc,
                                    long long yr, long long yc) {
  __shared__ float largest[128], total[128];
  const float* in = x + blockIdx.x * xr;
  float m = -INFINITY, s = 0.0f;
  for (int i = threadIdx.x; i < cols; i += 128) {
    const float v = in[i * xc];
    const float larger = v != v ? m : fmaxf(m, v);
#ifndef BUG
    if (larger == -INFINITY && v == v) continue;   // nothing to add yet
#endif
    s = s * (m == larger && m != -INFINITY ? 1.0f : expf(m - larger)) + expf(v - larger);
    m = larger;
  }
  largest[threadIdx.x] = m;
  total[threadIdx.x] = s;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      const float other = largest[threadIdx.x + half], both = fmaxf(largest[threadIdx.x], other);
      const float mine = total[threadIdx.x], theirs = total[threadIdx.x + half];
      const float keep = largest[threadIdx.x] == both ? 1.0f : expf(largest[threadIdx.x] - both);
      const float take = other == both ? 1.0f : expf(other - both);
      total[threadIdx.x] = mine * keep + theirs * take;
      largest[threadIdx.x] = both;
    }
    __syncthreads();
  }
  const float top = largest[0], sum = total[0];
  for (int i = threadIdx.x; i < cols; i += 128) {
    y[blockIdx.x * yr + i * yc] = expf(in[i * xc] - top) / sum;
  }
}
