// Confirming the failures of one column where opening a worker takes long.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gate/search/search.h"

namespace gate {

/// As confirm(), and keeps the workers for the column's next failure. A worker is as good as a
/// fresh one while it ran nothing but failures that it confirmed and that left it whole; where one
/// of them went otherwise, all are ended. Where workers are quickly there, and for failures that
/// may harm one, each attempt starts its own.
class Confirmers {
 public:
  Confirmers(Executor& executor, SessionOptions options, Profile profile);

  void confirm(RawFailure& failure, int attempts);

 private:
  Executor& executor_;  // of the search: its target and build
  SessionOptions options_;
  Profile profile_;
  std::vector<std::unique_ptr<Executor>> kept_;
};

}  // namespace gate
