// Checking a launcher in process: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/testing/launcher_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/cases/candidates.h"
#include "gate/cases/plan.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/run_seed.h"
#include "gate/oracle/verdict.h"
#include "gate/reference/expected.h"
#include "gate/report/token.h"

namespace gate {
namespace {

constexpr std::size_t guard_bytes = 4096;
constexpr std::byte guard_byte{0xA5};
constexpr int shrink_executions_max = 400;

/// A tensor's storage between two guards.
struct Guarded {
  explicit Guarded(const Tensor& tensor)
      : bytes(tensor.storage.size() + 2 * guard_bytes, guard_byte), size(tensor.storage.size()) {
    if (size > 0) std::memcpy(data(), tensor.storage.data(), size);
  }
  std::byte* data() { return bytes.data() + guard_bytes; }
  std::size_t damaged() const {
    const auto hurt = [](std::byte one) { return one != guard_byte; };
    const auto begin = bytes.begin(), end = bytes.end();
    return static_cast<std::size_t>(
        std::count_if(begin, begin + guard_bytes, hurt) +
        std::count_if(end - static_cast<std::ptrdiff_t>(guard_bytes), end, hurt));
  }

  std::vector<std::byte> bytes;
  std::size_t size;
};

/// Runs the launcher on the inputs; the outcome holds what it left behind.
Outcome run_launcher(const LauncherCheck& check, Inputs inputs, bool second_poison) {
  Outcome outcome;
  for (Tensor& tensor : inputs.tensors) {
    if (tensor.role != Role::input) poison(tensor, second_poison);
  }
  std::vector<Guarded> memory;
  LauncherCall call;
  call.inputs = &inputs;
  for (const Tensor& tensor : inputs.tensors) memory.emplace_back(tensor);
  for (std::size_t i = 0; i < memory.size(); ++i) {
    const Tensor& tensor = inputs.tensors[i];
    call.first[tensor.name] =
        memory[i].data() + static_cast<std::size_t>(tensor.view.offset) * facts(tensor.dtype).bytes;
  }
  check.launch(call);
  if (!call.failure.empty()) {
    outcome.end = Kind::crash;
    outcome.text = "the launcher: " + call.failure;
  }
  for (std::size_t i = 0; i < memory.size(); ++i) {
    Tensor after = inputs.tensors[i];
    if (const std::size_t bytes = memory[i].damaged(); bytes > 0 && !outcome.red_zone) {
      outcome.red_zone = fmt::format("{}: {} bytes outside of it were written", after.name, bytes);
    }
    after.storage.assign(memory[i].data(), memory[i].data() + memory[i].size);
    if (after.role == Role::input && after.storage != inputs.tensors[i].storage) {
      outcome.modified_inputs.push_back(after.name);
    }
    outcome.after.push_back(std::move(after));
  }
  return outcome;
}

class Checking {
 public:
  Checking(const LauncherCheck& check, OpSchema op, Tolerance tolerance)
      : check_(check), op_(std::move(op)), tolerance_(std::move(tolerance)) {
    kernel_.name = check.name;
    kernel_.op = op_.name;
    kernel_.entry[check.column] = check.name;
  }

  LauncherReport run(const Profile& profile, const RunSeed& seed) {
    PlanOptions options{seed.value, "host", profile};
    options.profile.entries = check_.cases;
    std::vector<Entry> plan = make_plan(op_, kernel_, check_.column, options);
    if (const auto replayed = replayed_case()) plan = {{"replay", *replayed, {}}};
    for (const Entry& entry : plan) {
      const Verdict verdict = execute(entry.test_case);
      if (colour(verdict.kind) == Colour::red) return failed(entry, verdict, seed);
      checked_ += colour(verdict.kind) == Colour::green ? 1 : 0;
    }
    LauncherReport report;
    report.holds = checked_ > 0;
    report.text = fmt::format("{} cases of {}/{}, run seed {}", checked_, op_.name, check_.column,
                              hex64(seed.value));
    if (!report.holds) report.text += ": nothing was checked";
    return report;
  }

 private:
  Verdict execute(const Case& value) {
    const Inputs inputs = make_inputs(value, op_, &kernel_);
    const Expected expected = compute_expected(inputs, op_, check_.column);
    const Judging judging{op_, check_.column, tolerance_, value, expected};
    const Outcome outcome = run_launcher(check_, inputs, false);
    const JudgeInput once{judging, outcome, nullptr};
    if (!needs_second_poison(once)) return judge(once);
    const Outcome second = run_launcher(check_, inputs, true);
    return judge({judging, outcome, &second});
  }

  /// The simplest case that fails in the same way.
  Case shrunk(Case value, Verdict& verdict) {
    int left = shrink_executions_max;
    for (bool simpler = true; simpler && left > 0;) {
      simpler = false;
      for (const ShrinkStage stage :
           {ShrinkStage::attributes, ShrinkStage::axes, ShrinkStage::layouts, ShrinkStage::profiles,
            ShrinkStage::values}) {
        for (const Case& candidate : candidates(value, op_, &kernel_, stage)) {
          if (left-- <= 0) break;
          Verdict tried = execute(candidate);
          if (tried.kind != verdict.kind || tried.property != verdict.property) continue;
          value = candidate;
          verdict = std::move(tried);
          simpler = true;
          break;
        }
      }
    }
    return value;
  }

  LauncherReport failed(const Entry& entry, Verdict verdict, const RunSeed& run_seed) {
    Seed seed;
    seed.kernel = check_.name;
    seed.test_case = shrunk(entry.test_case, verdict);
    seed.kind = verdict.kind;
    seed.property = verdict.property;
    seed.fingerprint =
        fingerprint(op_.name, check_.column, verdict.property, verdict.kind, check_.name);
    seed.device = "host";
    seed.input_digest = verdict.input_digest.empty()
                            ? input_digest(make_inputs(seed.test_case, op_, &kernel_))
                            : verdict.input_digest;
    seed.output_digest = verdict.output_digest;
    std::string worst;
    for (const Comparison& one : verdict.comparisons) {
      if (one.worst < 0 || !worst.empty()) continue;
      worst = fmt::format("\n  worst     element {}: got {}, want {}, limit {}", one.worst,
                          number_text(one.got), number_text(one.want), number_text(one.limit));
    }
    return {false,
            fmt::format("{}/{} {}: {}\n  case      {}{}\n  found     {} cases passed before "
                        "it ({}), run seed {}\n  seed      {}\n  again     GATE_REPLAY=<seed>",
                        op_.name, check_.name, name(verdict.kind), verdict.text,
                        to_text(seed.test_case), worst, checked_, entry.strategy,
                        hex64(run_seed.value), to_token(seed))};
  }

  std::optional<Case> replayed_case() const {
    if (check_.replay.empty()) return std::nullopt;
    const auto seed = parse_token(check_.replay);
    const bool ours = seed && seed->kernel == check_.name && seed->test_case.op == op_.name &&
                      seed->test_case.column == check_.column &&
                      validate(seed->test_case, op_, &kernel_);
    return ours ? std::optional(seed->test_case) : std::nullopt;
  }

  const LauncherCheck& check_;
  OpSchema op_;
  Tolerance tolerance_;
  KernelSpec kernel_;
  std::int64_t checked_ = 0;
};

LauncherReport refused(const Failure& failure) { return {false, to_text(failure)}; }

}  // namespace

LauncherReport check_launcher(const LauncherCheck& check) {
  const std::filesystem::path folder = check.runtime / "testcases" / check.op;
  CatalogueOptions options;
  options.require_tolerances = false;
  options.missing_is_empty = true;
  options.config = default_config(check.runtime);
  const Result<Catalogue> catalogue = open_catalogue({folder}, std::move(options));
  if (!catalogue) return refused(catalogue.failure());
  const OpSchema* found = find_op(*catalogue, check.op);
  if (found == nullptr || !found->bundled) {
    return {false, "the gate brings no op " + check.op + " along"};
  }
  if (found->dtypes.count(check.column) == 0) {
    return {false, fmt::format("{} has no column {}; it has {}", check.op, check.column,
                               join(found->columns, ", "))};
  }
  OpSchema op = *found;
  for (auto* tensors : {&op.inputs, &op.outputs}) {
    for (TensorSchema& tensor : *tensors) {
      if (check.contiguous) tensor.layouts = {"contiguous"};
    }
  }
  const auto table = catalogue->tolerances.find(check.op);
  Tolerance tolerance;
  if (table != catalogue->tolerances.end() && table->second.rows.count(check.column) > 0) {
    tolerance = table->second.rows.at(check.column);
  }
  const Result<RunSeed> seed = choose_run_seed(check.run_seed, "/");
  if (!seed) return refused(seed.failure());
  return Checking(check, std::move(op), tolerance).run(catalogue->config.profiles.at("pr"), *seed);
}

}  // namespace gate
