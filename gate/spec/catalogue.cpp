// Loading everything below some paths: ops, kernels, tolerances and seeds, and what must hold
// between them. Problems of all files are reported together.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/base/runtime.h"
#include "gate/spec/selection.h"
#include "gate/spec/traced.h"
#include "gate/spec/words.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

/// Problems so far; a file that cannot be read or parsed adds its own.
class Loading {
 public:
  template <class T>
  std::optional<T> take(Result<T> result) {
    if (result) return *std::move(result);
    const Failure& failure = result.failure();
    if (failure.fault == Fault::machine) failure_.fault = Fault::machine;
    failure_.problems.insert(failure_.problems.end(), failure.problems.begin(),
                             failure.problems.end());
    return std::nullopt;
  }
  void add(const fs::path& file, std::string text, std::string hint = {}) {
    failure_.problems.push_back(
        Problem{Place{file.string(), 0, 0}, std::move(text), std::move(hint)});
  }
  const Failure& failure() const { return failure_; }

 private:
  Failure failure_;
};

void load_kernels(Loading& loading, const OpSchema& op, const fs::path& folder,
                  const SelectedOp& selected, Catalogue& catalogue) {
  std::set<std::string> missing = selected.kernels;
  for (const fs::path& file : kernel_files(folder)) {
    missing.erase(file.stem().string());
    if (!selected.whole && !selected.kernels.contains(file.stem().string())) continue;
    const auto text = loading.take(read_file(file));
    if (!text) continue;
    auto kernel = loading.take(parse_kernel(*text, shown_path(file), op));
    if (kernel) catalogue.kernels.push_back(std::move(*kernel));
  }
  for (const std::string& name : missing) {
    loading.add(shown_path(folder / "kernels" / (name + ".toml")), "there is no such file");
  }
}

void load_op(Loading& loading, const fs::path& folder, const SelectedOp& selected,
             const KnownNames& known, Catalogue& catalogue) {
  const fs::path file = folder / "op.toml";
  const auto text = loading.take(read_file(file));
  if (!text) return;
  auto op = loading.take(parse_op(*text, shown_path(file), known));
  if (!op) return;
  op->folder = folder;
  if (const OpSchema* other = find_op(catalogue, op->name)) {
    loading.add(shown_path(file), fmt::format("there is another op {}", op->name),
                shown_path(other->folder / "op.toml").string());
    return;
  }
  loading.take(traced_of(*op));
  load_kernels(loading, *op, folder, selected, catalogue);
  catalogue.ops.push_back(std::move(*op));
}

/// Where an op's schema stands: the root's own, else the bundled one; empty if there is neither.
fs::path folder_of_op(const Config& config, const fs::path& bundled, const std::string& name) {
  std::error_code error;
  for (const std::string& ops : config.ops) {
    const fs::path folder = (config.root / ops / name).lexically_normal();
    if (fs::is_regular_file(folder / "op.toml", error)) return folder;
  }
  const fs::path folder = bundled / "testcases" / name;
  const bool there = !bundled.empty() && fs::is_regular_file(folder / "op.toml", error);
  return there ? folder : fs::path();
}

std::vector<std::string> bundled_names(const fs::path& bundled) {
  std::vector<std::string> names;
  std::error_code error;
  fs::directory_iterator at(bundled / "testcases", error);
  for (const fs::directory_iterator end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_plain_name(const std::string& name) {
  return !name.empty() && name.find('/') == std::string::npos && name[0] != '.';
}

/// A kernel outside of op folders: its op is the root's own of that name, else the bundled one.
void load_loose_kernel(Loading& loading, const fs::path& file, const CatalogueOptions& options,
                       Catalogue& catalogue) {
  const auto text = loading.take(read_file(file));
  const auto name = text ? loading.take(parse_kernel_op(*text, shown_path(file))) : std::nullopt;
  if (!name) return;
  if (!find_op(catalogue, *name)) {
    const fs::path folder =
        is_plain_name(*name) ? folder_of_op(catalogue.config, runtime_folder(), *name) : fs::path();
    if (folder.empty()) {
      loading.add(shown_path(file),
                  fmt::format("there is no op {}, neither here nor bundled", *name),
                  word_hint(*name, bundled_names(runtime_folder())));
      return;
    }
    load_op(loading, folder, {}, options.known, catalogue);
  }
  const OpSchema* op = find_op(catalogue, *name);
  auto kernel = op ? loading.take(parse_kernel(*text, shown_path(file), *op)) : std::nullopt;
  if (!kernel) return;
  for (const KernelSpec& other : catalogue.kernels) {
    if (other.op != kernel->op || other.name != kernel->name) continue;
    loading.add(shown_path(file),
                fmt::format("there is another kernel {}/{}", other.op, other.name),
                other.file.string());
    return;
  }
  catalogue.kernels.push_back(std::move(*kernel));
}

/// A bundled op brings its tolerances along; the root's are those of its own ops.
fs::path tolerance_file(Loading& loading, const OpSchema& op, const fs::path& bundled,
                        const Catalogue& catalogue) {
  const fs::path own = catalogue.config.root / catalogue.config.tolerances / (op.name + ".toml");
  if (bundled.empty() || op.folder != bundled / "testcases" / op.name) return own;
  std::error_code error;
  if (fs::exists(own, error)) {
    loading.add(shown_path(own),
                fmt::format("{} is a bundled op, its tolerances come with the gate", op.name),
                "copy its op folder below paths.ops to make it your own");
  }
  return bundled / "tolerances" / (op.name + ".toml");
}

void load_tolerances(Loading& loading, const OpSchema& op, const CatalogueOptions& options,
                     Catalogue& catalogue) {
  const bool required = options.require_tolerances;
  const fs::path file = tolerance_file(loading, op, runtime_folder(), catalogue);
  const std::string command =
      fmt::format("`gate tolerances init {}` writes it", shown_path(op.folder).string());
  std::error_code error;
  std::optional<ToleranceTable> table;
  if (fs::is_regular_file(file, error)) {
    const auto text = loading.take(read_file(file));
    table = text ? loading.take(parse_tolerances(*text, shown_path(file))) : std::nullopt;
    if (!table) return;
    for (const auto& [column, row] : table->rows) {
      if (op.dtypes.contains(column)) continue;
      loading.add(shown_path(file), fmt::format("the op {} has no column {}", op.name, column));
    }
  }
  std::set<std::string> used;
  for (const KernelSpec& kernel : catalogue.kernels) {
    if (kernel.op != op.name) continue;
    for (const std::string& column : columns_of(kernel)) used.insert(column);
  }
  for (const std::string& column : used) {
    if (!required || (table && table->rows.contains(column))) continue;
    loading.add(shown_path(file),
                fmt::format("there is no tolerance row for {} of {}", column, op.name), command);
  }
  if (table) catalogue.tolerances[op.name] = std::move(*table);
}

/// Whether the paths ask for seeds of this kernel; with a whole root also for kernels and ops that
/// are gone.
bool wants_seed(const Selection& selection, const Catalogue& catalogue, const Seed& seed) {
  if (selection.everything) return true;
  const bool loaded = std::any_of(
      catalogue.kernels.begin(), catalogue.kernels.end(), [&](const KernelSpec& kernel) {
        return kernel.op == seed.test_case.op && kernel.name == seed.kernel;
      });
  if (loaded) return true;
  const OpSchema* op = find_op(catalogue, seed.test_case.op);
  if (!op) return false;
  const auto selected = selection.ops.find(op->folder);
  return selected != selection.ops.end() &&
         (selected->second.whole || selected->second.kernels.contains(seed.kernel));
}

void load_seeds(Loading& loading, const Selection& selection, Catalogue& catalogue) {
  std::map<std::string, fs::path> seen;
  const fs::path folder = catalogue.config.root / catalogue.config.seeds;
  for (const fs::path& file : find_files(folder, ".toml")) {
    const auto text = loading.take(read_file(file));
    if (!text) continue;
    auto seed = loading.take(parse_seed(*text, shown_path(file)));
    if (!seed || !wants_seed(selection, catalogue, *seed)) continue;
    const std::string identity = fmt::format("{}-{}", seed->fingerprint, seed->number);
    const auto [at, fresh] = seen.emplace(identity, seed->file);
    if (!fresh) {
      loading.add(seed->file, fmt::format("the seed has fingerprint and number of another one"),
                  at->second.string());
    }
    catalogue.seeds.push_back(std::move(*seed));
  }
}

}  // namespace

Result<Catalogue> load_catalogue(const std::vector<fs::path>& paths,
                                 const CatalogueOptions& options) {
  auto selection = select_paths(paths, options);
  if (!selection) return selection.failure();
  Loading loading;
  Catalogue catalogue;
  catalogue.config = selection->config;
  for (const auto& [folder, selected] : selection->ops) {
    load_op(loading, folder, selected, options.known, catalogue);
  }
  for (const fs::path& file : selection->loose) {
    load_loose_kernel(loading, file, options, catalogue);
  }
  std::sort(catalogue.ops.begin(), catalogue.ops.end(),
            [](const OpSchema& a, const OpSchema& b) { return a.name < b.name; });
  std::sort(catalogue.kernels.begin(), catalogue.kernels.end(),
            [](const KernelSpec& a, const KernelSpec& b) {
              return a.op != b.op ? a.op < b.op : a.name < b.name;
            });
  for (const OpSchema& op : catalogue.ops) {
    load_tolerances(loading, op, options, catalogue);
  }
  load_seeds(loading, *selection, catalogue);
  if (!loading.failure().problems.empty()) return loading.failure();
  return catalogue;
}

const OpSchema* find_op(const Catalogue& catalogue, const std::string& name) {
  for (const OpSchema& op : catalogue.ops) {
    if (op.name == name) return &op;
  }
  return nullptr;
}

}  // namespace gate
