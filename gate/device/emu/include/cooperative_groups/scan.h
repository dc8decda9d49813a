// Emulated cooperative_groups.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gate_emu/groups.h"
