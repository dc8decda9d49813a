// gate replay: one finding again, from its seed file, a token, or a saved comment.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <iterator>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/replay_console.h"
#include "gate/cli/replay_files.h"
#include "gate/cli/terminal.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/report/token.h"

namespace gate {
namespace {

constexpr int exit_reproduces = 1, exit_passes = 0, exit_environment = 3, exit_unchecked = 4;
constexpr std::uint64_t comment_bytes_max = 16u << 20;

struct ReplayFlags {
  std::string what, root, device, write;
  bool gtest = false, pytest = false;
  bool needs_material() const { return gtest || pytest || !write.empty(); }
};

Result<ReplayFlags> parse_flags(const std::vector<std::string>& arguments) {
  ReplayFlags flags;
  std::vector<std::string> what;
  Arguments parser;
  parser.positional("FILE|TOKEN", what);
  parser.option("--root", flags.root);
  parser.option("--device", flags.device);
  parser.option("--write", flags.write);
  parser.flag("--gtest", flags.gtest);
  parser.flag("--pytest", flags.pytest);
  const Result<Done> parsed = parser.parse(arguments);
  if (!parsed) return parsed.failure();
  if (what.size() != 1) return user_failure("replay takes one seed file or token");
  if (flags.gtest && flags.pytest) {
    return user_failure("--gtest and --pytest exclude each other", "each prints one test");
  }
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

/// Kinds that are told by elements; of others one more execution shows nothing.
bool shows_elements(Kind kind) {
  return kind == Kind::wrong || kind == Kind::nonfinite || kind == Kind::unwritten;
}

Replay run_subject(const Seed& seed, const Subject& subject, const ReplayFlags& flags) {
  const Target& target = subject.target;
  BuildOutcome build = build_kernel(*target.op, *target.kernel, target.column, target.device);
  if (build.kind != Kind::pass) return {replay_unbuilt(seed, build), {}, {}, {}};
  const Profile& profile = subject.catalogue.config.profiles.at("pr");
  SessionOptions session;
  if (const auto caps = profile.caps.find(target.device); caps != profile.caps.end()) {
    session.case_timeout_ms = caps->second.case_timeout_ms;
  }
  Executor executor(target, std::move(build), session, profile);
  Replay replay;
  replay.result = replay_seed(executor, seed);
  const Kind kind = replay.result.judged.verdict.kind;
  if (colour(kind) == Colour::red) {
    const RawFailure failure{replay.result.judged, replay.result.judged, 0, 1, 1, {}};
    replay.why = explain(executor, failure, {}, 0);
  }
  const bool ran = replay.result.end != SeedResult::End::invalid_case &&
                   replay.result.end != SeedResult::End::digest_differs;
  if (!ran || !(flags.needs_material() || shows_elements(kind))) return replay;
  Result<Material> material = material_of(executor, seed.test_case);
  if (material) {
    replay.material = std::move(*material);
  } else {
    replay.no_material = material.failure();
  }
  return replay;
}

/// What --write, --gtest and --pytest ask for.
Result<Done> write_files(const ReplayFlags& flags, const Subject& subject, const Replay& replay,
                         std::ostream& out) {
  if (!flags.needs_material()) return Done{};
  if (!replay.material) {
    if (replay.no_material) return *replay.no_material;
    return user_failure("nothing can be written: the case was not run");
  }
  const Seed& seed = replay.result.seed;
  if (!flags.write.empty()) {
    const Result<Done> written = write_tensors(flags.write, seed, *replay.material);
    if (!written) return written;
  }
  const RegressionInput input{seed, subject.target, *replay.material, replay.result.judged.verdict};
  if (!flags.gtest && !flags.pytest) return Done{};
  const Result<std::string> text = flags.gtest ? to_gtest(input) : to_pytest(input);
  if (!text) return text.failure();
  out << *text << std::flush;
  return Done{};
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
  const Replay replay = run_subject(*seed, subject, *flags);
  // A test goes to standard output alone, so that it can be piped into a file.
  std::ostream& told = flags->gtest || flags->pytest ? invocation.err : invocation.out;
  write_replay(replay, subject, told);
  const Result<Done> written = write_files(*flags, subject, replay, invocation.out);
  if (!written) return report_failure(written.failure(), invocation.err);
  return code_of(replay.result, invocation.err);
}

}  // namespace gate
