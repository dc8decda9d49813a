// Where the files of a new kernel go, and writing them: nothing that exists is ever overwritten.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gate/intake/draft.h"
#include "gate/spec/read.h"

namespace gate {

struct NewFile {
  std::filesystem::path path;
  std::string text;
};

/// The source itself, copied beside its toml if it is elsewhere, and the toml.
struct KernelPlace {
  std::filesystem::path op_folder;
  std::string name;  // of the kernel
};
Result<std::vector<NewFile>> kernel_files_of(const KernelDraft& draft, const SourceReading& source,
                                             const KernelPlace& place,
                                             const std::vector<std::string>& comments);
/// op.toml and reference.cpp of a bundled op byte for byte, so that its compiled-in reference is
/// used, and its tolerances; nothing of what is there already.
Result<std::vector<NewFile>> bundled_files(const OpSchema& op, const Config& config);
/// Default tolerance rows of a new op; of one whose reference.py is still to be written.
NewFile unmodelled_tolerances(const OpSchema& op, const Config& config);
NewFile tolerance_file(const OpSchema& op, const Config& config);

/// All or none: a file that exists with another text is a user failure naming it.
Result<Done> write_new(const std::vector<NewFile>& files);

/// Sources below the paths that should have an entry; folders named build or .* are left out.
std::vector<std::filesystem::path> find_sources(const std::vector<std::filesystem::path>& paths);
/// What is wrong with a source: it has no entry, or an entry's copy of it is out of date. Files
/// without anything the gate could call are fine.
std::vector<Problem> uncovered(const std::vector<std::filesystem::path>& sources,
                               const Catalogue& catalogue);

}  // namespace gate
