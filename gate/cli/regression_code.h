// C++ pieces of a regression test: the kernel call with every argument evaluated, and the tensors
// of the case as data. The fixed parts are files in regression/.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/cli/replay_files.h"

namespace gate {

std::string_view regression_text(std::string_view topic);

/// Why no plain test can show this finding; nothing where one can.
std::optional<std::string> no_plain_test(const RegressionInput& input);
/// Comment lines: what the test is about, without comment signs.
std::vector<std::string> regression_heading(const RegressionInput& input);
/// Defines and the include (or declaration) of the kernel under test.
std::string kernel_code(const RegressionInput& input);
/// `void call(const std::vector<void*>& at)`: the launch with the case's numbers.
Result<std::string> call_code(const RegressionInput& input);
/// `std::vector<Tensor> all_tensors()`.
std::string tensors_code(const RegressionInput& input);
bool is_cuda_source(const RegressionInput& input);
/// Runs one test needs: several where two runs must agree.
int runs_of(const RegressionInput& input);

/// Names that launch expressions use, with their values in this case.
IntegerValues launch_values(const Case& value, const Inputs& inputs);

}  // namespace gate
