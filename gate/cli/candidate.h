// One source from standard input (gate run --stdin --op OP), made into a kernel of that op in a
// folder of its own: op, reference and tolerances are the repository's, byte for byte.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/files.h"
#include "gate/report/report.h"

namespace gate {

struct RunOptions;

struct CandidateOptions {
  bool wanted = false;    // --stdin
  std::string op, entry;  // op: a name below the paths, or an op folder
  std::string launch;     // TOML of a [[launch]] table, or its args alone
  std::vector<std::string> columns;
  std::string author, keep;  // label; folder to keep the candidate in
};

struct Candidate {
  std::optional<TemporaryFolder> temporary;  // unless it is kept
  std::filesystem::path kernel;              // its kernels/<name>.toml
  std::filesystem::path source;
  std::vector<std::string> guessed;  // what was not said, one line each
};

/// Reads the source from standard input; a user failure says what to add where guessing ends.
Result<Candidate> read_candidate(const RunOptions& options);
/// As read_candidate, of a text.
Result<Candidate> make_candidate(const RunOptions& options, const std::string& source);
/// Names the source as "stdin.cu" wherever the report says a file, so that equal runs agree.
void name_candidate(const Candidate& candidate, Report& report);

}  // namespace gate
