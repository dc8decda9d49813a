// Emulated cuda_bf16.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gate_emu/bfloat16.h"
