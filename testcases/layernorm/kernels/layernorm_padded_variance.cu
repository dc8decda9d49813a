// Layer norm, one block a row; lanes beyond the row hold zero.
// SPDX-License-Identifier: Apache-2.0
__device__ float block_sum(float value, float* partial) {
  partial[threadIdx.x] = value;
  __syncthreads();
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  const float result = partial[0];
  __syncthreads();
  return result;
}

__global__ void layernorm_padded_variance(const float* x, float* y, int cols, int lanes,
                                          long long xr, long long xc, long long yr, long long yc,
                                          float eps) {
  __shared__ float partial[256];
  const float* in = x + blockIdx.x * xr;
  float sum = 0.0f;
  for (int i = threadIdx.x; i < lanes; i += blockDim.x) sum += i < cols ? in[i * xc] : 0.0f;
  const float mean = block_sum(sum, partial) / static_cast<float>(cols);
  float squares = 0.0f;
  for (int i = threadIdx.x; i < lanes; i += blockDim.x) {
    const float d = (i < cols ? in[i * xc] : 0.0f) - mean;
#ifdef BUG
    squares += d * d;
#else
    squares += i < cols ? d * d : 0.0f;
#endif
  }
  const float variance = block_sum(squares, partial) / static_cast<float>(cols);
  const float scale = rsqrtf(variance + eps);
  for (int i = threadIdx.x; i < cols; i += blockDim.x) {
    y[blockIdx.x * yr + i * yc] = (in[i * xc] - mean) * scale;
  }
}
