// Emulated cuda_fp16.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gate_emu/half.h"
