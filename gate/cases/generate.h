// The one generator of cases: completes a draft to a legal case, as a RapidCheck generator.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "gate/cases/draft.h"

namespace gate {

/// Cases of a draft; nothing where the draft cannot be completed within caps and constraints.
/// `space` outlives the generator.
rc::Gen<std::optional<Case>> case_generator(const CaseSpace& space, Draft draft);

/// Changes axes, then attributes, until every constraint holds; false if that was not found.
/// Sizes not named by a violated constraint stay.
bool repair(Case& value, const CaseSpace& space, Choices& choices);
/// Constraints of op and kernel that do not hold.
std::size_t violations(const Case& value, const OpSchema& op, const KernelSpec* kernel);

}  // namespace gate
