// gate merge: the reports of shards as one, with the exit code of the whole.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ostream>
#include <set>
#include <tuple>

#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/report_files.h"
#include "gate/cli/terminal.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/report/fail_on.h"
#include "gate/report/report.h"

namespace gate {
namespace {

constexpr std::int64_t shards_max = 10'000;

struct MergeFlags {
  std::vector<std::string> files;
  std::optional<std::int64_t> expect_shards;
  std::vector<std::string> expect_classes, classes_not_run;
  std::string gpu_class, json, junit, outputs, colour = "auto";
  FailRule rule;
};

/// "h200,l4": names of classes of GPU.
Result<std::vector<std::string>> class_names(const std::string& flag, const std::string& text) {
  std::vector<std::string> names;
  for (const std::string& part : split(text, ',')) {
    const std::string name(trim(part));
    const bool plain =
        !name.empty() && name.size() <= 64 && std::isalnum(static_cast<unsigned char>(name[0])) &&
        std::all_of(name.begin(), name.end(), [](unsigned char letter) {
          return std::isalnum(letter) != 0 || letter == '-' || letter == '.' || letter == '_';
        });
    if (!plain) return user_failure(flag + ": not a name of a class: " + clean_text(name, 80));
    names.push_back(name);
  }
  return names;
}

Result<FailRule> fail_rule(const std::string& on, const std::string& flaky) {
  FailRule rule;
  if (on == "any") {
    rule.on = FailOn::any;
  } else if (on == "never") {
    rule.on = FailOn::never;
  } else if (on != "new") {
    return user_failure("--fail-on is not one of: new any never");
  }
  if (flaky != "block" && flaky != "warn") return user_failure("--flaky is block or warn");
  rule.flaky_blocks = flaky == "block";
  return rule;
}

Result<MergeFlags> parse_flags(const std::vector<std::string>& arguments) {
  MergeFlags flags;
  Arguments parser;
  parser.positional("FILE", flags.files);
  parser.option("--expect-shards", flags.expect_shards);
  parser.option("--json", flags.json);
  parser.option("--junit", flags.junit);
  parser.option("--colour", flags.colour);
  parser.option("--gpu-class", flags.gpu_class);
  parser.option("--outputs", flags.outputs);
  std::string expect_classes, not_run, fail_on = "new", flaky = "block";
  parser.option("--expect-classes", expect_classes);
  parser.option("--classes-not-run", not_run);
  parser.option("--fail-on", fail_on);
  parser.option("--flaky", flaky);
  const Result<Done> parsed = parser.parse(arguments);
  if (!parsed) return parsed.failure();
  const Result<FailRule> rule = fail_rule(fail_on, flaky);
  if (!rule) return rule.failure();
  flags.rule = *rule;
  for (const auto& [flag, text, target] :
       {std::tuple{"--gpu-class", &flags.gpu_class,
                   static_cast<std::vector<std::string>*>(nullptr)},
        std::tuple{"--expect-classes", &expect_classes, &flags.expect_classes},
        std::tuple{"--classes-not-run", &not_run, &flags.classes_not_run}}) {
    if (text->empty()) continue;
    const Result<std::vector<std::string>> names = class_names(flag, *text);
    if (!names) return names.failure();
    if (target != nullptr) *target = *names;
  }
  if (flags.files.empty()) return user_failure("merge takes at least one JSON report");
  const std::int64_t shards = flags.expect_shards.value_or(1);
  if (shards < 1 || shards > shards_max) return user_failure("--expect-shards must be 1 to 10000");
  return flags;
}

Result<std::vector<Report>> read_reports(const std::vector<std::string>& files) {
  std::vector<Report> reports;
  std::vector<Problem> problems;
  for (const std::string& file : files) {
    const Result<Report> report = read_report(file);
    if (report) {
      reports.push_back(*report);
      continue;
    }
    const Failure& failure = report.failure();
    problems.insert(problems.end(), failure.problems.begin(), failure.problems.end());
  }
  if (!problems.empty()) return Failure{Fault::user, std::move(problems)};
  return reports;
}

template <class T>
void append_new(std::vector<T>& all, const std::vector<T>& more) {
  for (const T& value : more) {
    if (std::find(all.begin(), all.end(), value) == all.end()) all.push_back(value);
  }
}

/// Reports that do not belong to one run cannot be judged as one.
std::vector<Problem> differences(const std::vector<Report>& reports,
                                 const std::vector<std::string>& files) {
  std::vector<Problem> problems;
  std::set<std::tuple<std::string, std::string, std::string, std::string, std::string>> seen;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Report& report = reports[i];
    const Report& first = reports.front();
    if (report.run_seed != first.run_seed || report.profile != first.profile ||
        report.revision != first.revision || report.ignore_expect != first.ignore_expect) {
      problems.push_back({{files[i], 0, 0},
                          "comes from another run than the first report",
                          "run seed, revision, profile and --ignore-expect have to agree"});
    }
    for (const ReportRow& row : report.rows) {
      if (seen.insert({row.op, row.kernel, row.column, row.device, row.gpu_class}).second) continue;
      problems.push_back({{files[i], 0, 0},
                          "a row is in two reports: " + row.op + "/" + row.kernel + " " +
                              row.column + " on " + row.device +
                              (row.gpu_class.empty() ? "" : " of class " + row.gpu_class),
                          "give each shard's report once"});
    }
  }
  return problems;
}

Report join_reports(const std::vector<Report>& reports) {
  Report whole = reports.front();
  for (std::size_t i = 1; i < reports.size(); ++i) {
    const Report& part = reports[i];
    append_new(whole.not_selected, part.not_selected);
    append_new(whole.left_out, part.left_out);
    append_new(whole.gpu_classes_not_run, part.gpu_classes_not_run);
    append_new(whole.policy_notes, part.policy_notes);
    whole.rows.insert(whole.rows.end(), part.rows.begin(), part.rows.end());
    whole.loosened = whole.loosened || part.loosened;
    whole.require_all = whole.require_all || part.require_all;
    whole.seconds = std::max(whole.seconds, part.seconds);
    if (whole.environment_problem.empty()) whole.environment_problem = part.environment_problem;
  }
  std::stable_sort(whole.rows.begin(), whole.rows.end(),
                   [](const ReportRow& left, const ReportRow& right) {
                     return std::tie(left.op, left.kernel) < std::tie(right.op, right.kernel);
                   });
  return whole;
}

/// Names of the shards that no report carries: of every expected class, else of every class seen.
std::string missing_shards(const std::vector<Report>& reports, const MergeFlags& flags) {
  std::set<std::pair<std::string, std::string>> present;
  std::set<std::string> classes(flags.expect_classes.begin(), flags.expect_classes.end());
  for (const Report& report : reports) {
    present.insert({report.gpu_class, report.shard});
    if (flags.expect_classes.empty()) classes.insert(report.gpu_class);
  }
  const std::int64_t expected = flags.expect_shards.value_or(1);
  std::vector<std::string> missing;
  for (const std::string& gpu : classes) {
    for (std::int64_t i = 0; i < expected; ++i) {
      const std::string shard = std::to_string(i) + "/" + std::to_string(expected);
      const bool whole_run = expected == 1 && present.count({gpu, ""}) > 0;
      if (whole_run || present.count({gpu, shard}) > 0) continue;
      missing.push_back(gpu.empty() ? shard : shard + " of class " + gpu);
    }
  }
  return join(missing, ", ");
}

/// Reports of one runner say which class it is of; those that say nothing get the flag's.
void name_class(std::vector<Report>& reports, const std::string& gpu_class) {
  for (Report& report : reports) {
    if (report.gpu_class.empty()) report.gpu_class = gpu_class;
    for (ReportRow& row : report.rows) {
      if (row.gpu_class.empty()) row.gpu_class = report.gpu_class;
    }
  }
}

/// The reports as one, and what is missing of them as its environment problem.
Report merge_reports(const std::vector<Report>& reports, const MergeFlags& flags) {
  Report whole = join_reports(reports);
  const bool several = std::any_of(reports.begin(), reports.end(), [&](const Report& report) {
    return report.gpu_class != whole.gpu_class;
  });
  if (several) whole.gpu_class.clear();
  append_new(whole.gpu_classes_not_run, flags.classes_not_run);
  if (!flags.expect_shards && flags.expect_classes.empty()) return whole;
  const std::string missing = missing_shards(reports, flags);
  if (missing.empty()) {
    whole.shard.clear();
  } else {
    whole.environment_problem = "missing shards: " + missing;
  }
  return whole;
}

}  // namespace

int merge_verb(const Invocation& invocation) {
  const Result<MergeFlags> flags = parse_flags(invocation.arguments);
  if (!flags) return report_failure(flags.failure(), invocation.err);
  Result<std::vector<Report>> reports = read_reports(flags->files);
  if (!reports) return report_failure(reports.failure(), invocation.err);
  name_class(*reports, flags->gpu_class);
  std::vector<Problem> problems = differences(*reports, flags->files);
  if (!problems.empty()) {
    return report_failure(Failure{Fault::user, std::move(problems)}, invocation.err);
  }
  const Report whole = merge_reports(*reports, *flags);
  for (const auto& [flag, file, text] :
       {std::tuple{"--json", flags->json, to_json(whole)},
        std::tuple{"--junit", flags->junit, to_junit(whole)},
        std::tuple{"--outputs", flags->outputs, to_outputs(whole)}}) {
    if (file.empty()) continue;
    const Result<Done> written = write_output(flag, file, text);
    if (!written) return report_failure(written.failure(), invocation.err);
  }
  const bool colour = wants_colour(flags->colour, invocation.out_is_terminal);
  invocation.out << to_console_summary(whole, colour) << std::flush;
  return judged_exit_code(whole, flags->rule);
}

}  // namespace gate
