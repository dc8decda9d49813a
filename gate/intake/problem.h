// KernelBench problem files: run at a few small sizes by the Python worker, which says what their
// tensors are; nothing of a problem runs inside the gate.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "gate/intake/guess_op.h"

namespace gate {

inline constexpr const char* describe_entry = "gate.describe";  // worker.py knows it

/// A file with `class Model` and `get_inputs`, and no ModelNew.
bool is_problem(const SourceReading& source);

struct ProblemReading {
  OpDraft op;
  std::vector<std::string> inputs;  // of forward, in order; weights are not among them
  std::vector<std::string> told;    // what was found, for people
  std::string missing;              // a package that is not here: nothing else is known
};
/// A user failure with the file's line where it is no problem that can be taken over; a machine
/// failure where no Python can run.
Result<ProblemReading> read_problem(const std::filesystem::path& file);

}  // namespace gate
