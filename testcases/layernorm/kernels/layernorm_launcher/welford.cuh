// Mean and squared deviations by Welford's recurrence, merged as Chan et al. do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

struct Welford {
  float count = 0.0f;
  float mean = 0.0f;
  float squares = 0.0f;  // sum of (v - mean)^2

  __device__ void add(float v) {
    count += 1.0f;
    const float delta = v - mean;
    mean += delta / count;
    squares += delta * (v - mean);
  }

  __device__ void merge(const Welford& other) {
    const float total = count + other.count;
    if (total == 0.0f || other.count == 0.0f) return;
    if (count == 0.0f) {
      *this = other;
      return;
    }
    const float delta = other.mean - mean;
    const float share = other.count / total;
    mean += delta * share;
    squares += other.squares + delta * delta * count * share;
    count = total;
  }

  __device__ float variance() const { return squares / count; }
};

__device__ inline Welford shuffle_down(unsigned mask, const Welford& mine, int distance) {
  Welford other;
  other.count = __shfl_down_sync(mask, mine.count, distance);
  other.mean = __shfl_down_sync(mask, mine.mean, distance);
  other.squares = __shfl_down_sync(mask, mine.squares, distance);
  return other;
}

/// Lane 0 holds the result.
__device__ inline Welford warp_total(Welford mine) {
#pragma unroll
  for (int distance = 16; distance > 0; distance >>= 1) {
    mine.merge(shuffle_down(0xffffffffu, mine, distance));
  }
  return mine;
}
