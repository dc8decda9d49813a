// Calibration: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/calibrate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/base/files.h"
#include "gate/base/hash.h"
#include "gate/base/text.h"
#include "gate/oracle/element.h"
#include "gate/search/null_kernel_run.h"

namespace gate {
namespace {

/// Profile names of a case's inputs; a case with several inputs shows each of them.
std::set<std::string> profiles_of(const Case& value) {
  std::set<std::string> names;
  for (const auto& [tensor, choice] : value.tensors) {
    if (!choice.profile.empty()) names.insert(choice.profile.substr(0, choice.profile.find('@')));
  }
  return names;
}

ControlRun run_control(Executor& executor, const std::vector<Entry>& plan) {
  ControlRun run;
  run.kernel = executor.target().kernel->name;
  run.device = executor.target().device;
  executor.execute_plan(plan, [&](const Judged& judged) {
    const Verdict& verdict = judged.verdict;
    switch (colour(verdict.kind)) {
      case Colour::green: {
        ++run.cases;
        const auto seen = profiles_of(judged.test_case);
        run.profiles.insert(seen.begin(), seen.end());
        break;
      }
      case Colour::red:
        ++run.red;
        if (run.first_red.empty()) {
          run.first_red =
              fmt::format("{}: {} {}", to_text(judged.test_case), name(verdict.kind), verdict.text);
        }
        break;
      case Colour::grey:
        ++run.unchecked;
        break;
    }
    for (const Comparison& comparison : verdict.comparisons) {
      run.largest_ratio = std::max(run.largest_ratio, comparison.largest_ratio);
    }
    return true;
  });
  return run;
}

/// Profiles the op's schema names and no control passed a case of.
std::vector<std::string> missing_profiles(const OpSchema& op, const std::vector<ControlRun>& runs) {
  std::set<std::string> seen;
  for (const ControlRun& run : runs) seen.insert(run.profiles.begin(), run.profiles.end());
  std::vector<std::string> missing;
  for (const TensorSchema& input : op.inputs) {
    for (const std::string& profile : input.profiles) {
      const std::string base = profile.substr(0, profile.find('@'));
      if (seen.insert(base).second) missing.push_back(base);
    }
  }
  return missing;
}

void refuse_controls(const std::vector<ControlRun>& runs, const char* where,
                     std::vector<std::string>& refusals) {
  for (const ControlRun& run : runs) {
    if (!run.problem.empty()) refusals.push_back(run.kernel + ": " + run.problem);
    if (run.red > 0) {
      refusals.push_back(fmt::format("{} of {} cases of {} are red {}; the first: {}", run.red,
                                     run.red + run.cases, run.kernel, where, run.first_red));
    }
  }
}

/// Rounded up to a tenth: a committed number should not pretend to more digits than it has.
double proposed_c(double ratio) { return std::max(1.0, std::ceil(20 * ratio) / 10); }

double quantile(std::vector<double>& values, double share) {
  if (values.empty()) return 0;
  const auto place = static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + place, values.end());
  return values[static_cast<std::size_t>(place)];
}

Executor executor_at(const ControlSubject& subject, double c) {
  Target target = subject.target;
  target.tolerance.c = c;
  SessionOptions options;
  const auto caps = subject.profile.caps.find(target.device);
  if (caps != subject.profile.caps.end()) options.case_timeout_ms = caps->second.case_timeout_ms;
  return {std::move(target), subject.build, options, subject.profile};
}

void refuse_row(const Target& target, const std::string& reason, Calibration& result) {
  const Tolerance& committed = target.tolerance;
  std::vector<std::string>& refusals = result.refusals;
  if (const auto missing = missing_profiles(*target.op, result.controls); !missing.empty()) {
    refusals.push_back("value profiles of which no case passed: " + join(missing, " "));
  }
  for (const std::string& survivor : result.surviving_null_kernels) {
    refusals.push_back("the null kernel " + survivor + " passes every case");
  }
  if (!reason.empty()) return;
  if (result.c > calibration_c_max) {
    refusals.push_back(fmt::format("c = {} is above 8: --reason says why", result.c));
  }
  if (result.c > committed.c) {
    refusals.push_back(
        fmt::format("c = {} loosens the committed {}: --reason says why", result.c, committed.c));
  }
}

}  // namespace

std::vector<std::string> too_few_controls(const std::vector<const KernelSpec*>& controls) {
  std::set<std::string> sources;
  for (const KernelSpec* kernel : controls) {
    const Result<std::string> text = read_file(kernel->source);
    sources.insert(text ? sha256_hex(*text) : kernel->source.string());
  }
  if (sources.size() >= 2) return {};
  return {fmt::format("{} correct kernel{} of its own source; two different algorithms are needed",
                      sources.size(), sources.size() == 1 ? "" : "s")};
}

Slack measure_slack(Executor& executor, const std::vector<Entry>& plan) {
  const Target& target = executor.target();
  std::vector<double> relative;
  std::size_t rounded = 0;
  for (const Entry& entry : plan) {
    const Expected expected = executor.expected_of(entry.test_case);
    for (const ExpectedTensor& output : expected.outputs) {
      const DType dtype = dtype_of(*target.op, target.column, output.name);
      const ElementRule rule = element_rule(dtype, target.tolerance, target.op->contract);
      for (std::size_t i = 0; i < output.envelope.size(); ++i) {
        const double value = std::abs(output.value[i]), envelope = output.envelope[i];
        if (!std::isfinite(value) || !std::isfinite(envelope) || value == 0) continue;
        const double limit = limit_of(rule, value, envelope);
        relative.push_back(limit / value);
        if (limit_of(rule, value, 0) >= limit / 2) ++rounded;
      }
    }
  }
  Slack slack;
  if (relative.empty()) return slack;
  slack.rounding_share = static_cast<double>(rounded) / static_cast<double>(relative.size());
  slack.median = quantile(relative, 0.5);
  slack.p95 = quantile(relative, 0.95);
  return slack;
}

bool is_slack(double largest_ratio, double c, const Slack& slack) {
  return largest_ratio < slack_share * c && slack.rounding_share < 0.5;
}

Calibration calibrate(const std::vector<ControlSubject>& subjects, const std::string& reason) {
  check(!subjects.empty(), "there is something to calibrate with");
  Calibration result;
  const Target& target = subjects.front().target;
  const double committed = target.tolerance.c;
  for (const ControlSubject& subject : subjects) {
    Executor executor = executor_at(subject, std::max(calibration_c_max, committed));
    result.controls.push_back(run_control(executor, subject.plan));
    result.largest_ratio = std::max(result.largest_ratio, result.controls.back().largest_ratio);
  }
  result.c = proposed_c(result.largest_ratio);
  for (const ControlSubject& subject : subjects) {
    Executor executor = executor_at(subject, result.c);
    result.held_out.push_back(run_control(executor, subject.held_out));
    if (result.held_out.size() > 1) continue;  // what follows asks the reference only
    result.surviving_null_kernels =
        gate::surviving_null_kernels(measure_null_kernels(executor, subject.plan));
    result.slack = measure_slack(executor, subject.held_out);
  }
  refuse_controls(result.controls, "even at c = 8", result.refusals);
  refuse_controls(result.held_out, "on held-out cases at the proposed c", result.refusals);
  refuse_row(target, reason, result);
  return result;
}

}  // namespace gate
