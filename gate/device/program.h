// Turning this process into another program that speaks the worker protocol.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gate {

/// What the program is told on its command line.
struct ProgramLink {
  int control = -1, memory = -1, slots = 1;
};

/// Makes a scratch folder (or takes the run's), goes there, filters system calls, and executes
/// `program` with --control, --memory and --slots. The program itself makes all but a folder of its
/// kernel there read-only, before it loads foreign code. Returns only if that fails: why.
std::string become_program(const std::vector<std::string>& program, const ProgramLink& link);

}  // namespace gate
