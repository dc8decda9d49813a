// Runs one seed's case again and says how it compares with what the seed records.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gate/explain/finding.h"
#include "gate/search/search.h"

namespace gate {

struct SeedResult {
  enum class End {
    passes,
    reproduces,       // same kind, property and pattern
    fails_otherwise,  // red, but something else than the seed records
    invalid_case,     // the schema does not allow the case any more
    digest_differs,   // other input bytes than when it was found
    unchecked,        // grey
  };
  Seed seed;
  End end = End::unchecked;
  Judged judged;  // of the run; grey ends carry their text in the verdict
  double seconds = 0;
};

SeedResult replay_seed(Executor& executor, const Seed& seed);
/// As replay_seed, where the kernel could not be built.
SeedResult replay_unbuilt(const Seed& seed, const BuildOutcome& build);

}  // namespace gate
