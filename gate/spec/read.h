// Strict readers and writers of every TOML file people write. All errors of a file at once, with
// file:line:column and a hint. The only users of TOML++ are the .cpp files behind this header.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/spec/config.h"
#include "gate/spec/kernel_spec.h"
#include "gate/spec/op_schema.h"
#include "gate/spec/seed.h"
#include "gate/spec/tolerance.h"

namespace gate {

/// Names that modules to the right know; an empty list is not checked.
struct KnownNames {
  std::vector<std::string> profiles, laws, strategies;
};

/// `text` is the file's content, `file` names it in messages.
Result<OpSchema> parse_op(const std::string& text, const std::filesystem::path& file,
                          const KnownNames& known = {});
Result<KernelSpec> parse_kernel(const std::string& text, const std::filesystem::path& file,
                                const OpSchema& op);
/// The [kernel] op or source key only: which op or source a kernel file belongs to.
Result<std::string> parse_kernel_op(const std::string& text, const std::filesystem::path& file);
Result<std::string> parse_kernel_source(const std::string& text, const std::filesystem::path& file);
Result<ToleranceTable> parse_tolerances(const std::string& text, const std::filesystem::path& file);
Result<Seed> parse_seed(const std::string& text, const std::filesystem::path& file);
Result<Config> parse_config(const std::string& text, const std::filesystem::path& file,
                            const KnownNames& known = {});
/// Built-in defaults: what gate.toml says where it is silent or absent.
Config default_config(const std::filesystem::path& root);

/// The inverses: reading what they write gives the same value, and the text is stable.
std::string to_toml(const ToleranceTable& table);
std::string to_toml(const Seed& seed);

/// An absolute path as people see it: relative below the current folder.
std::filesystem::path shown_path(const std::filesystem::path& path);

/// Nearest gate.toml at `path` or upward, not above `stop` (empty: the root of the file system);
/// without one, defaults rooted at `path`.
Result<Config> load_config(const std::filesystem::path& path, const KnownNames& known = {},
                           const std::filesystem::path& stop = {});
/// As load_config, but without a gate.toml the root is the folder that holds the folder of op
/// folders: what a catalogue of `path` is loaded with.
Result<Config> config_of(const std::filesystem::path& path, const KnownNames& known = {},
                         const std::filesystem::path& stop = {});

/// Everything below the given paths: ops with their kernels, tolerances and seeds.
struct Catalogue {
  Config config;
  std::vector<OpSchema> ops;                         // sorted by name
  std::vector<KernelSpec> kernels;                   // sorted by (op, name)
  std::map<std::string, ToleranceTable> tolerances;  // op -> table
  std::vector<Seed> seeds;                           // sorted by file
};

struct CatalogueOptions {
  KnownNames known;
  bool require_tolerances = true;  // a row for every column that a kernel implements
  std::optional<Config> config;    // instead of the nearest gate.toml
  bool missing_is_empty = false;   // a path without kernels adds nothing, and is no problem
};

/// PATH may be a root, an op folder, a kernels/<name>.toml or a source beside one; all problems
/// of all files at once.
Result<Catalogue> load_catalogue(const std::vector<std::filesystem::path>& paths,
                                 const CatalogueOptions& options = {});

const OpSchema* find_op(const Catalogue& catalogue, const std::string& name);

}  // namespace gate
