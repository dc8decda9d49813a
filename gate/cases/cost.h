// Facts of a case that validation, planning and shrinking share: legality of single choices,
// values for expressions, cost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gate/cases/inputs.h"
#include "gate/cases/profiles.h"

namespace gate {

bool legal_size(const Axis& axis, std::int64_t size);
/// Whether the schema admits a profile: declared, the plain draws of the fixed-shape oracles, or
/// a simplification of a declared one that spans zero.
bool profile_allowed(const TensorSchema& tensor, const ProfileFacts& profile, DType dtype);
/// Whether both signs and everything between are legal, by the declared profiles.
bool spans_zero(const TensorSchema& tensor);
/// Axes and integer attributes, missing attributes at their default.
IntegerValues complete_values(const Case& value, const OpSchema& op);
/// As complete_values, with "x.stride(0)" and "x.offset" of every tensor; for [domain], launches.
IntegerValues launch_values(const Case& value, const OpSchema& op);
/// Threads over all launch steps, 0 where the launch is unknown (host launchers).
std::int64_t threads_of(const Case& value, const OpSchema& op, const KernelSpec& kernel);
/// So few elements and threads that a run in which every access is watched for races costs little.
bool is_small_to_watch(const Case& value, const OpSchema& op, const KernelSpec& kernel);

}  // namespace gate
