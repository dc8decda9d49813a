// gate init: kernel tomls for sources, or --check: which sources have none.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include "gate/base/runtime.h"
#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/init_import.h"
#include "gate/cli/init_source.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/intake/place.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

/// Ops and kernels of the root; none is fine.
Result<Catalogue> own_catalogue(const fs::path& root) {
  CatalogueOptions options;
  options.require_tolerances = false;
  options.missing_is_empty = true;
  const Result<Config> config = config_of(root, known_names());
  if (!config) return config.failure();
  options.config = *config;
  std::vector<fs::path> folders;
  for (const std::string& ops : config->ops) {
    std::error_code error;
    if (fs::is_directory(config->root / ops, error)) folders.push_back(config->root / ops);
  }
  Catalogue empty;
  empty.config = *config;
  if (folders.empty()) return empty;
  return open_catalogue(folders, std::move(options));
}

Result<Catalogue> bundled_catalogue() {
  CatalogueOptions options;
  options.require_tolerances = false;
  options.missing_is_empty = true;
  options.config = default_config(runtime_folder());
  options.config->tolerances = ".";  // none of its own: those of bundled ops come with them
  return open_catalogue({runtime_folder() / "testcases"}, std::move(options));
}

int check_sources(const std::vector<std::string>& paths, const Catalogue& own,
                  const Invocation& invocation) {
  const std::vector<fs::path> sources = find_sources({paths.begin(), paths.end()});
  const std::vector<Problem> problems = uncovered(sources, own);
  for (const Problem& problem : problems) {
    invocation.out << to_text(Failure{Fault::user, {problem}}) << "\n";
  }
  invocation.out << fmt::format("{} sources looked at, {} without an entry or out of date\n",
                                sources.size(), problems.size());
  return problems.empty() ? 0 : 1;
}

int init_all(const std::vector<std::string>& paths, const InitOptions& options,
             const Invocation& invocation) {
  std::vector<fs::path> tomls, imports;
  int code = 0;
  for (const fs::path& source : find_sources({paths.begin(), paths.end()})) {
    if (is_import(source)) {
      imports.push_back(source);
      continue;
    }
    const auto written = init_source(source, options, invocation.out);
    if (!written) {
      code = std::max(code, report_failure(written.failure(), invocation.err));
    } else {
      tomls.insert(tomls.end(), written->begin(), written->end());
    }
  }
  if (!imports.empty()) {
    const auto reload = [&] { return own_catalogue(options.own.config.root); };
    const auto written = import_json(imports, options, reload, invocation.out);
    if (!written) return std::max(code, report_failure(written.failure(), invocation.err));
    tomls.insert(tomls.end(), written->begin(), written->end());
  }
  for (const fs::path& toml : tomls) {
    invocation.out << "next: gate run " << shown_path(toml).string() << "\n";
  }
  return code;
}

}  // namespace

int init_verb(const Invocation& invocation) {
  std::vector<std::string> paths;
  std::string root = ".";
  bool check = false;
  InitOptions options;
  options.device = "emu";
  Arguments flags;
  flags.positional("PATH", paths);
  flags.option("--root", root);
  flags.option("--op", options.op);
  flags.option("--name", options.name);
  flags.option("--device", options.device);
  flags.flag("--check", check);
  flags.flag("--names-only", options.names_only);
  flags.flag("--print", options.print);
  flags.flag("--copy", options.copy);
  flags.flag("--python-reference", options.python_reference);
  const Result<Done> parsed = flags.parse(invocation.arguments);
  if (!parsed) return report_failure(parsed.failure(), invocation.err);
  if (paths.empty() && !check) {
    return report_failure(user_failure("init takes sources: .cu, .cpp or .py"), invocation.err);
  }
  if (paths.empty()) paths.push_back(root);
  Result<Catalogue> own = own_catalogue(root);
  if (!own) return report_failure(own.failure(), invocation.err);
  if (check) return check_sources(paths, *own, invocation);
  Result<Catalogue> bundled = bundled_catalogue();
  if (!bundled) return report_failure(bundled.failure(), invocation.err);
  options.own = std::move(*own);
  options.bundled = std::move(*bundled);
  options.device = resolve_device(options.device);
  return init_all(paths, options, invocation);
}

}  // namespace gate
