// Tensors as NumPy's .npy files (format 1.0), for people who look at a finding with their own
// tools. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/tensor/tensor.h"

namespace gate {

/// The logical elements in C order. NumPy knows no bf16 and f8: those come as float32, which holds
/// every one of their values.
std::string to_npy(const Tensor& tensor);
std::string to_npy(const std::vector<double>& values, const std::vector<std::int64_t>& shape);
std::string to_npy(const std::vector<std::int64_t>& values, const std::vector<std::int64_t>& shape);

}  // namespace gate
