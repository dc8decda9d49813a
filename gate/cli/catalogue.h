// Opening what the paths name, with the names that modules right of spec know.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gate/spec/read.h"

namespace gate {

/// Profiles, laws and strategies that op.toml and gate.toml may use.
KnownNames known_names();
/// Marks an op as bundled only if its reference.cpp is, byte for byte, the one compiled in: another
/// text under the same name is a plug-in.
Result<Catalogue> open_catalogue(const std::vector<std::filesystem::path>& paths,
                                 bool require_tolerances);
/// The same with every choice the loader offers; `known` is filled in.
Result<Catalogue> open_catalogue(const std::vector<std::filesystem::path>& paths,
                                 CatalogueOptions options);
/// Device a kernel's source runs on: host and python when asked for by name, else by the source.
std::string device_of(const KernelSpec& kernel, const std::string& requested);
/// The device `auto` stands for here; other words stand for themselves.
std::string resolve_device(const std::string& requested);
/// Columns of a kernel in the op's order.
std::vector<std::string> ordered_columns(const OpSchema& op, const KernelSpec& kernel);

}  // namespace gate
