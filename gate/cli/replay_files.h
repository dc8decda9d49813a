// What `gate replay` writes for people without the gate: tensors, and ready regression tests.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gate/cli/replay_subject.h"

namespace gate {

/// Inputs, expected values, envelopes, limits and what the kernel gave as .npy, with the seed.
Result<Done> write_tensors(const std::filesystem::path& folder, const Seed& seed,
                           const Material& material);

/// What a regression test is made of. Limits, not the oracle, decide in it.
struct RegressionInput {
  const Seed& seed;
  const Target& target;
  const Material& material;
  const Verdict& verdict;  // of the run just made
};
/// A C++ test for GoogleTest and the kernel's source alone; a user failure says why there is none.
Result<std::string> to_gtest(const RegressionInput& input);
/// A Python test for pytest, NumPy and the kernel's source.
Result<std::string> to_pytest(const RegressionInput& input);

}  // namespace gate
