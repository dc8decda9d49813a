// Legal values of one input tensor in one case: integer ranges and magnitudes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gate/cases/fill.h"

namespace gate {

/// Range of an integer tensor, or nothing where its expressions cannot be computed or are empty.
std::optional<IntegerRange> integer_range(const TensorSchema& tensor, DType dtype,
                                          const IntegerValues& values);
/// Least and largest value of an integer dtype.
IntegerRange full_range(DType dtype);
/// Largest legal magnitude of a float input.
double largest_magnitude(const OpSchema& op, DType dtype);

}  // namespace gate
