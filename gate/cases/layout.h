// Layouts: from a tensor's choice and shape to the strided view that reaches the kernel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/spec/case.h"
#include "gate/spec/kernel_spec.h"
#include "gate/tensor/shape.h"

namespace gate {

/// View of a tensor of `shape` under `choice`; the choice is legal for the shape.
View view_of(const TensorChoice& choice, const std::vector<std::int64_t>& shape);
/// What is wrong with the layout part of a choice, or empty: unknown layout, a parameter that is
/// out of range or belongs to another layout, too few dimensions, unaligned for the kernel.
std::string layout_problem(const TensorChoice& choice, const TensorSchema& tensor,
                           std::size_t dtype_bytes, const KernelSpec* kernel);
/// Step of paddings and offsets, in elements, that keeps the kernel's alignment.
std::int64_t alignment_elements(std::size_t dtype_bytes, const KernelSpec* kernel);

}  // namespace gate
