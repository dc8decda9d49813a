// What a replay is about: the seed's kernel and column in a catalogue, and everything one execution
// of its case yields. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/cli/replay_seed.h"
#include "gate/oracle/element.h"
#include "gate/spec/read.h"

namespace gate {

/// The target points into the catalogue.
struct Subject {
  Catalogue catalogue;
  Target target;
};

/// Which other values than those near the expected one are right for an element.
enum class Accept : unsigned {
  any = 1,
  nan = 2,
  plus_inf = 4,
  minus_inf = 8,
  zero = 16,
  sign = 32
};

/// What the oracle accepts at one element, in a form that needs no oracle to apply.
struct Acceptance {
  double value = 0;
  std::int64_t integer = 0;  // integer outputs
  double limit = 0;          // |got - value| may reach it; negative: no finite value is right
  unsigned accepts = 0;      // of Accept
  bool operator==(const Acceptance&) const = default;
};

struct AcceptedOutput {
  std::string name;
  std::vector<Acceptance> elements;                        // logical order
  std::map<std::int64_t, std::vector<std::int64_t>> also;  // element -> other legal integers
};

/// One execution of a seed's case with all that went into it.
struct Material {
  Inputs inputs;
  Expected expected;
  std::vector<AcceptedOutput> outputs;
  Outcome outcome;  // `after` is empty where the run did not complete
};

/// The rule of an element, tried on the values that the limit does not speak of.
Acceptance acceptance_of(const ElementRule& rule, double value, double envelope);
std::vector<AcceptedOutput> accepted_outputs(const Target& target, const Inputs& inputs,
                                             const Expected& expected);
/// Fails where the op's reference cannot compute the case.
Result<Material> material_of(Executor& executor, const Case& value);

}  // namespace gate
