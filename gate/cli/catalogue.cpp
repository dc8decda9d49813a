// Opening what the paths name: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/catalogue.h"

#include "gate/base/files.h"
#include "gate/base/hash.h"
#include "gate/cases/plan.h"
#include "gate/cases/profiles.h"
#include "gate/oracle/laws.h"
#include "gate/reference/expected.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

bool is_bundled(const OpSchema& op) {
  const ReferenceRow* row = find_reference(op.name);
  if (row == nullptr) return false;
  const Result<std::string> text = read_file(op.folder / "reference.cpp");
  return text && sha256_hex(*text) == row->source_digest;
}

}  // namespace

KnownNames known_names() {
  KnownNames known;
  for (const ProfileFacts& profile : all_profiles()) known.profiles.emplace_back(profile.name);
  for (const LawFacts& law : all_laws()) known.laws.emplace_back(law.name);
  for (const StrategyFacts& strategy : all_strategies()) {
    known.strategies.emplace_back(strategy.name);
  }
  return known;
}

Result<Catalogue> open_catalogue(const std::vector<std::filesystem::path>& paths,
                                 bool require_tolerances) {
  CatalogueOptions options;
  options.require_tolerances = require_tolerances;
  return open_catalogue(paths, std::move(options));
}

Result<Catalogue> open_catalogue(const std::vector<std::filesystem::path>& paths,
                                 CatalogueOptions options) {
  options.known = known_names();
  Result<Catalogue> catalogue = load_catalogue(paths, options);
  if (!catalogue) return catalogue;
  for (OpSchema& op : catalogue->ops) op.bundled = is_bundled(op);
  return catalogue;
}

std::string device_of(const KernelSpec& kernel, const std::string& requested) {
  if (requested == "host" || requested == "python") return requested;
  return device_for(kernel, requested);
}

std::string resolve_device(const std::string& requested) {
  if (requested != "auto") return requested;
  return device_problem("cuda") ? "emu" : "cuda";
}

std::vector<std::string> ordered_columns(const OpSchema& op, const KernelSpec& kernel) {
  std::vector<std::string> columns;
  for (const std::string& column : op.columns) {
    if (kernel.entry.count(column) > 0) columns.push_back(column);
  }
  return columns;
}

}  // namespace gate
