// The flags of `gate run`: see the header and help/run.txt.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/run_options.h"

#include <algorithm>
#include <thread>

#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/spec/words.h"

namespace gate {
namespace {

constexpr std::int64_t jobs_max = 1024;
constexpr std::int64_t devices_max = 64;

struct RawFlags {
  std::vector<std::string> paths;
  std::optional<std::int64_t> jobs;
  std::string devices, require, columns;
};

std::optional<Problem> one_of(const std::string& flag, const std::string& value,
                              const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), value) != allowed.end()) return std::nullopt;
  const auto close = nearest(value, allowed);
  return Problem{{},
                 flag + " is not known: " + clean_text(value, 100),
                 close ? "did you mean " + *close + "?" : "one of: " + join(allowed, " ")};
}

std::optional<Problem> read_devices(const std::string& text, std::vector<int>& devices) {
  if (text.empty()) return std::nullopt;
  for (const std::string& part : split(text, ',')) {
    const auto number = parse_integer(part);
    if (!number || *number < 0 || *number >= devices_max) {
      return Problem{{}, "--devices is not a list of GPU numbers: " + text, "e.g. --devices 0,1"};
    }
    devices.push_back(static_cast<int>(*number));
  }
  return std::nullopt;
}

void add_candidate_flags(Arguments& flags, RawFlags& raw, CandidateOptions& candidate) {
  flags.flag("--stdin", candidate.wanted);
  flags.option("--op", candidate.op);
  flags.option("--column", raw.columns);
  flags.option("--entry", candidate.entry);
  flags.option("--launch", candidate.launch);
  flags.option("--author", candidate.author);
  flags.option("--keep", candidate.keep);
}

/// The flags that only make sense together with --stdin, and what it needs.
std::optional<Problem> check_candidate(const RawFlags& raw, CandidateOptions& candidate) {
  const bool said = !candidate.op.empty() || !raw.columns.empty() || !candidate.entry.empty() ||
                    !candidate.launch.empty() || !candidate.author.empty() ||
                    !candidate.keep.empty();
  if (!candidate.wanted) {
    if (!said) return std::nullopt;
    return Problem{{}, "--op, --column, --entry, --launch, --author and --keep need --stdin", {}};
  }
  if (candidate.op.empty()) return Problem{{}, "--stdin needs --op OP", {}};
  for (const std::string& column : split(raw.columns, ',')) {
    if (!trim(column).empty()) candidate.columns.emplace_back(trim(column));
  }
  return std::nullopt;
}

std::vector<Problem> check_values(const RawFlags& raw, RunOptions& options) {
  std::vector<Problem> problems;
  const auto add = [&](const std::optional<Problem>& problem) {
    if (problem) problems.push_back(*problem);
  };
  add(one_of("--device", options.device, {"auto", "cuda", "emu", "host", "python"}));
  add(one_of("--profile", options.profile, {"pr", "nightly"}));
  add(one_of("--require", raw.require.empty() ? "all" : raw.require, {"all"}));
  add(one_of("--sanitizer", options.sanitizer, {"auto", "on", "off"}));
  add(one_of("--colour", options.colour, {"auto", "always", "never"}));
  add(read_devices(raw.devices, options.devices));
  add(check_candidate(raw, options.candidate));
  if (options.cases && *options.cases < 1) {
    problems.push_back({{}, "--cases must be at least 1", "leave it out for the whole plan"});
  }
  if (options.cases && !options.one_case.empty()) {
    problems.push_back({{}, "--cases and --case exclude each other", {}});
  }
  if (options.time_limit_s && !(*options.time_limit_s >= 0)) {
    problems.push_back({{}, "--time-limit must be a number of seconds", {}});
  }
  if (options.allow_policy_change && options.policy_from.empty()) {
    problems.push_back({{}, "--allow-policy-change needs --policy-from", {}});
  }
  if (!options.today.empty() && !is_date(options.today)) {
    problems.push_back({{},
                        "--today is not a date: " + clean_text(options.today, 100),
                        "YYYY-MM-DD, e.g. 2026-01-31"});
  }
  if (raw.jobs && (*raw.jobs < 1 || *raw.jobs > jobs_max)) {
    problems.push_back({{}, "--jobs must be between 1 and 1024", {}});
  }
  return problems;
}

}  // namespace

Result<RunOptions> parse_run_options(const std::vector<std::string>& arguments) {
  RunOptions options;
  RawFlags raw;
  Arguments flags;
  flags.positional("PATH", raw.paths);
  flags.option("--device", options.device);
  flags.option("--profile", options.profile);
  flags.option("--corpus", options.corpus);
  flags.option("--run-seed", options.run_seed);
  flags.option("--cases", options.cases);
  flags.option("--case", options.one_case);
  flags.flag("--ignore-expect", options.ignore_expect);
  flags.option("--require", raw.require);
  flags.option("--json", options.json);
  flags.option("--junit", options.junit);
  flags.option("--jsonl", options.jsonl);
  flags.option("--html", options.html);
  flags.option("--seeds-out", options.seeds_out);
  flags.option("--journals", options.journals);
  flags.option("--shard", options.shard);
  flags.option("--time-limit", options.time_limit_s);
  flags.option("--gtest_filter", options.filter);
  flags.flag("--gtest_list_tests", options.list_tests);
  flags.option("--policy-from", options.policy_from);
  flags.flag("--allow-policy-change", options.allow_policy_change);
  flags.option("--today", options.today);
  flags.option("--devices", raw.devices);
  add_candidate_flags(flags, raw, options.candidate);
  flags.option("--jobs", raw.jobs);
  flags.option("--colour", options.colour);
  flags.option("--sanitizer", options.sanitizer);
  const Result<Done> parsed = flags.parse(arguments);
  if (!parsed) return parsed.failure();
  std::vector<Problem> problems = check_values(raw, options);
  if (!problems.empty()) return Failure{Fault::user, std::move(problems)};
  options.require_all = raw.require == "all";
  if (raw.paths.empty()) raw.paths.emplace_back(".");
  options.paths.assign(raw.paths.begin(), raw.paths.end());
  const auto cores = static_cast<std::int64_t>(std::max(1u, std::thread::hardware_concurrency()));
  options.jobs = static_cast<int>(raw.jobs.value_or(cores));
  return options;
}

}  // namespace gate
