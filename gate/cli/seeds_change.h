// The parts of `gate seeds` that change files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/cli/verb.h"

namespace gate {

struct SeedsFlags {
  std::vector<std::string> words;  // after add, accept …
  std::string root = ".";
  std::string to = "seeds-staged";
  std::string status = "open", reason, owner, expires;
  std::string today;  // empty: the clock's date
  bool write = false;
};

int list_seeds(const SeedsFlags& flags, const Invocation& invocation);
/// Copies seeds into a folder where they wait to be looked at.
int add_seeds(const SeedsFlags& flags, const Invocation& invocation);
/// Commits seeds with a status: the only writer of the seeds folder, with prune.
int accept_seeds(const SeedsFlags& flags, const Invocation& invocation);
/// Says which committed seeds have outlived their use; --write removes them.
int prune_seeds(const SeedsFlags& flags, const Invocation& invocation);
/// What changed between two revisions or folders.
int diff_seeds(const SeedsFlags& flags, const Invocation& invocation);

}  // namespace gate
