// A replay's result, and its text for people.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <optional>

#include "gate/cli/replay_subject.h"
#include "gate/explain/finding.h"

namespace gate {

struct Replay {
  SeedResult result;
  std::optional<Explanation> why;
  std::optional<Material> material;    // where elements can be shown or were asked for
  std::optional<Failure> no_material;  // why there is none although it was wanted
};

void write_replay(const Replay& replay, const Subject& subject, std::ostream& out);

}  // namespace gate
