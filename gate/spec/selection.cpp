// From paths to op folders and kernels.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/selection.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/files.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

/// Where a root without op folders keeps its kernels.
constexpr const char* loose_folder = "kernels";

constexpr const char* path_hint =
    "a path is a folder with gate.toml, a folder of op folders, an op folder (op.toml), a "
    "kernels/<name>.toml, or a source beside one";

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

/// Told from other TOML files by its table; read strictly later.
bool is_kernel_file(const fs::path& file) {
  const auto text = read_file(file);
  return text && (text->starts_with("[kernel]") || text->find("\n[kernel]") != std::string::npos);
}

bool is_in_op_folder(const fs::path& file, const fs::path& top) {
  for (fs::path at = file.parent_path(); at != top.parent_path() && at != at.root_path();
       at = at.parent_path()) {
    if (is_file(at / "op.toml")) return true;
  }
  return false;
}

/// Op folders directly below `folder`, sorted.
std::vector<fs::path> op_folders(const fs::path& folder) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (is_file(at->path() / "op.toml")) folders.push_back(at->path());
  }
  std::sort(folders.begin(), folders.end());
  return folders;
}

bool select_folder(const fs::path& path, Selection& selection) {
  if (is_file(path / "op.toml")) {
    selection.ops[path].whole = true;
    return true;
  }
  if (path.filename() == "kernels" && is_file(path.parent_path() / "op.toml")) {
    selection.ops[path.parent_path()].whole = true;
    return true;
  }
  std::vector<fs::path> folders = op_folders(path);
  std::vector<fs::path> loose;
  if (folders.empty() && path == selection.config.root) {
    for (const std::string& ops : selection.config.ops) {
      const std::vector<fs::path> more = op_folders((path / ops).lexically_normal());
      folders.insert(folders.end(), more.begin(), more.end());
    }
    loose = loose_kernel_files(path / loose_folder);
    selection.everything = true;
  }
  if (folders.empty() && loose.empty()) loose = loose_kernel_files(path);
  for (const fs::path& folder : folders) selection.ops[folder].whole = true;
  selection.loose.insert(loose.begin(), loose.end());
  return !folders.empty() || !loose.empty();
}

/// The source key of a kernel toml, read loosely: mistakes are reported when it is really read.
std::string source_of(const fs::path& kernel_file) {
  const auto text = read_file(kernel_file);
  const auto source = text ? parse_kernel_source(*text, kernel_file) : Result<std::string>("");
  return source ? *source : "";
}

/// A kernel toml or source outside of op folders.
bool select_loose_file(const fs::path& path, Selection& selection) {
  bool found = false;
  if (path.extension() == ".toml") {
    found = is_kernel_file(path);
    if (found) selection.loose.insert(path);
    return found;
  }
  for (const fs::path& file : loose_kernel_files(path.parent_path())) {
    const bool beside = file.parent_path() == path.parent_path();
    if (!beside || source_of(file) != path.filename().string()) continue;
    selection.loose.insert(file);
    found = true;
  }
  return found;
}

bool select_file(const fs::path& path, Selection& selection) {
  const fs::path op_folder = path.parent_path().parent_path();
  if (path.filename() == "op.toml") {
    selection.ops[path.parent_path()].whole = true;
    return true;
  }
  if (path.parent_path().filename() != "kernels" || !is_file(op_folder / "op.toml")) {
    return select_loose_file(path, selection);
  }
  if (path.extension() == ".toml") {
    selection.ops[op_folder].kernels.insert(path.stem().string());
    return true;
  }
  bool found = false;
  for (const fs::path& file : kernel_files(op_folder)) {
    if (source_of(file) != path.filename().string()) continue;
    selection.ops[op_folder].kernels.insert(file.stem().string());
    found = true;
  }
  return found;
}

/// Without a gate.toml the root is the folder that holds the folder of op folders.
fs::path default_root(const fs::path& path) {
  fs::path folder = path;
  if (is_file(path)) folder = path.parent_path();
  if (folder.filename() == "kernels") folder = folder.parent_path();
  if (is_file(folder / "op.toml")) folder = folder.parent_path();
  return folder.filename() == "testcases" ? folder.parent_path() : folder;
}

}  // namespace

std::vector<fs::path> loose_kernel_files(const fs::path& folder) {
  std::vector<fs::path> files = find_files(folder, ".toml");
  std::erase_if(files, [&](const fs::path& file) {
    return is_in_op_folder(file, folder) || !is_kernel_file(file);
  });
  return files;
}

std::vector<fs::path> kernel_files(const fs::path& op_folder) {
  std::vector<fs::path> files = find_files(op_folder / "kernels", ".toml");
  std::erase_if(files,
                [&](const fs::path& file) { return file.parent_path() != op_folder / "kernels"; });
  return files;
}

Result<Config> config_of(const fs::path& path, const KnownNames& known, const fs::path& stop) {
  auto config = load_config(path, known, stop);
  if (!config || !config->file.empty()) return config;
  std::error_code error;
  config->root = default_root(fs::weakly_canonical(path, error));
  return config;
}

Result<Selection> select_paths(const std::vector<fs::path>& paths,
                               const CatalogueOptions& options) {
  Selection selection;
  Failure failure;
  bool first = true;
  for (const fs::path& given : paths) {
    auto config =
        options.config ? Result<Config>(*options.config) : config_of(given, options.known);
    if (!config) {
      failure.problems.insert(failure.problems.end(), config.failure().problems.begin(),
                              config.failure().problems.end());
      continue;
    }
    std::error_code error;
    const fs::path path = fs::weakly_canonical(given, error);
    if (!first && config->root != selection.config.root) {
      failure.problems.push_back(Problem{Place{given.string(), 0, 0},
                                         "the path belongs to another gate.toml than the first one",
                                         "run the gate once for each"});
      continue;
    }
    if (first) selection.config = *config;
    first = false;
    const bool folder = fs::is_directory(path, error);
    const bool found = folder ? select_folder(path, selection) : select_file(path, selection);
    if (!found && !options.missing_is_empty) {
      failure.problems.push_back(Problem{Place{given.string(), 0, 0},
                                         folder
                                             ? "there are no ops below this folder, and no kernels"
                                             : "the file is no kernel of an op",
                                         path_hint});
    }
  }
  if (paths.empty()) return user_failure("no path is given", path_hint);
  if (!failure.problems.empty()) return failure;
  return selection;
}

}  // namespace gate
