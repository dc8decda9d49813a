// Cases one step away from a given one: another size, attribute, layout, profile or key. What the
// core of conditions is tested with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "gate/search/search.h"

namespace gate {

struct VariantCaps {
  std::int64_t elements_max = 4096;
  std::int64_t operations_max = 1 << 18;
};

/// Legal cases within the caps, each different from `base`; `special`: profiles with NaN and
/// infinities too.
std::vector<Case> variants_of(const Case& base, const Target& target, bool special,
                              const VariantCaps& caps);
/// Sizes and remainders worth a condition: powers of two from 2 to 1024 and the kernel's tiles.
std::vector<std::int64_t> granularities_of(const Target& target);

}  // namespace gate
