// Elements that lie side by side, all at once: what comparing whole outputs spends its time on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "gate/tensor/dtype.h"

namespace gate {

/// What load() says of each of `count` elements from `first` on.
std::vector<double> load_all(DType dtype, const std::byte* first, std::size_t count);
/// What store() makes of each value, from `first` on; a float dtype.
void store_all(DType dtype, const std::vector<double>& values, std::byte* first);

}  // namespace gate
