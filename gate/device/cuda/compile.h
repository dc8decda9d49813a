// Building CUDA sources: NVRTC for __global__ entries, nvcc where NVRTC cannot.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/device/device.h"

namespace gate {

/// "sm_90": GATE_CUDA_ARCH if set, else the first device's compute capability, else empty.
std::string cuda_architecture();

/// Architecture and NVRTC version: part of the key under which images are kept.
std::string cuda_build_identity();

/// Writes a CudaImage for .cu, .ptx, .cubin or .so sources. The compiler's words are in the reply.
BuildReply build_cuda(const BuildRequest& request);

}  // namespace gate
