// The catalogue a change is judged with: the base's policy, the head's sources and what says how to
// call them, and from the head whatever the base does not have and what excuses nothing.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/policy/sided_file.h"
#include "gate/spec/read.h"

namespace gate {

struct PolicyInput {
  const Catalogue& base;      // everything below the base's root
  const Catalogue& selected;  // what the paths of the run select at the base
  const Catalogue& head;      // what they select at the head, loaded with the effective config
};

/// The effective config: the base's, at the place of the head's repository. `natural` is what the
/// head alone would use; `base_has_ops`: the base has something to protect.
struct ConfigInput {
  const Config& base;
  const Config& natural;
  bool base_has_ops = false;
};
Config effective_config(const ConfigInput& input, PolicySides& sides);

/// Notes go to `sides`.
Catalogue effective_catalogue(const PolicyInput& input, PolicySides& sides);

/// What a column without a committed row gets: 1 and exact where every output is an integer.
Tolerance default_tolerance(const OpSchema& op, const std::string& column);
/// The same for an op whose reference is Python: the fallback rule brings its own factors.
Tolerance unmodelled_tolerance(const OpSchema& op, const std::string& column);

}  // namespace gate
