// Codes of each row by its largest magnitude, one block of 128 threads a row.
// SPDX-License-Identifier: Apache-2.0
__global__ void quantise_unguarded_scale(const float* x, signed char* code, float* scale, int cols,
                                         long long xr, long long xc, long long cr, long long cc,
                                         long long sr) {
  __shared__ float partial[128];
  const float* in = x + blockIdx.x * xr;
  float largest = 0.0f;
  for (int i = threadIdx.x; i < cols; i += 128) largest = fmaxf(largest, fabsf(in[i * xc]));
  partial[threadIdx.x] = largest;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) {
      partial[threadIdx.x] = fmaxf(partial[threadIdx.x], partial[threadIdx.x + half]);
    }
    __syncthreads();
  }
  largest = partial[0];
  const float step = largest / 127.0f;
  if (threadIdx.x == 0) scale[blockIdx.x * sr] = step;
  for (int i = threadIdx.x; i < cols; i += 128) {
#ifdef BUG
    const float v = in[i * xc] * (127.0f / largest);
    const int rounded = __float2int_rn(v);
#else
    const int rounded = step > 0.0f ? __float2int_rn(in[i * xc] / step) : 0;
#endif
    code[blockIdx.x * cr + i * cc] = static_cast<signed char>(min(max(rounded, -127), 127));
  }
}
