// Verbs: the table that main looks up, and what every verb is given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"
#include "gate/cli/shard.h"

namespace gate {

struct Invocation {
  std::vector<std::string> arguments;  // after the verb; before dispatch: with it
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  ShardEnvironment shard;  // read before the environment was scrubbed
};

struct Verb {
  std::string_view name;
  std::string_view summary;
  int (*run)(const Invocation& invocation);
};

/// One row per verb, in the order the overview shows them.
const std::vector<Verb>& all_verbs();
/// Help, version, or the verb named first; 2 for an unknown one.
int dispatch(const Invocation& invocation);
/// Writes the problems and gives the exit code of their owner: user 2, machine 3.
int report_failure(const Failure& failure, std::ostream& err);

}  // namespace gate
