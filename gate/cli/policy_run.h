// `--policy-from`: opens both sides of a change and gives the catalogue it is judged with.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gate/policy/base_tree.h"
#include "gate/policy/note.h"
#include "gate/spec/read.h"

namespace gate {

struct PolicyOptions {
  std::string from;    // a revision, or a folder: see open_base
  bool allow = false;  // loosening is in effect and not red
  std::string device;  // resolved: a kernel that does not run on it any more is noted
};

/// Outlives the run: effective ops may have their reference in the base's folder.
struct PolicyRun {
  BaseTree tree;
  std::filesystem::path repository;  // the head's root
  Catalogue base;                    // everything below the base's root
  Catalogue effective;               // what the paths are judged with
  std::vector<KernelSpec> kernels;   // the base's, as far as the effective ops can run them
  std::vector<PolicyNote> notes;     // sorted
};

/// User failures are the head's; a base that cannot be read is the machine's.
Result<PolicyRun> open_policy(const std::vector<std::filesystem::path>& paths,
                              const PolicyOptions& options);

}  // namespace gate
