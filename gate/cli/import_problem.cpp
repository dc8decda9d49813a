// gate init for KernelBench problems: see init_import.h.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/init_import.h"
#include "gate/intake/names.h"
#include "gate/intake/place.h"
#include "gate/intake/problem.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

bool has_column(const KernelDraft& draft, const std::string& column) {
  return std::any_of(draft.entry.begin(), draft.entry.end(),
                     [&](const auto& entry) { return entry.first == column; });
}

class ProblemImport {
 public:
  ProblemImport(const SourceReading& source, const InitOptions& options, std::ostream& out)
      : source_(source), options_(options), out_(out) {}

  Result<std::vector<fs::path>> run() {
    const std::vector<const SourceFunction*> entries = entries_of(source_);
    const bool whole = !entries.empty() && entries.front()->what == SourceFunction::What::module;
    if (!whole) {
      return user_failure("no class 'Model' at the top level",
                          "a KernelBench problem has class Model, get_inputs() and "
                          "get_init_inputs()",
                          {shown_path(source_.file).string(), source_.functions.front().line, 0});
    }
    if (const auto problem = device_problem("python")) return machine_failure(*problem);
    const auto reading = read_problem(source_.file);
    if (!reading) return reading.failure();
    out_ << fmt::format("{}:{}: KernelBench problem\n", shown_path(source_.file).string(),
                        entries.front()->line);
    for (const std::string& line : reading->told) out_ << "  " << line << "\n";
    const Recognition found = recognise(source_, *entries.front(), candidates(*reading));
    if (found.op != nullptr && stands_for(found, *reading)) return known(found, *reading);
    if (!reading->missing.empty()) {
      return machine_failure(
          shown_path(source_.file).string() + ": " + reading->missing + " is not installed here",
          "its reference runs where it is; --op OP names a bundled op that it stands for");
    }
    return own(*reading);
  }

 private:
  RecogniseOptions candidates(const ProblemReading& reading) const {
    RecogniseOptions recognising = candidates_of(options_);
    recognising.device = "python";
    if (options_.names_only) recognising.why_not_run = "--names-only";
    if (!reading.missing.empty()) recognising.why_not_run = reading.missing + " is not installed";
    if (!recognising.why_not_run.empty()) recognising.device.clear();
    return recognising;
  }

  std::string kernel_name() const {
    return options_.name.empty() ? source_.file.stem().string() : options_.name;
  }

  /// It agrees on every case that was run; where nothing can run, only the same name will do.
  bool stands_for(const Recognition& found, const ProblemReading& reading) const {
    if (!options_.op.empty() || found.sure == "sure") return true;
    const std::vector<std::string> ours = words_of(source_.file.stem().string());
    return !reading.missing.empty() && join(ours, "_") == join(words_of(found.op->name), "_");
  }

  /// A bundled op, or one of the root: its reference has an error model. Of its columns the
  /// problem's own.
  Result<std::vector<fs::path>> known(Recognition found, const ProblemReading& reading) {
    const std::string own = reading.op.columns.empty() ? "f32" : reading.op.columns.front();
    if (has_column(found.draft, own)) {
      std::erase_if(found.draft.entry, [&](const auto& entry) { return entry.first != own; });
    }
    out_ << fmt::format("  op           {} ({}): {}\n", found.op->name, found.sure,
                        join(found.reasons, "; "));
    const auto files = known_files(found, source_, kernel_name(),
                                   "The problem's own Model; op: " + found.sure + ".", options_);
    if (!files) return files.failure();
    const Result<Done> put = put_files(*files, options_, out_);
    if (!put) return put.failure();
    return std::vector<fs::path>{files->back().path};
  }

  /// No known op agrees: the problem is the reference.
  Result<std::vector<fs::path>> own(const ProblemReading& reading) {
    OpDraft draft = reading.op;
    if (!options_.op.empty()) draft.name = options_.op;
    const Config& config = options_.own.config;
    const fs::path folder = config.root / config.ops.front() / draft.name;
    const std::string text =
        to_toml(draft, {"Imported from " + source_.file.filename().string() + ": read it once."});
    auto op = parse_op(text, folder / "op.toml", known_names());
    if (!op) return op.failure();
    op->folder = folder;
    const Result<std::string> problem = read_file(source_.file);
    if (!problem) return problem.failure();
    out_ << fmt::format("  new op       {}: unmodelled, its reference is the problem in fp64\n",
                        draft.name);
    KernelDraft kernel;
    kernel.op = draft.name;
    kernel.source = source_.file.filename().string();
    for (const std::string& column : draft.columns) kernel.entry.emplace_back(column, "Model");
    kernel.arguments = reading.inputs;
    return with_kernel({{folder / "op.toml", text},
                        {folder / "reference.py", *problem},
                        unmodelled_tolerances(*op, config)},
                       kernel, {folder, kernel_name()}, {"The problem's own Model."});
  }

  Result<std::vector<fs::path>> with_kernel(std::vector<NewFile> files, const KernelDraft& draft,
                                            const KernelPlace& place,
                                            const std::vector<std::string>& comments) {
    const auto kernel = kernel_files_of(draft, source_, place, comments);
    if (!kernel) return kernel.failure();
    files.insert(files.end(), kernel->begin(), kernel->end());
    const Result<Done> put = put_files(files, options_, out_);
    if (!put) return put.failure();
    return std::vector<fs::path>{files.back().path};
  }

  const SourceReading& source_;
  const InitOptions& options_;
  std::ostream& out_;
};

}  // namespace

Result<std::vector<fs::path>> import_problem(const SourceReading& source,
                                             const InitOptions& options, std::ostream& out) {
  return ProblemImport(source, options, out).run();
}

}  // namespace gate
