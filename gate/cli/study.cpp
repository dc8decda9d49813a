// gate study: measures the oracle on the corpus, part by part, and writes what it found. Parts
// already written below --out are kept, so that a long study can be taken in pieces.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <ostream>
#include <thread>

#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/run_seed.h"
#include "gate/cli/study_files.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"

namespace gate {
namespace {

constexpr int exit_red = 1, exit_inconclusive = 4;

struct StudyFlags {
  std::vector<std::string> paths;
  std::string device = "auto", parts, out = "build/study", run_seed, corpus = "paper";
  std::optional<std::int64_t> cases, suite_cases, seeds, jobs, time_limit_s;
  bool all = false, list = false;
};

Result<StudyFlags> parse_flags(const std::vector<std::string>& arguments) {
  StudyFlags flags;
  Arguments parser;
  parser.positional("PATH", flags.paths);
  parser.option("--device", flags.device);
  parser.option("--part", flags.parts);
  parser.option("--out", flags.out);
  parser.option("--run-seed", flags.run_seed);
  parser.option("--cases", flags.cases);
  parser.option("--suite-cases", flags.suite_cases);
  parser.option("--seeds", flags.seeds);
  parser.option("--jobs", flags.jobs);
  parser.option("--corpus", flags.corpus);
  parser.option("--time-limit", flags.time_limit_s);
  parser.flag("--all", flags.all);
  parser.flag("--list", flags.list);
  const Result<Done> parsed = parser.parse(arguments);
  if (!parsed) return parsed.failure();
  for (const auto& number :
       {flags.cases, flags.suite_cases, flags.seeds, flags.jobs, flags.time_limit_s}) {
    if (number && *number < 1) return user_failure("counts of a study are at least 1");
  }
  if (flags.paths.empty()) flags.paths.emplace_back(".");
  return flags;
}

/// Names of the parts asked for, in the table's order.
Result<std::vector<const StudyPartRow*>> parts_of(const StudyFlags& flags) {
  std::vector<std::string> names, wanted;
  for (const StudyPartRow& part : all_study_parts()) names.emplace_back(part.name);
  if (!flags.parts.empty()) wanted = split(flags.parts, ',');
  for (const std::string& name : wanted) {
    if (std::find(names.begin(), names.end(), name) != names.end()) continue;
    return user_failure("no part of the study: " + clean_text(name, 100),
                        "parts: " + join(names, " "));
  }
  if (wanted.empty() && !flags.all) {
    return user_failure("which part? --part NAME[,NAME…] or --all", "parts: " + join(names, " "));
  }
  std::vector<const StudyPartRow*> parts;
  for (const StudyPartRow& part : all_study_parts()) {
    const bool chosen = std::find(wanted.begin(), wanted.end(), part.name) != wanted.end();
    if (chosen || wanted.empty()) parts.push_back(&part);
  }
  return parts;
}

Result<StudyOptions> options_of(const StudyFlags& flags, const Catalogue& catalogue) {
  StudyOptions options;
  Result<std::vector<StudyKernel>> kernels = read_study_corpus(catalogue);
  if (!kernels) return kernels.failure();
  options.kernels = std::move(*kernels);
  const Result<RunSeed> seed =
      choose_run_seed(flags.run_seed.empty() ? "57d1" : flags.run_seed, catalogue.config.root);
  if (!seed) return seed.failure();
  options.run_seed = seed->value;
  options.revision = seed->revision;
  if (const char* commit = std::getenv("GATE_COMMIT"); commit != nullptr) {
    options.revision = commit;
  }
  options.device = resolve_device(flags.device);
  options.cases = flags.cases.value_or(options.cases);
  options.suite_cases = flags.suite_cases.value_or(options.suite_cases);
  options.seeds = flags.seeds.value_or(options.seeds);
  options.profile = catalogue.config.profiles.at("pr");
  options.bugs = read_plan_bugs(catalogue, flags.corpus);
  return options;
}

/// Units measured by an earlier call hold as long as nothing has changed that they depend on.
UnitOptions units_of(const StudyFlags& flags, const StudyOptions& options,
                     const Invocation& invocation) {
  UnitOptions units;
  const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  units.jobs = static_cast<int>(flags.jobs.value_or(std::max<std::int64_t>(1, cores)));
  units.kept = UnitStore(std::filesystem::path(flags.out) / "units" / study_state(options));
  units.progress = [&invocation](const std::string& line) { invocation.err << line << "\n"; };
  if (flags.time_limit_s) {
    units.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(*flags.time_limit_s);
  }
  return units;
}

int list_parts(std::ostream& out) {
  for (const StudyPartRow& part : all_study_parts()) {
    out << fmt::format("{:<14} {}\n", part.name, part.text);
  }
  return 0;
}

}  // namespace

int study_verb(const Invocation& invocation) {
  const Result<StudyFlags> flags = parse_flags(invocation.arguments);
  if (!flags) return report_failure(flags.failure(), invocation.err);
  if (flags->list) return list_parts(invocation.out);
  const auto parts = parts_of(*flags);
  if (!parts) return report_failure(parts.failure(), invocation.err);
  const Result<Catalogue> catalogue =
      open_catalogue({flags->paths.begin(), flags->paths.end()}, true);
  if (!catalogue) return report_failure(catalogue.failure(), invocation.err);
  Result<StudyOptions> options = options_of(*flags, *catalogue);
  if (!options) return report_failure(options.failure(), invocation.err);
  options->units = units_of(*flags, *options, invocation);
  const StudyFolder folder(flags->out);
  std::size_t missing = 0;
  for (const StudyPartRow* row : *parts) {
    invocation.err << "part " << row->name << "\n";
    const StudyPart part = row->run(*options);
    missing += part.missing;
    if (part.missing > 0) {
      invocation.err << fmt::format("part {}: {} units are left\n", row->name, part.missing);
      continue;
    }
    const Result<Done> written = folder.write_part(part, *options);
    if (!written) return report_failure(written.failure(), invocation.err);
  }
  const Result<StudySummary> summary = folder.write_whole();
  if (!summary) return report_failure(summary.failure(), invocation.err);
  invocation.out << summary->text;
  if (missing > 0) {
    invocation.out << fmt::format("{} units are left: the same command goes on from here\n",
                                  missing);
    return exit_inconclusive;
  }
  if (summary->control_red > 0) return exit_red;
  return summary->control_grey > 0 ? exit_inconclusive : 0;
}

}  // namespace gate
