// Emulated cuda_fp8.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gate_emu/fp8.h"
