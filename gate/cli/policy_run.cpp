// Both sides of a change: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/policy_run.h"

#include <fmt/format.h>

#include "gate/base/files.h"
#include "gate/cli/catalogue.h"
#include "gate/policy/effective.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

struct Places {
  fs::path repository;
  std::vector<fs::path> base;  // of the run's paths, where the base has them
  Config base_config;
};

Failure base_failure(Failure failure) {
  failure.fault = Fault::machine;
  for (Problem& problem : failure.problems) problem.text = "base revision: " + problem.text;
  failure.problems.front().hint += failure.problems.front().hint.empty() ? "" : "; ";
  failure.problems.front().hint += "policy is never read from the head instead";
  return failure;
}

/// A path of the run that the head made a link selects at the base what nobody asked for: nothing.
Result<Done> refuse_detour(const fs::path& given, const fs::path& path,
                           const fs::path& repository) {
  std::error_code error;
  const fs::path named = fs::absolute(given, error).lexically_normal();
  for (fs::path at = named; at != at.root_path(); at = at.parent_path()) {
    if (fs::equivalent(at, repository, error)) break;
    if (!fs::is_symlink(at, error)) continue;
    return user_failure("--policy-from: the path leads through a link, to " + path.string(),
                        "policy is compared by place; name the folder itself",
                        Place{given.string(), 0, 0});
  }
  return Done{};
}

Result<Places> find_places(const std::vector<fs::path>& paths, const fs::path& repository,
                           const fs::path& tree) {
  Places places;
  places.repository = repository;
  std::error_code error;
  fs::path nearest = tree;
  for (const fs::path& given : paths) {
    const fs::path path = fs::weakly_canonical(given, error);
    const fs::path relative = path.lexically_relative(repository);
    if (relative.empty() || *relative.begin() == "..") {
      return user_failure("--policy-from: a path is outside of the repository of the first one",
                          repository.string(), Place{given.string(), 0, 0});
    }
    if (const Result<Done> direct = refuse_detour(given, path, repository); !direct) {
      return direct.failure();
    }
    fs::path base = relative == "." ? tree : tree / relative;
    if (fs::exists(base, error)) places.base.push_back(base);
    while (!fs::exists(base, error) && base != tree) base = base.parent_path();
    if (&given == &paths.front()) nearest = base;
  }
  Result<Config> config = config_of(nearest, known_names(), tree);
  if (!config) return base_failure(config.failure());
  places.base_config = std::move(*config);
  return places;
}

CatalogueOptions with_config(const Config& config, bool missing_is_empty) {
  CatalogueOptions options;
  options.require_tolerances = false;
  options.config = config;
  options.missing_is_empty = missing_is_empty;
  return options;
}

/// Every folder where the base has ops, and what the run's paths select there.
Result<Catalogue> open_whole_base(const Places& places) {
  std::vector<fs::path> paths = {places.base_config.root};
  for (const std::string& ops : places.base_config.ops) {
    paths.push_back(places.base_config.root / ops);
  }
  paths.insert(paths.end(), places.base.begin(), places.base.end());
  return open_catalogue(paths, with_config(places.base_config, true));
}

Result<Catalogue> open_selected_base(const Places& places) {
  if (places.base.empty()) {
    Catalogue empty;
    empty.config = places.base_config;
    return empty;
  }
  return open_catalogue(places.base, with_config(places.base_config, true));
}

/// Rows that neither side has.
Result<Done> check_tolerances(const Catalogue& catalogue) {
  Failure failure;
  for (const KernelSpec& kernel : catalogue.kernels) {
    const auto table = catalogue.tolerances.find(kernel.op);
    for (const std::string& column : columns_of(kernel)) {
      if (table != catalogue.tolerances.end() && table->second.rows.count(column) > 0) continue;
      failure.problems.push_back(
          {{},
           fmt::format("there is no tolerance row for {} of {}", column, kernel.op),
           "`gate tolerances init` writes it"});
    }
  }
  if (failure.problems.empty()) return Done{};
  return failure;
}

void allow_all(std::vector<PolicyNote>& notes) {
  for (PolicyNote& note : notes) {
    if (note.what == PolicyNote::What::loosening) note.what = PolicyNote::What::allowed;
  }
}

/// The base's kernels read against the ops that cases are drawn from.
std::vector<KernelSpec> comparable_kernels(const PolicyRun& run) {
  std::vector<KernelSpec> kernels;
  for (const KernelSpec& kernel : run.base.kernels) {
    const OpSchema* op = find_op(run.effective, kernel.op);
    const Result<std::string> text = read_file(kernel.file);
    if (op == nullptr || !text) continue;
    Result<KernelSpec> parsed = parse_kernel(*text, kernel.file, *op);
    if (parsed) kernels.push_back(std::move(*parsed));
  }
  return kernels;
}

struct Sources {
  const std::vector<fs::path>& paths;
  const Places& places;
  const PolicyOptions& options;
};

/// An empty folder of the base stands for a submodule, or for what an archive left out: what the
/// head has there cannot be compared, and must not pass for new.
Result<Done> refuse_gaps(const PolicyRun& run, const Catalogue& head, const Config& natural) {
  std::vector<fs::path> files = {natural.file};
  for (const OpSchema& op : head.ops) files.push_back(op.folder / "op.toml");
  for (const KernelSpec& kernel : head.kernels) files.push_back(kernel.file);
  for (const auto& [op, table] : head.tolerances) files.push_back(table.file);
  for (const Seed& seed : head.seeds) files.push_back(seed.file);
  std::error_code error;
  for (const fs::path& file : files) {
    const fs::path whole = fs::weakly_canonical(file, error);
    const fs::path name = whole.lexically_relative(run.repository);
    if (file.empty() || name.empty() || *name.begin() == "..") continue;
    fs::path at = run.tree.folder / name;
    while (at != run.tree.folder && !fs::exists(at, error)) at = at.parent_path();
    if (at == run.tree.folder || !fs::is_directory(at, error) || !fs::is_empty(at, error)) continue;
    return base_failure(machine_failure(
        "its folder " + at.lexically_relative(run.tree.folder).string() + " is empty: a submodule?",
        "the head has " + name.string() + " there; keep policy and kernels in the repository"));
  }
  return Done{};
}

/// Kernels that the base runs on this device and the head does not.
void note_unselected(const Catalogue& base, const Catalogue& head, const std::string& device,
                     PolicySides& sides) {
  for (const KernelSpec& kernel : base.kernels) {
    for (const KernelSpec& twin : head.kernels) {
      if (twin.op != kernel.op || twin.name != kernel.name) continue;
      if (not_selected_reason(kernel, device_of(kernel, device))) continue;
      const auto reason = not_selected_reason(twin, device_of(twin, device));
      if (!reason) continue;
      SidedFile(sides, kernel.file, twin.file)
          .loosening(
              fmt::format("kernel {}/{} is not run any more: {}", twin.op, twin.name, *reason),
              "everything about it", "source");
    }
  }
}

Result<Done> judge(const Sources& sources, PolicyRun& run) {
  Result<Catalogue> selected = open_selected_base(sources.places);
  if (!selected) return base_failure(selected.failure());
  const Result<Config> natural = config_of(sources.paths.front(), known_names());
  if (!natural) return natural.failure();
  PolicySides sides{run.tree.folder, sources.places.repository, {}};
  const Config config =
      effective_config({sources.places.base_config, *natural, !run.base.ops.empty()}, sides);
  const Result<Catalogue> head = open_catalogue(sources.paths, with_config(config, false));
  if (!head) return head.failure();
  const Result<Done> whole = refuse_gaps(run, *head, *natural);
  if (!whole) return whole.failure();
  run.effective = effective_catalogue({run.base, *selected, *head}, sides);
  note_unselected(*selected, *head, sources.options.device, sides);
  run.notes = std::move(sides.notes);
  if (sources.options.allow) {
    allow_all(run.notes);
    Result<Catalogue> own = open_catalogue(sources.paths, true);
    if (!own) return own.failure();
    run.effective = std::move(*own);
  }
  sort_notes(run.notes);
  run.kernels = comparable_kernels(run);
  return check_tolerances(run.effective);
}

}  // namespace

Result<PolicyRun> open_policy(const std::vector<fs::path>& paths, const PolicyOptions& options) {
  const fs::path repository = repository_root(paths.front());
  Result<BaseTree> tree = open_base(options.from, repository);
  if (!tree) return tree.failure();
  PolicyRun run;
  run.tree = std::move(*tree);
  run.repository = repository;
  const Result<Places> places = find_places(paths, repository, run.tree.folder);
  if (!places) return places.failure();
  Result<Catalogue> base = open_whole_base(*places);
  if (!base) return base_failure(base.failure());
  run.base = std::move(*base);
  const Result<Done> judged = judge({paths, *places, options}, run);
  if (!judged) return judged.failure();
  return run;
}

}  // namespace gate
