// Which op a source implements: ranked by names, decided by running it against the references of
// the candidates.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gate/intake/draft.h"
#include "gate/intake/probe.h"

namespace gate {

struct RecogniseOptions {
  std::vector<const OpSchema*> ops;  // candidates
  std::string device;                // empty: names only
  std::string why_not_run;           // said where the device is empty
  bool forced = false;               // there is one op, and it is the user's word
};

struct Recognition {
  const OpSchema* op = nullptr;  // null: none of the candidates
  KernelDraft draft;
  std::optional<ProbeResult> probe;  // of the draft; empty: not run
  std::string sure;                  // "sure", "likely", "guess"
  std::vector<std::string> reasons;
  std::optional<ProbeResult> build_problem;  // the source does not build: nothing was run
};

Recognition recognise(const SourceReading& source, const SourceFunction& function,
                      const RecogniseOptions& options);

/// The entries to make kernels of: launchers before __global__ functions, modules before Python
/// functions; of several that differ in dtype only, the first.
std::vector<const SourceFunction*> entries_of(const SourceReading& source);

/// A draft as a kernel spec, as if its file stood beside the source.
Result<KernelSpec> read_draft(const KernelDraft& draft, const OpSchema& op,
                              const std::filesystem::path& source);

/// Takes out the columns after the first whose entries do not build on the device; they are
/// returned.
std::vector<std::string> drop_unbuilt(KernelDraft& draft, const OpSchema& op,
                                      const std::filesystem::path& source,
                                      const std::string& device);

}  // namespace gate
