// nvcc lets cuda_fp16.hpp be included too.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gate_emu/half.h"
