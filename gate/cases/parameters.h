// Parameters of drawn profiles, spelled out in the case so that a reader sees them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/cases/choices.h"
#include "gate/cases/space.h"

namespace gate {

/// What profiles depend on besides their name.
struct ParameterContext {
  const TensorSpace& tensor;
  const Case& value;  // axes and attributes are final
  const CaseSpace& space;
};

/// Text between the brackets; empty for a profile that takes none.
std::string draw_parameter(const std::string& profile, const ParameterContext& context,
                           Choices& choices);

}  // namespace gate
