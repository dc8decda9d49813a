// Writing a new kernel's files: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/place.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "gate/base/files.h"
#include "gate/base/runtime.h"
#include "gate/policy/effective.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

bool is_there(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error);
}

fs::path resolved(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error);
}

bool is_source(const fs::path& path) {
  const std::string extension = path.extension().string();
  const bool code = extension == ".cu" || extension == ".cpp" || extension == ".py";
  return code && path.stem() != "reference";
}

void collect(const fs::path& folder, std::set<fs::path>& found) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(".") || at->is_symlink()) continue;
    if (at->is_directory()) {
      if (name != "build" && name != "__pycache__") collect(at->path(), found);
    } else if (is_source(at->path())) {
      found.insert(at->path());
    }
  }
}

/// A source that only helps others: its entries take no tensors.
bool is_callable(const SourceReading& reading) {
  return std::any_of(reading.functions.begin(), reading.functions.end(),
                     [&](const SourceFunction& function) {
                       using What = SourceFunction::What;
                       if (function.what == What::triton || function.what == What::module)
                         return true;
                       return function.what != What::python &&
                              std::any_of(function.parameters.begin(), function.parameters.end(),
                                          [](const SourceParameter& one) { return one.pointer; });
                     });
}

NewFile tolerances_of(const OpSchema& op, const Config& config,
                      Tolerance (*row)(const OpSchema&, const std::string&)) {
  ToleranceTable table{op.name, config.root / config.tolerances / (op.name + ".toml"), {}};
  for (const std::string& column : op.columns) table.rows.emplace(column, row(op, column));
  return {table.file, to_toml(table)};
}

/// A kernel toml in the source's own folder names it.
bool is_named_beside(const fs::path& source) {
  std::error_code error;
  const fs::path folder = fs::absolute(source, error).parent_path();
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".toml") continue;
    const Result<std::string> text = read_file(at->path());
    const auto named = text ? parse_kernel_source(*text, at->path()) : Result<std::string>(text);
    if (named && *named == source.filename().string()) return true;
  }
  return false;
}

}  // namespace

Result<std::vector<NewFile>> kernel_files_of(const KernelDraft& draft, const SourceReading& source,
                                             const KernelPlace& place,
                                             const std::vector<std::string>& comments) {
  const fs::path folder = place.op_folder / "kernels";
  std::vector<NewFile> files = {{folder / (place.name + ".toml"), to_toml(draft, comments)}};
  const fs::path copy = folder / source.file.filename();
  if (resolved(copy) == resolved(source.file)) return files;
  const Result<std::string> text = read_file(source.file);
  if (!text) return text.failure();
  files.insert(files.begin(), {copy, *text});
  return files;
}

Result<std::vector<NewFile>> bundled_files(const OpSchema& op, const Config& config) {
  const fs::path folder = config.root / config.ops.front() / op.name;
  std::vector<NewFile> files;
  for (const char* name : {"op.toml", "reference.cpp"}) {
    const Result<std::string> text = read_file(op.folder / name);
    if (!text) return text.failure();
    files.push_back({folder / name, *text});
  }
  const fs::path table = config.root / config.tolerances / (op.name + ".toml");
  if (is_there(table)) return files;
  const Result<std::string> rows = read_file(runtime_folder() / "tolerances" / (op.name + ".toml"));
  files.push_back(rows ? NewFile{table, *rows} : tolerance_file(op, config));
  return files;
}

NewFile tolerance_file(const OpSchema& op, const Config& config) {
  return tolerances_of(op, config, default_tolerance);
}

NewFile unmodelled_tolerances(const OpSchema& op, const Config& config) {
  return tolerances_of(op, config, unmodelled_tolerance);
}

Result<Done> write_new(const std::vector<NewFile>& files) {
  Failure failure;
  std::vector<const NewFile*> missing;
  for (const NewFile& file : files) {
    if (!is_there(file.path)) {
      missing.push_back(&file);
      continue;
    }
    const Result<std::string> text = read_file(file.path);
    if (text && *text == file.text) continue;
    failure.problems.push_back({{shown_path(file.path).string(), 0, 0},
                                "exists already, and is never overwritten",
                                "move it away, or give another name with --name"});
  }
  if (!failure.problems.empty()) return failure;
  for (const NewFile* file : missing) {
    std::error_code error;
    fs::create_directories(file->path.parent_path(), error);
    const Result<Done> written = write_file(file->path, file->text);
    if (!written) return written.failure();
  }
  return Done{};
}

std::vector<fs::path> find_sources(const std::vector<fs::path>& paths) {
  std::set<fs::path> found;
  for (const fs::path& path : paths) {
    std::error_code error;
    if (fs::is_directory(path, error)) {
      collect(path, found);
    } else {
      found.insert(path);
    }
  }
  return {found.begin(), found.end()};
}

std::vector<Problem> uncovered(const std::vector<fs::path>& sources, const Catalogue& catalogue) {
  std::vector<Problem> problems;
  for (const fs::path& file : sources) {
    const Result<std::string> text = read_file(file);
    if (!text) {
      problems.insert(problems.end(), text.failure().problems.begin(),
                      text.failure().problems.end());
      continue;
    }
    const Result<SourceReading> reading = read_source(*text, file);
    if (!reading || !is_callable(*reading) || is_named_beside(file)) continue;
    const KernelSpec* same = nullptr;
    for (const KernelSpec& kernel : catalogue.kernels) {
      if (resolved(kernel.source) == resolved(file)) same = &kernel;
      if (same == nullptr && kernel.source.filename() == file.filename()) same = &kernel;
    }
    const Place place{shown_path(file).string(), reading->functions.front().line, 0};
    if (same == nullptr) {
      problems.push_back({place, "no kernel entry names this source",
                          fmt::format("`gate init {}` writes one", shown_path(file).string())});
      continue;
    }
    const Result<std::string> copy = read_file(same->source);
    if (copy && *copy == *text) continue;
    problems.push_back({place, "the gate's copy of this source is out of date",
                        "copy it over " + shown_path(same->source).string()});
  }
  return problems;
}

}  // namespace gate
