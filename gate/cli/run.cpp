// gate run: from flags to a report and an exit code.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <ostream>
#include <set>
#include <thread>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/cli/candidate.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/interrupt.h"
#include "gate/cli/live_report.h"
#include "gate/cli/policy_run.h"
#include "gate/cli/report_files.h"
#include "gate/cli/run_seed.h"
#include "gate/cli/run_selection.h"
#include "gate/cli/terminal.h"
#include "gate/cli/test_program.h"
#include "gate/cli/today.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/report/html.h"
#include "gate/report/jsonl.h"
#include "gate/worker/worker_stock.h"

namespace gate {
namespace {

constexpr int exit_environment = 3;

using Clock = std::chrono::steady_clock;

/// What flags and files said, before anything runs.
struct Run {
  Clock::time_point begin = Clock::now();
  RunOptions options;
  Catalogue catalogue;
  std::unique_ptr<PolicyRun> policy;  // --policy-from
  Shard shard;
  RunSeed seed;
  Report head;
  std::filesystem::path junit, json;
  std::optional<TemporaryFolder> folder;  // journals of begun cases, caches of compilers
  SessionOptions session;                 // what the workers of all targets share
  std::unique_ptr<std::ofstream> event_file;
  std::ostream* events = nullptr;      // where --jsonl goes
  std::optional<Candidate> candidate;  // --stdin: lives as long as the run
};

std::filesystem::path output_path(const std::string& flag, const std::string& configured,
                                  const Config& config) {
  if (!flag.empty()) return flag;
  return configured.empty() ? std::filesystem::path() : config.root / configured;
}

/// A base that cannot be read is reported like an absent device: exit 3, with its reports.
Result<Done> open_with_policy(Run& run) {
  const RunOptions& options = run.options;
  Result<PolicyRun> policy = open_policy(
      options.paths,
      {options.policy_from, options.allow_policy_change, resolve_device(options.device)});
  if (!policy) {
    if (policy.failure().fault == Fault::user) return policy.failure();
    run.head.environment_problem = std::string(trim(to_text(policy.failure())));
    Result<Config> config = config_of(options.paths.front(), known_names());
    if (!config) return config.failure();
    run.catalogue.config = std::move(*config);
    return Done{};
  }
  run.policy = std::make_unique<PolicyRun>(std::move(*policy));
  run.catalogue = std::move(run.policy->effective);
  for (const PolicyNote& note : run.policy->notes) {
    run.head.policy_notes.push_back(to_text(note));
  }
  run.head.loosened = has_loosening(run.policy->notes);
  return Done{};
}

Result<Done> open_kernels(Run& run) {
  if (!run.options.policy_from.empty()) return open_with_policy(run);
  Result<Catalogue> catalogue = open_catalogue(run.options.paths, true);
  if (!catalogue) return catalogue.failure();
  run.catalogue = std::move(*catalogue);
  return Done{};
}

/// Events go to a file, or to standard output, which then holds nothing else.
Result<Done> open_events(Run& run, const Invocation& invocation) {
  const std::string& file = run.options.jsonl;
  if (file == "-") run.events = &invocation.out;
  if (file.empty() || file == "-") return Done{};
  run.event_file = std::make_unique<std::ofstream>(file, std::ios::binary | std::ios::trunc);
  if (!*run.event_file) return user_failure("--jsonl: the file cannot be written: " + file);
  run.events = run.event_file.get();
  return Done{};
}

/// Where people read: beside the events, never among them.
std::ostream& console_of(const Run& run, const Invocation& invocation) {
  return run.options.jsonl == "-" ? invocation.err : invocation.out;
}

/// Standard input as a kernel, and where events go.
Result<Done> open_streams(Run& run, const Invocation& invocation) {
  if (run.options.candidate.wanted) {
    Result<Candidate> candidate = read_candidate(run.options);
    if (!candidate) return candidate.failure();
    run.candidate.emplace(std::move(*candidate));
    run.options.paths = {run.candidate->kernel};
    for (const std::string& guess : run.candidate->guessed) {
      console_of(run, invocation) << "Guessed " << guess << "\n";
    }
  }
  return open_events(run, invocation);
}

Result<Run> prepare(const Invocation& invocation) {
  Run run;
  Result<RunOptions> options = parse_run_options(invocation.arguments);
  if (!options) return options.failure();
  run.options = std::move(*options);
  const Result<Done> begun = open_streams(run, invocation);
  if (!begun) return begun.failure();
  const Result<Shard> shard = choose_shard(run.options.shard, invocation.shard);
  if (!shard) return shard.failure();
  run.shard = *shard;
  const Result<Done> opened = open_kernels(run);
  if (!opened) return opened.failure();
  const Result<RunSeed> seed = choose_run_seed(run.options.run_seed, run.catalogue.config.root);
  if (!seed) return seed.failure();
  run.seed = *seed;
  run.junit = output_path(run.options.junit, run.catalogue.config.junit, run.catalogue.config);
  run.json = output_path(run.options.json, run.catalogue.config.json, run.catalogue.config);
  Report& head = run.head;
  head.version = GATE_VERSION;
  head.started = utc_now("%Y-%m-%dT%H:%M:%SZ");
  head.run_seed = hex64(run.seed.value);
  head.revision = run.seed.revision;
  head.profile = run.options.profile;
  head.device = resolve_device(run.options.device);
  head.shard = to_text(run.shard);
  head.ignore_expect = run.options.ignore_expect;
  head.require_all = run.options.require_all;
  return run;
}

void list_tests(const RunSelection& selection, std::ostream& out) {
  std::string last;
  for (const SelectedTarget& target : selection.targets) {
    if (target.suite != last) out << target.suite << ".\n";
    last = target.suite;
    for (const PlannedTest& test : target.tests) out << "  " << test.name << "\n";
  }
}

CheckOptions check_options(const Run& run, SeedWriter& seeds) {
  CheckOptions options;
  options.session = run.session;
  options.sanitizer = run.options.sanitizer == "on" ||
                      (run.options.sanitizer == "auto" && run.options.profile == "nightly");
  options.profile = run.catalogue.config.profiles.at(run.options.profile);
  options.revision = run.seed.revision;
  options.date = run.options.today.empty() ? utc_today() : run.options.today;
  options.limits.interrupted = &watch_interrupts();
  if (run.options.time_limit_s) {
    const std::chrono::duration<double> limit(*run.options.time_limit_s);
    options.limits.deadline = run.begin + std::chrono::duration_cast<Clock::duration>(limit);
  }
  options.found = [&seeds](Finding& finding) { seeds.write(finding); };
  return options;
}

/// Writes the files, prints the summary, gives the exit code.
int conclude(const Run& run, const Report& report, std::vector<Problem> problems,
             const Invocation& invocation) {
  const auto write = [&](const std::string& flag, const std::filesystem::path& file,
                         const std::string& text) {
    if (file.empty()) return;
    const Result<Done> written = write_output(flag, file, text);
    if (written) return;
    const Failure& failure = written.failure();
    problems.insert(problems.end(), failure.problems.begin(), failure.problems.end());
  };
  write("--junit", run.junit, to_junit(report));
  write("--json", run.json, to_json(report));
  if (!run.options.html.empty()) write("--html", run.options.html, to_html(report));
  const bool colour = wants_colour(run.options.colour, invocation.out_is_terminal);
  console_of(run, invocation) << to_console_summary(report, colour) << std::flush;
  const int code = exit_code(report);
  if (run.events != nullptr) {
    *run.events << end_events(report) << std::flush;
    if (!*run.events) problems.push_back({{}, "--jsonl: writing failed", {}});
  }
  if (problems.empty()) return code;
  invocation.err << to_text(Failure{Fault::machine, std::move(problems)}) << std::flush;
  return code == 1 ? code : exit_environment;
}

int execute(const Run& run, const RunSelection& selection, const Invocation& invocation) {
  SeedWriter seeds(run.options.seeds_out);
  BackgroundOptions options;
  options.jobs = run.options.jobs;
  if (!run.options.devices.empty()) options.devices = run.options.devices;
  if (run.folder) options.journals = run.folder->path();
  if (!run.options.journals.empty()) {
    options.journals = run.options.journals;
    std::error_code error;
    std::filesystem::create_directories(options.journals, error);
    if (error) {
      const std::string text = "--journals: cannot make " + run.options.journals;
      return report_failure(user_failure(text), invocation.err);
    }
  }
  options.first_stock = run.session.stock;
  options.check = check_options(run, seeds);
  Report head = run.head;
  head.not_selected = selection.not_selected;
  head.left_out = selection.left_out;
  LiveReport live(std::move(head), selection.targets, run.junit, run.events);
  Background background(selection.targets, std::move(options));
  run_tests({selection.targets, background, live, console_of(run, invocation), invocation.err,
             wants_colour(run.options.colour, invocation.out_is_terminal),
             invocation.err_is_terminal});
  Report report = live.finish(background);
  if (run.candidate) name_candidate(*run.candidate, report);
  report.seconds = std::chrono::duration<double>(Clock::now() - run.begin).count();
  std::vector<Problem> problems = seeds.problems();
  problems.insert(problems.end(), live.problems().begin(), live.problems().end());
  return conclude(run, report, std::move(problems), invocation);
}

/// A folder of the run, and what takes long on a GPU begun: a first worker, and the builder.
std::jthread begin_session(Run& run) {
  if (Result<TemporaryFolder> made = TemporaryFolder::create("gate-run-")) {
    run.folder = std::move(*made);
    run.session.scratch = run.folder->path() / "scratch";
    std::error_code error;
    std::filesystem::create_directory(run.session.scratch, error);
    if (error) run.session.scratch.clear();
  }
  run.session.stock = std::make_shared<WorkerStock>();
  if (!run.options.devices.empty()) run.session.device_index = run.options.devices.front();
  const std::string device = run.options.device;
  if (device == "auto" || !starts_slowly(device)) return {};
  prepare_worker(device, run.session);
  return std::jthread([device] { prepare_builder(device); });
}

/// A device named by the caller and absent ends the run before it starts: exit 3, with its reports.
std::optional<std::string> named_device_problem(const Run& run) {
  if (run.options.device == "auto") return std::nullopt;
  const auto problem = device_problem(run.options.device, run.session);
  if (!problem) return std::nullopt;
  return "device " + run.options.device + ": " + *problem;
}

}  // namespace

int run_verb(const Invocation& invocation) {
  Result<Run> prepared = prepare(invocation);
  if (!prepared) return report_failure(prepared.failure(), invocation.err);
  Run& run = *prepared;
  if (!invocation.shard.status_file.empty()) std::ofstream(invocation.shard.status_file);
  if (!run.head.environment_problem.empty()) {
    if (run.events != nullptr) *run.events << start_events(run.head, 0);
    return conclude(run, run.head, {}, invocation);
  }
  std::jthread builder;
  if (!run.options.list_tests) builder = begin_session(run);
  SelectionInput wanted{run.catalogue, run.options, run.head.device, run.seed.value, run.shard};
  if (run.policy) {
    wanted.base_kernels = &run.policy->kernels;
    wanted.base_root = run.policy->tree.folder;
    wanted.head_root = run.policy->repository;
  }
  const Result<RunSelection> selection = select_tests(wanted);
  if (!selection) return report_failure(selection.failure(), invocation.err);
  if (run.options.list_tests) {
    list_tests(*selection, invocation.out);
    return selection->targets.empty() ? 4 : 0;
  }
  if (const auto problem = named_device_problem(run)) {
    run.head.environment_problem = *problem;
    if (run.events != nullptr) *run.events << start_events(run.head, 0);
    return conclude(run, run.head, {}, invocation);
  }
  return execute(run, *selection, invocation);
}

}  // namespace gate
