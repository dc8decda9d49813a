// A kernel from standard input: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/candidate.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>

#include "gate/base/text.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/guess_launch.h"
#include "gate/cli/run_options.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t source_bytes_max = 16u << 20;
constexpr std::string_view candidate_name = "candidate";

/// Everything but the kernel, as the repository has it.
Result<Done> copy_op(const OpSchema& op, const Catalogue& catalogue, const fs::path& root) {
  std::error_code error;
  const fs::path folder = root / "testcases" / op.name;
  fs::create_directories(folder / "kernels", error);
  for (const fs::directory_entry& entry : fs::directory_iterator(op.folder, error)) {
    if (!entry.is_regular_file(error)) continue;
    fs::copy_file(entry.path(), folder / entry.path().filename(),
                  fs::copy_options::overwrite_existing, error);
    if (error) return machine_failure("cannot copy " + entry.path().string());
  }
  const fs::path from = catalogue.config.root / catalogue.config.tolerances;
  fs::create_directories(root / "tolerances", error);
  fs::copy_file(from / (op.name + ".toml"), root / "tolerances" / (op.name + ".toml"),
                fs::copy_options::overwrite_existing, error);
  if (error) {
    return user_failure("there are no tolerances of op " + op.name,
                        "gate tolerances init writes default rows");
  }
  const fs::path config = catalogue.config.file;
  const Result<std::string> profiles = config.empty() ? Result<std::string>("") : read_file(config);
  if (!profiles) return profiles.failure();
  // Only what the file says of plans and caps holds for the candidate; paths are ours.
  const std::size_t begin = profiles->find("\n[profiles");
  const std::string kept = begin == std::string::npos ? "" : profiles->substr(begin + 1);
  return write_file(root / "gate.toml", kept);
}

std::string extension_of(const RunOptions& options, const std::string& source) {
  if (options.device == "cuda" || options.device == "emu") return ".cu";
  if (options.device == "host") return ".cpp";
  if (options.device == "python") return ".py";
  return source_extension(source);
}

Result<Signature> choose_entry(const CandidateOptions& wanted, const std::string& source,
                               const std::string& extension) {
  const std::vector<Signature> found = entry_candidates(source, extension);
  std::vector<std::string> names;
  for (const Signature& each : found) names.push_back(each.name);
  if (!wanted.entry.empty()) {
    const std::string base = wanted.entry.substr(0, wanted.entry.find('<'));
    for (const Signature& each : found) {
      if (each.name != base) continue;
      Signature chosen = each;
      chosen.name = wanted.entry;
      chosen.is_template = each.is_template && base == wanted.entry;
      return chosen;
    }
    if (!wanted.launch.empty()) return Signature{wanted.entry, {}, false, false};
    return user_failure("--entry: the source has no function " + clean_text(wanted.entry, 200),
                        names.empty() ? "" : "it has: " + join(names, " "));
  }
  // A launcher knows how its kernels are to be called; without one, a kernel has to be launched.
  std::vector<Signature> launchers;
  std::copy_if(found.begin(), found.end(), std::back_inserter(launchers),
               [](const Signature& each) { return !each.is_kernel; });
  if (launchers.size() == 1) return launchers.front();
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return user_failure("the source has no extern \"C\", __global__ or Python function",
                        "--entry NAME says which to call");
  }
  return user_failure("the source has several functions: " + clean_text(join(names, " "), 500),
                      "--entry NAME says which to call");
}

/// One thread an element for ops with one axis; anything else has to be said.
Result<std::string> guess_grid(const Signature& entry, const OpSchema& op) {
  if (!entry.is_kernel) return std::string();
  if (op.axes.size() != 1) {
    return user_failure(entry.name + " is a __global__ function: its grid cannot be guessed",
                        "--launch 'grid = [\"rows\"]; block = [\"256\"]' says it, or give an "
                        "extern \"C\" launcher");
  }
  return fmt::format("grid = [\"ceil_div({}, 256)\"]\nblock = [\"256\"]\n", op.axes.front().name);
}

Result<std::string> launch_text(const CandidateOptions& wanted, const Signature& entry,
                                const OpSchema& op, std::vector<std::string>& guessed) {
  std::string given = wanted.launch;
  std::replace(given.begin(), given.end(), ';', '\n');
  const std::string padded = "\n" + given;
  std::string text;
  if (padded.find("\nargs") == std::string::npos) {
    const Result<std::vector<std::string>> arguments = guess_arguments(entry, op);
    if (!arguments) return arguments.failure();
    text = "args = [\"" + join(*arguments, "\", \"") + "\"]\n";
    guessed.push_back("args of " + entry.name + ": " + join(*arguments, ", "));
  }
  if (padded.find("grid") == std::string::npos) {
    const Result<std::string> grid = guess_grid(entry, op);
    if (!grid) return grid;
    if (!grid->empty()) guessed.push_back("one thread an element, 256 a block");
    text += *grid;
  }
  return text + given + "\n";
}

Result<std::string> kernel_text(const RunOptions& options, const std::string& source,
                                const std::string& extension, Candidate& candidate,
                                const OpSchema& op) {
  const CandidateOptions& wanted = options.candidate;
  const Result<Signature> entry = choose_entry(wanted, source, extension);
  if (!entry) return entry.failure();
  if (wanted.entry.empty()) candidate.guessed.push_back("entry: " + entry->name);
  std::vector<std::string> columns = wanted.columns;
  if (columns.empty()) {
    columns = guess_columns(*entry, op);
    candidate.guessed.push_back("columns: " + join(columns, " "));
  }
  for (const std::string& column : columns) {
    if (op.dtypes.count(column) > 0) continue;
    return user_failure("--column: op " + op.name + " has no column " + clean_text(column, 100),
                        "its columns are " + join(op.columns, " "));
  }
  const Result<std::string> launch = launch_text(wanted, *entry, op, candidate.guessed);
  if (!launch) return launch;
  std::string text =
      fmt::format("[kernel]\nop = \"{}\"\nsource = \"{}{}\"\n", op.name, candidate_name, extension);
  if (!wanted.author.empty()) text += fmt::format("author = \"{}\"\n", wanted.author);
  text += "[entry]\n";
  for (const std::string& column : columns) {
    text += fmt::format("{} = \"{}\"\n", column, entry_of(*entry, op, column));
  }
  return text + "[[launch]]\n" + *launch;
}

}  // namespace

Result<Candidate> make_candidate(const RunOptions& options, const std::string& source) {
  const CandidateOptions& wanted = options.candidate;
  Result<Catalogue> catalogue = open_catalogue(options.paths, false);
  if (!catalogue) return catalogue.failure();
  const OpSchema* op = find_op(*catalogue, wanted.op);
  if (op == nullptr) {
    std::vector<std::string> names;
    for (const OpSchema& each : catalogue->ops) names.push_back(each.name);
    const auto close = nearest(wanted.op, names);
    return user_failure("--op: there is no op " + clean_text(wanted.op, 100) + " below the path",
                        close ? "did you mean " + *close + "?" : "ops here: " + join(names, " "));
  }
  Candidate candidate;
  fs::path root = wanted.keep;
  if (wanted.keep.empty()) {
    Result<TemporaryFolder> folder = TemporaryFolder::create("gate-candidate-");
    if (!folder) return folder.failure();
    root = folder->path();
    candidate.temporary.emplace(std::move(*folder));
  }
  const Result<Done> copied = copy_op(*op, *catalogue, root);
  if (!copied) return copied.failure();
  const std::string extension = extension_of(options, source);
  const Result<std::string> text = kernel_text(options, source, extension, candidate, *op);
  if (!text) return text.failure();
  const fs::path folder = root / "testcases" / op->name / "kernels";
  candidate.kernel = folder / (std::string(candidate_name) + ".toml");
  candidate.source = folder / (std::string(candidate_name) + extension);
  for (const auto& [file, content] :
       {std::pair{candidate.kernel, *text}, std::pair{candidate.source, source}}) {
    const Result<Done> written = write_file(file, content);
    if (!written) return written.failure();
  }
  return candidate;
}

Result<Candidate> read_candidate(const RunOptions& options) {
  std::string source{std::istreambuf_iterator<char>(std::cin), {}};
  if (source.empty()) return user_failure("--stdin: standard input is empty");
  if (source.size() > source_bytes_max) return user_failure("--stdin: the source is too large");
  return make_candidate(options, source);
}

void name_candidate(const Candidate& candidate, Report& report) {
  const std::string shown = "stdin" + candidate.source.extension().string();
  for (ReportRow& row : report.rows) {
    for (Finding& finding : row.findings) finding.source_file = shown;
    for (TestRow& test : row.tests) test.file = shown;
  }
}

}  // namespace gate
