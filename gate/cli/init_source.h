// gate init for one source: recognise or guess its op, write its files, say what was guessed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "gate/intake/place.h"
#include "gate/intake/recognise.h"
#include "gate/spec/read.h"

namespace gate {

struct InitOptions {
  Catalogue own;       // what the root has
  Catalogue bundled;   // what the gate brings along
  std::string op;      // the user's word, or empty
  std::string name;    // of the kernel, or empty
  std::string device;  // of .cu sources
  bool names_only = false;
  bool print = false;  // write nothing
  bool python_reference = false;
  bool copy = false;  // bundled ops become the root's own
};

/// The tomls that were written (or would be).
Result<std::vector<std::filesystem::path>> init_source(const std::filesystem::path& source,
                                                       const InitOptions& options,
                                                       std::ostream& out);

/// Writes new files, or shows them with --print.
Result<Done> put_files(const std::vector<NewFile>& files, const InitOptions& options,
                       std::ostream& out);
/// The kernel's toml last. Of a bundled op it stands beside its source and nothing else is needed;
/// of the root's own op, or with --copy, in the op's folder, with a copy of a source elsewhere.
Result<std::vector<NewFile>> known_files(const Recognition& found, const SourceReading& source,
                                         const std::string& name, const std::string& comment,
                                         const InitOptions& options);
/// The root's ops and the bundled ones that a source may implement.
RecogniseOptions candidates_of(const InitOptions& options);

}  // namespace gate
