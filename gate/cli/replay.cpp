// gate replay: one finding again, from its seed file, a token, or a saved comment.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iostream>
#include <iterator>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/replay_seed.h"
#include "gate/cli/terminal.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/explain/source.h"
#include "gate/report/token.h"

namespace gate {
namespace {

constexpr int exit_reproduces = 1, exit_passes = 0, exit_environment = 3, exit_unchecked = 4;
constexpr std::uint64_t comment_bytes_max = 16u << 20;

struct ReplayFlags {
  std::string what, root, device;
};

Result<ReplayFlags> parse_flags(const std::vector<std::string>& arguments) {
  ReplayFlags flags;
  std::vector<std::string> what;
  Arguments parser;
  parser.positional("FILE|TOKEN", what);
  parser.option("--root", flags.root);
  parser.option("--device", flags.device);
  const Result<Done> parsed = parser.parse(arguments);
  if (!parsed) return parsed.failure();
  if (what.size() != 1) return user_failure("replay takes one seed file or token");
  flags.what = what.front();
  return flags;
}

Result<Seed> read_seed(const std::string& what) {
  if (what.starts_with("ig1:")) return parse_token(what);
  if (what == "-") {
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    return find_seed(text, "standard input");
  }
  const Result<std::string> text = read_file(what, comment_bytes_max);
  return text ? find_seed(*text, what) : text.failure();
}

/// Where to look for ops and kernels: the root above the file, else above the current folder.
std::filesystem::path root_of(const ReplayFlags& flags) {
  if (!flags.root.empty()) return flags.root;
  std::error_code error;
  const bool is_file = std::filesystem::is_regular_file(flags.what, error);
  if (!is_file) return ".";
  const std::filesystem::path file = std::filesystem::absolute(flags.what, error);
  const Result<Config> config = load_config(file.parent_path(), known_names());
  const bool below_root = config && !config->file.empty();
  return below_root ? config->root : std::filesystem::path(".");
}

/// Everything a replay needs; the target points into the catalogue.
struct Subject {
  Catalogue catalogue;
  Target target;
};

Result<Done> find_subject(const Seed& seed, const ReplayFlags& flags, Subject& subject) {
  Result<Catalogue> catalogue = open_catalogue({root_of(flags)}, false);
  if (!catalogue) return catalogue.failure();
  subject.catalogue = std::move(*catalogue);
  const std::string& op_name = seed.test_case.op;
  const std::string& column = seed.test_case.column;
  const OpSchema* op = find_op(subject.catalogue, op_name);
  if (op == nullptr) {
    return user_failure("there is no op " + op_name + " here", "--root PATH says where to look");
  }
  for (const KernelSpec& kernel : subject.catalogue.kernels) {
    if (kernel.op != op_name || kernel.name != seed.kernel) continue;
    if (kernel.entry.count(column) == 0) {
      return user_failure("kernel " + op_name + "/" + seed.kernel + " has no column " + column);
    }
    const std::string wanted = flags.device.empty() ? seed.device : flags.device;
    const std::string device = device_of(kernel, resolve_device(wanted.empty() ? "auto" : wanted));
    subject.target = {op, &kernel, column, device, {}};
    const auto table = subject.catalogue.tolerances.find(op_name);
    if (table == subject.catalogue.tolerances.end() || table->second.rows.count(column) == 0) {
      return user_failure("there is no tolerance row for " + op_name + " " + column,
                          "gate tolerances init writes default rows");
    }
    subject.target.tolerance = table->second.rows.at(column);
    return Done{};
  }
  return user_failure("there is no kernel " + op_name + "/" + seed.kernel + " here",
                      "--root PATH says where to look");
}

SeedResult run_subject(const Seed& seed, const Subject& subject, std::optional<Explanation>& why) {
  const Target& target = subject.target;
  BuildOutcome build = build_kernel(*target.op, *target.kernel, target.column, target.device);
  if (build.kind != Kind::pass) return replay_unbuilt(seed, build);
  const Profile& profile = subject.catalogue.config.profiles.at("pr");
  SessionOptions session;
  if (const auto caps = profile.caps.find(target.device); caps != profile.caps.end()) {
    session.case_timeout_ms = caps->second.case_timeout_ms;
  }
  Executor executor(target, std::move(build), session, profile);
  SeedResult result = replay_seed(executor, seed);
  if (colour(result.judged.verdict.kind) == Colour::red) {
    const RawFailure failure{result.judged, result.judged, 0, 1, 1, {}};
    why = explain(executor, failure, {}, 0);
  }
  return result;
}

std::string_view outcome_text(SeedResult::End end) {
  switch (end) {
    case SeedResult::End::passes:
      return "PASSES: the finding does not reproduce";
    case SeedResult::End::reproduces:
      return "REPRODUCES";
    case SeedResult::End::fails_otherwise:
      return "REPRODUCES, but fails in another way";
    case SeedResult::End::invalid_case:
      return "CANNOT BE RUN";
    case SeedResult::End::digest_differs:
      return "NOT THE SAME INPUT";
    case SeedResult::End::unchecked:
      return "COULD NOT BE CHECKED";
  }
  return {};
}

void write_field(std::ostream& out, std::string_view field, const std::string& value) {
  if (!value.empty()) out << fmt::format("  {:<9} {}\n", field, clean_text(value, 8192));
}

void write_result(const SeedResult& result, const Subject& subject,
                  const std::optional<Explanation>& why, std::ostream& out) {
  const Verdict& verdict = result.judged.verdict;
  const KernelSpec& kernel = *subject.target.kernel;
  const std::string& column = subject.target.column;
  out << outcome_text(result.end) << "\n";
  write_field(out, "kernel",
              fmt::format("{}/{} {} on {}", kernel.op, kernel.name, column, subject.target.device));
  write_field(out, "where",
              fmt::format("{}:{}", repository_path(kernel.source), entry_line(kernel, column)));
  write_field(out, "case", to_text(result.seed.test_case));
  write_field(
      out, "recorded",
      fmt::format("{} ({}) {}", name(result.seed.kind), result.seed.property, result.seed.pattern));
  write_field(out, "now",
              fmt::format("{} ({}): {}", name(verdict.kind), verdict.property, verdict.text));
  write_field(out, "inputs", verdict.input_digest);
  write_field(out, "outputs", verdict.output_digest);
  if (why) {
    write_field(out, "what", why->sentence);
    write_field(out, "worst", why->worst);
    write_field(out, "pattern", why->pattern);
    if (!why->error_map.empty()) out << why->error_map << "\n";
  }
  write_field(out, "recorded note", result.seed.note);
}

int code_of(const SeedResult& result, std::ostream& err) {
  switch (result.end) {
    case SeedResult::End::passes:
      return exit_passes;
    case SeedResult::End::reproduces:
    case SeedResult::End::fails_otherwise:
      return exit_reproduces;
    case SeedResult::End::invalid_case:
      return report_failure(user_failure(result.judged.verdict.text), err);
    case SeedResult::End::digest_differs:
      return exit_unchecked;
    case SeedResult::End::unchecked:
      break;
  }
  return result.judged.verdict.kind == Kind::environment ? exit_environment : exit_unchecked;
}

}  // namespace

int replay_verb(const Invocation& invocation) {
  const Result<ReplayFlags> flags = parse_flags(invocation.arguments);
  if (!flags) return report_failure(flags.failure(), invocation.err);
  const Result<Seed> seed = read_seed(flags->what);
  if (!seed) return report_failure(seed.failure(), invocation.err);
  Subject subject;
  const Result<Done> found = find_subject(*seed, *flags, subject);
  if (!found) return report_failure(found.failure(), invocation.err);
  const std::string& device = subject.target.device;
  if (const auto problem = device_problem(device)) {
    return report_failure(machine_failure("device " + device + ": " + *problem), invocation.err);
  }
  if (const auto reason = not_selected_reason(*subject.target.kernel, device)) {
    return report_failure(machine_failure("device " + device + ": " + *reason), invocation.err);
  }
  std::optional<Explanation> why;
  const SeedResult result = run_subject(*seed, subject, why);
  write_result(result, subject, why, invocation.out);
  return code_of(result, invocation.err);
}

}  // namespace gate
