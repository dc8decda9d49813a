// Included before every emulated source, as nvcc includes its runtime header.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <float.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "gate_emu/atomics.h"
#include "gate_emu/convert.h"
#include "gate_emu/core.h"
#include "gate_emu/integer.h"
#include "gate_emu/math.h"
#include "gate_emu/semantics.h"
#include "gate_emu/runtime_api.h"
#include "gate_emu/sanitizer.h"
#include "gate_emu/warp.h"

#define __CUDACC__ 1
#define __NVCC__ 1
#define __CUDA_ARCH__ 900
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define GATE_EMULATED 1
