// gate calibrate: measures correct kernels and proposes, writes or checks rows of tolerance tables.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <ctime>
#include <ostream>
#include <thread>

#include "gate/base/files.h"
#include "gate/base/random.h"
#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/calibrate_texts.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/report_files.h"
#include "gate/cli/run_seed.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"

namespace gate {
namespace {

constexpr std::int64_t default_cases = 200;
constexpr std::uint64_t held_out_lane = 0x68656c64;
constexpr std::string_view not_a_control = "faults";  // correct or not, they exist to misbehave

struct CalibrateOptions {
  std::vector<std::string> paths;
  std::string device = "auto", op, run_seed, reason;
  std::int64_t cases = default_cases;
  int jobs = 1;
  bool write = false, check = false;
};

Result<CalibrateOptions> parse(const std::vector<std::string>& arguments) {
  CalibrateOptions options;
  std::optional<std::int64_t> cases, jobs;
  Arguments flags;
  flags.positional("PATH", options.paths);
  flags.option("--device", options.device);
  flags.option("--op", options.op);
  flags.option("--cases", cases);
  flags.option("--run-seed", options.run_seed);
  flags.option("--reason", options.reason);
  flags.option("--jobs", jobs);
  flags.flag("--write", options.write);
  flags.flag("--check", options.check);
  const Result<Done> parsed = flags.parse(arguments);
  if (!parsed) return parsed.failure();
  if (cases.value_or(1) < 1) return user_failure("--cases must be at least 1");
  if (jobs.value_or(1) < 1) return user_failure("--jobs must be at least 1");
  if (options.write && options.check) {
    return user_failure("--write and --check exclude each other");
  }
  if (options.paths.empty()) options.paths.emplace_back(".");
  options.cases = cases.value_or(default_cases);
  const auto cores = static_cast<std::int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  options.jobs = static_cast<int>(jobs.value_or(cores));
  return options;
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[16];
  return {text, std::strftime(text, sizeof text, "%Y-%m-%d", &parts)};
}

/// What is to be measured: a column of an op with its correct kernels.
struct Row {
  const OpSchema* op = nullptr;
  std::string column;
  Tolerance committed;
  std::vector<const KernelSpec*> controls;
};

bool is_control(const KernelSpec& kernel, const std::string& column) {
  if (kernel.corpus == not_a_control || kernel.entry.count(column) == 0) return false;
  const auto expected = kernel.expect.find(column);
  return expected != kernel.expect.end() && expected->second.klass == Class::clean;
}

std::vector<Row> rows_of(const Catalogue& catalogue, const CalibrateOptions& options) {
  std::vector<Row> rows;
  for (const OpSchema& op : catalogue.ops) {
    const auto table = catalogue.tolerances.find(op.name);
    if (table == catalogue.tolerances.end()) continue;
    if (!options.op.empty() && op.name != options.op) continue;
    for (const auto& [column, committed] : table->second.rows) {
      Row row{&op, column, committed, {}};
      for (const KernelSpec& kernel : catalogue.kernels) {
        if (kernel.op == op.name && is_control(kernel, column)) row.controls.push_back(&kernel);
      }
      if (!committed.exact && !row.controls.empty()) rows.push_back(std::move(row));
    }
  }
  return rows;
}

class Measuring {
 public:
  Measuring(const CalibrateOptions& options, const Config& config, std::uint64_t run_seed)
      : options_(options), profile_(config.profiles.at("nightly")), run_seed_(run_seed) {
    profile_.entries = options.cases;
  }

  Calibration measure(const Row& row) const {
    std::vector<ControlSubject> subjects;
    std::vector<ControlRun> failed;
    for (const KernelSpec* kernel : row.controls) {
      const std::string device = device_of(*kernel, options_.device);
      if (not_selected_reason(*kernel, device)) continue;
      Target target{row.op, kernel, row.column, device, row.committed};
      BuildOutcome build = build_kernel(*row.op, *kernel, row.column, device);
      if (build.kind != Kind::pass) {
        ControlRun run;
        run.kernel = kernel->name;
        run.device = device;
        run.problem = fmt::format("{}: {}", name(build.kind), build.text);
        failed.push_back(std::move(run));
        continue;
      }
      std::vector<Entry> plan = plan_of(target, run_seed_);
      std::vector<Entry> held_out = plan_of(target, mix(run_seed_, held_out_lane));
      subjects.push_back(
          {std::move(target), std::move(build), profile_, std::move(plan), std::move(held_out)});
    }
    Calibration result;
    if (!subjects.empty()) result = calibrate(subjects, options_.reason);
    for (const ControlRun& run : failed) result.refusals.push_back(run.kernel + ": " + run.problem);
    std::vector<const KernelSpec*> measured;
    for (const ControlSubject& subject : subjects) measured.push_back(subject.target.kernel);
    const auto few = too_few_controls(measured);
    result.refusals.insert(result.refusals.end(), few.begin(), few.end());
    return result;
  }

 private:
  std::vector<Entry> plan_of(const Target& target, std::uint64_t run_seed) const {
    return make_plan(*target.op, *target.kernel, target.column,
                     {run_seed, target.device, profile_});
  }

  const CalibrateOptions& options_;
  Profile profile_;
  std::uint64_t run_seed_;
};

std::vector<Calibration> measure_all(const std::vector<Row>& rows, const Measuring& measuring,
                                     int jobs) {
  std::vector<Calibration> results(rows.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < rows.size(); i = next++)
      results[i] = measuring.measure(rows[i]);
  };
  std::vector<std::jthread> threads;
  for (int i = 1; i < std::min(jobs, static_cast<int>(rows.size())); ++i) {
    threads.emplace_back(work);
  }
  work();
  return results;
}

Tolerance proposed_row(const Row& row, const Calibration& result, const std::string& reason) {
  Tolerance proposed;
  proposed.c = result.c;
  proposed.origin = "calibrated";
  proposed.largest_ratio = std::ceil(result.largest_ratio * 1e4) / 1e4;
  for (const ControlRun& run : result.controls) {
    proposed.cases += run.cases;
    proposed.kernels.push_back(run.kernel);
    if (std::count(proposed.devices.begin(), proposed.devices.end(), run.device) == 0) {
      proposed.devices.push_back(run.device);
    }
  }
  proposed.date = today();
  proposed.reason = reason.empty() ? row.committed.reason : reason;
  if (proposed.reason.find("not calibrated") != std::string::npos) proposed.reason.clear();
  return proposed;
}

/// The licence line of a file, if it has one: it stays.
std::string licence_of(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text || !text->starts_with("# SPDX-License-Identifier:")) return {};
  return text->substr(0, text->find('\n')) + "\n";
}

Result<Done> write_rows(Catalogue& catalogue, const std::vector<Row>& rows,
                        const std::vector<Calibration>& results, const std::string& reason) {
  std::map<std::string, bool> changed;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (!results[i].refusals.empty()) continue;
    ToleranceTable& table = catalogue.tolerances.at(rows[i].op->name);
    table.rows[rows[i].column] = proposed_row(rows[i], results[i], reason);
    changed[rows[i].op->name] = true;
  }
  for (const auto& [op, yes] : changed) {
    const ToleranceTable& table = catalogue.tolerances.at(op);
    const Result<Done> written =
        write_output("calibrate --write", table.file, licence_of(table.file) + to_toml(table));
    if (!written) return written.failure();
  }
  return Done{};
}

int exit_code_of(const std::vector<Row>& rows, const std::vector<Calibration>& results,
                 bool check) {
  int code = rows.empty() ? 4 : 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (has_red_control(results[i])) return 1;
    if (check && !check_complaints(rows[i].committed, results[i]).empty()) return 1;
    if (!check && !results[i].refusals.empty()) code = 4;
  }
  return code;
}

}  // namespace

int calibrate_verb(const Invocation& invocation) {
  const Result<CalibrateOptions> options = parse(invocation.arguments);
  if (!options) return report_failure(options.failure(), invocation.err);
  CalibrateOptions resolved = *options;
  resolved.device = resolve_device(options->device);
  Result<Catalogue> catalogue =
      open_catalogue({resolved.paths.begin(), resolved.paths.end()}, true);
  if (!catalogue) return report_failure(catalogue.failure(), invocation.err);
  const Result<RunSeed> seed = choose_run_seed(resolved.run_seed, catalogue->config.root);
  if (!seed) return report_failure(seed.failure(), invocation.err);
  const std::vector<Row> rows = rows_of(*catalogue, resolved);
  const Measuring measuring(resolved, catalogue->config, seed->value);
  const std::vector<Calibration> results = measure_all(rows, measuring, resolved.jobs);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string title = fmt::format("{} {}", rows[i].op->name, rows[i].column);
    invocation.out << (resolved.check ? check_text(title, rows[i].committed, results[i])
                                      : proposal_text(title, rows[i].committed, results[i]));
  }
  if (rows.empty()) invocation.err << "No row with a correct kernel below these paths.\n";
  if (resolved.write) {
    const Result<Done> written = write_rows(*catalogue, rows, results, resolved.reason);
    if (!written) return report_failure(written.failure(), invocation.err);
  }
  return exit_code_of(rows, results, resolved.check);
}

}  // namespace gate
