// gate study: measures the oracle on the corpus, part by part, and writes what it found. Parts
// already written below --out are kept, so that a long study can be taken in pieces.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
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
  std::string device = "auto", parts, out = "build/study", run_seed;
  std::optional<std::int64_t> cases, suite_cases, seeds, jobs;
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
  parser.flag("--all", flags.all);
  parser.flag("--list", flags.list);
  const Result<Done> parsed = parser.parse(arguments);
  if (!parsed) return parsed.failure();
  for (const auto& number : {flags.cases, flags.suite_cases, flags.seeds, flags.jobs}) {
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

Result<StudyOptions> options_of(const StudyFlags& flags, const Catalogue& catalogue,
                                const Invocation& invocation) {
  StudyOptions options;
  Result<std::vector<StudyKernel>> kernels = read_study_corpus(catalogue);
  if (!kernels) return kernels.failure();
  options.kernels = std::move(*kernels);
  const Result<RunSeed> seed =
      choose_run_seed(flags.run_seed.empty() ? "57d1" : flags.run_seed, catalogue.config.root);
  if (!seed) return seed.failure();
  options.run_seed = seed->value;
  options.revision = seed->revision;
  options.device = resolve_device(flags.device);
  options.cases = flags.cases.value_or(options.cases);
  options.suite_cases = flags.suite_cases.value_or(options.suite_cases);
  options.seeds = flags.seeds.value_or(options.seeds);
  const auto cores = static_cast<std::int64_t>(std::thread::hardware_concurrency());
  options.jobs = static_cast<int>(flags.jobs.value_or(std::max<std::int64_t>(1, cores)));
  options.profile = catalogue.config.profiles.at("pr");
  options.progress = [&invocation](const std::string& line) { invocation.err << line << "\n"; };
  return options;
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
  const Result<StudyOptions> options = options_of(*flags, *catalogue, invocation);
  if (!options) return report_failure(options.failure(), invocation.err);
  const StudyFolder folder(flags->out);
  for (const StudyPartRow* part : *parts) {
    invocation.err << "part " << part->name << "\n";
    const Result<Done> written = folder.write_part(part->run(*options), *options);
    if (!written) return report_failure(written.failure(), invocation.err);
  }
  const Result<StudySummary> summary = folder.write_whole();
  if (!summary) return report_failure(summary.failure(), invocation.err);
  invocation.out << summary->text;
  if (summary->control_red > 0) return exit_red;
  return summary->control_grey > 0 ? exit_inconclusive : 0;
}

}  // namespace gate
