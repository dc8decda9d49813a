// Error handling of the layer norm launcher.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime.h>

#include <cstdio>

#define RETURN_ON_ERROR(call)                                            \
  do {                                                                   \
    const cudaError_t status_ = (call);                                  \
    if (status_ != cudaSuccess) {                                        \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, \
                   cudaGetErrorString(status_));                         \
      return status_;                                                    \
    }                                                                    \
  } while (0)

/// For use right after <<<>>>: the launch itself, then what it left behind.
#define RETURN_ON_LAUNCH_ERROR() RETURN_ON_ERROR(cudaPeekAtLastError())
