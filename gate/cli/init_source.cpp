// gate init for one source: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/init_source.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/init_import.h"
#include "gate/intake/guess_op.h"
#include "gate/intake/place.h"
#include "gate/intake/problem.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

class Initialising {
 public:
  Initialising(const SourceReading& source, const InitOptions& options, std::ostream& out)
      : source_(source), options_(options), out_(out) {}

  Result<std::vector<fs::path>> run() {
    std::vector<const SourceFunction*> entries = entries_of(source_);
    std::vector<const SourceFunction*> unknown;
    for (const SourceFunction* function : entries) {
      describe(*function);
      const Recognition found = recognise(source_, *function, candidates());
      if (found.build_problem) {
        out_ << "  does not build: " << clean_text(found.build_problem->build_text, 800) << "\n";
      }
      if (found.op == nullptr) {
        unknown.push_back(function);
        out_ << "  op           none of the known ops explains it\n";
        continue;
      }
      const Result<Done> written = write_known(*function, found, entries.size());
      if (!written) return written.failure();
    }
    if (written_.empty() && !unknown.empty()) {
      const Result<Done> written = write_unknown(*chosen(unknown));
      if (!written) return written.failure();
    }
    return written_;
  }

 private:
  void describe(const SourceFunction& function) {
    out_ << fmt::format("{}:{}: {} {}\n", shown_path(source_.file).string(), function.line,
                        to_text(function.what), function.name);
    const SourceGeometry& geometry = function.geometry;
    if (geometry.mask_line > 0) out_ << "  masks        line " << geometry.mask_line << "\n";
    if (function.launch_bounds > 0) {
      out_ << "  block        " << function.launch_bounds << " (__launch_bounds__)\n";
    }
    std::vector<std::string> constants;
    for (const MinedTile& tile : source_.constants) {
      constants.push_back(fmt::format("{} (line {})", tile.text, tile.line));
    }
    if (!constants.empty()) out_ << "  tiles        " << join(constants, ", ") << "\n";
  }

  RecogniseOptions candidates() const {
    RecogniseOptions recognising = candidates_of(options_);
    recognising.device = device();
    if (recognising.device.empty()) recognising.why_not_run = why_not_run();
    return recognising;
  }

  std::string device() const {
    if (options_.names_only || !why_not_run().empty()) return {};
    KernelSpec kernel;
    kernel.source = source_.file;
    return device_of(kernel, options_.device);
  }

  std::string why_not_run() const {
    if (options_.names_only) return "--names-only";
    if (!source_.python) return {};
    const auto problem = device_problem("python");
    if (problem) return *problem;
    const bool triton = std::any_of(
        source_.functions.begin(), source_.functions.end(),
        [](const SourceFunction& one) { return one.what == SourceFunction::What::triton; });
    return triton ? "Triton kernels are read, and run by `gate run` where a GPU is" : "";
  }

  /// The function named most like the file, else the last.
  const SourceFunction* chosen(const std::vector<const SourceFunction*>& functions) const {
    for (const SourceFunction* function : functions) {
      if (function->name == source_.file.stem().string()) return function;
    }
    return functions.back();
  }

  Result<Done> write(const std::vector<NewFile>& files) { return put_files(files, options_, out_); }

  std::string kernel_name(const SourceFunction& function, std::size_t count) const {
    if (!options_.name.empty()) return options_.name;
    return count > 1 ? function.name : source_.file.stem().string();
  }

  Result<Done> write_known(const SourceFunction& function, const Recognition& found,
                           std::size_t count) {
    out_ << fmt::format("  op           {} ({}): {}\n", found.op->name, found.sure,
                        join(found.reasons, "; "));
    out_ << "  arguments    " << argument_text(function, found.draft) << "\n";
    const std::string comment =
        fmt::format("Written by gate init from {}:{}; op: {}.", source_.file.filename().string(),
                    function.line, found.sure);
    const auto files = known_files(found, source_, kernel_name(function, count), comment, options_);
    if (!files) return files.failure();
    written_.push_back(files->back().path);
    return write(*files);
  }

  std::string argument_text(const SourceFunction& function, const KernelDraft& draft) const {
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < draft.arguments.size() && i < function.parameters.size(); ++i) {
      texts.push_back(function.parameters[i].name + " = " + draft.arguments[i]);
    }
    std::string text = join(texts, ", ");
    if (!draft.grid.empty()) text += "; grid " + join(draft.grid, " x ");
    if (!draft.block.empty()) text += "; block " + join(draft.block, " x ");
    return text;
  }

  /// op.toml with guesses, a reference to fill in, and the kernel.
  Result<Done> write_unknown(const SourceFunction& function) {
    auto guessed = guess_op(source_, function);
    if (!guessed) return guessed.failure();
    if (!options_.op.empty()) guessed->name = options_.op;
    const Config& config = options_.own.config;
    const fs::path folder = config.root / config.ops.front() / guessed->name;
    const std::string head = "Guessed by gate init: read it once, it is the contract.";
    const std::string text = to_toml(*guessed, {head});
    const auto op = parse_op(text, folder / "op.toml", known_names());
    if (!op) return op.failure();
    const std::vector<KernelDraft> drafts = draft_kernels({source_, function, *op, 24});
    if (drafts.empty()) {
      return user_failure("no way to call " + function.name + " was found", "write op.toml by hand",
                          {source_.file.string(), function.line, 0});
    }
    const KernelDraft draft = runnable(*op, drafts);
    out_ << fmt::format("  new op       {} (guess): {}\n", guessed->name,
                        join(guessed->reasons, "; "));
    out_ << "  arguments    " << argument_text(function, draft) << "\n";
    const std::string name = options_.python_reference ? "reference.py" : "reference.cpp";
    const auto stub = options_.python_reference ? python_reference_stub : reference_stub;
    const std::vector<std::string> told = {"What " + function.name +
                                           " should compute: fill in the body."};
    std::vector<NewFile> files = {{folder / "op.toml", text},
                                  {folder / name, stub(*guessed, told)},
                                  options_.python_reference ? unmodelled_tolerances(*op, config)
                                                            : tolerance_file(*op, config)};
    const auto kernel = kernel_files_of(draft, source_, {folder, kernel_name(function, 1)},
                                        {"Written by gate init: a guess."});
    if (!kernel) return kernel.failure();
    files.insert(files.end(), kernel->begin(), kernel->end());
    written_.push_back(kernel->back().path);
    const Result<Done> done = write(files);
    out_ << "  to do        the body of " << shown_path(folder / name).string() << "\n";
    return done;
  }

  /// The first draft that stays inside its tensors and writes all of its outputs.
  KernelDraft runnable(const OpSchema& op, const std::vector<KernelDraft>& drafts) {
    const std::string where = device();
    if (where.empty()) return drafts.front();
    for (const KernelDraft& draft : drafts) {
      const auto kernel = read_draft(draft, op, source_.file);
      if (!kernel) continue;
      const ProbeResult result = probe_memory({op, *kernel, draft.entry.front().first, where});
      if (result.build != Kind::pass) break;
      if (result.passed < result.cases) continue;
      out_ << fmt::format("  launch       writes all of its outputs and nothing else in {} cases\n",
                          result.cases);
      KernelDraft kept = draft;
      const auto dropped = drop_unbuilt(kept, op, source_.file, where);
      if (!dropped.empty()) out_ << "  not built    as " << join(dropped, ", ") << "\n";
      return kept;
    }
    out_ << "  launch       none that was run writes exactly its outputs: check grid and block\n";
    return drafts.front();
  }

  const SourceReading& source_;
  const InitOptions& options_;
  std::ostream& out_;
  std::vector<fs::path> written_;
};

}  // namespace

Result<std::vector<NewFile>> known_files(const Recognition& found, const SourceReading& source,
                                         const std::string& name, const std::string& comment,
                                         const InitOptions& options) {
  KernelPlace place{found.op->folder, name};
  std::vector<NewFile> files;
  if (find_op(options.own, found.op->name) != found.op) {
    if (!options.copy) {
      const fs::path folder = fs::absolute(source.file).parent_path();
      return std::vector<NewFile>{{folder / (name + ".toml"), to_toml(found.draft, {comment})}};
    }
    auto brought = bundled_files(*found.op, options.own.config);
    if (!brought) return brought.failure();
    files = std::move(*brought);
    place.op_folder = files.front().path.parent_path();
  }
  const auto kernel = kernel_files_of(found.draft, source, place, {comment});
  if (!kernel) return kernel.failure();
  files.insert(files.end(), kernel->begin(), kernel->end());
  return files;
}

RecogniseOptions candidates_of(const InitOptions& options) {
  RecogniseOptions recognising;
  for (const Catalogue* catalogue : {&options.own, &options.bundled}) {
    for (const OpSchema& op : catalogue->ops) {
      const bool known = std::any_of(recognising.ops.begin(), recognising.ops.end(),
                                     [&](const OpSchema* one) { return one->name == op.name; });
      if (!known && (options.op.empty() || options.op == op.name)) recognising.ops.push_back(&op);
    }
  }
  recognising.forced = !options.op.empty();
  return recognising;
}

Result<Done> put_files(const std::vector<NewFile>& files, const InitOptions& options,
                       std::ostream& out) {
  for (const NewFile& file : files) {
    if (options.print) out << fmt::format("--- {}\n{}", file.path.string(), file.text);
  }
  if (options.print) return Done{};
  const Result<Done> done = write_new(files);
  if (!done) return done;
  for (const NewFile& file : files) {
    out << "  wrote        " << shown_path(file.path).string() << "\n";
  }
  return Done{};
}

Result<std::vector<fs::path>> init_source(const fs::path& source, const InitOptions& options,
                                          std::ostream& out) {
  const Result<std::string> text = read_file(source);
  if (!text) return text.failure();
  const Result<SourceReading> reading = read_source(*text, source);
  if (!reading) return reading.failure();
  if (is_problem(*reading)) return import_problem(*reading, options, out);
  return Initialising(*reading, options, out).run();
}

}  // namespace gate
