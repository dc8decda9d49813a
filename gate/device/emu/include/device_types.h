// Part of the emulated toolkit: everything is in the prelude.
// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "gate_emu/prelude.h"
