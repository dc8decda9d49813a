// Running a drafted kernel: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/probe.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"
#include "gate/oracle/fixed_shape.h"
#include "gate/policy/effective.h"
#include "gate/search/search.h"

namespace gate {
namespace {

/// Sizes by place of the axis, so that no two axes are alike.
constexpr std::int64_t plain_sizes[][4] = {{32, 64, 16, 8}, {4, 256, 64, 32}};
constexpr std::int64_t odd_sizes[] = {3, 77, 33, 17};

std::optional<Case> case_of_sizes(const Case& base, const ProbeRequest& request,
                                  const std::int64_t* sizes) {
  Case value = base;
  for (std::size_t i = 0; i < request.op.axes.size(); ++i) {
    const Axis& axis = request.op.axes[i];
    const std::int64_t size = sizes[i % 4];
    if (axis.values.empty() && size >= axis.min && size <= axis.max) value.axes[axis.name] = size;
  }
  constexpr std::int64_t operations_max = 1 << 21;
  if (cost_of(value, request.op).operations > operations_max) return std::nullopt;
  if (!validate(value, request.op, &request.kernel)) return std::nullopt;
  return value;
}

std::string axes_text(const Case& value) {
  std::vector<std::string> texts;
  for (const auto& [axis, size] : value.axes) texts.push_back(fmt::format("{}={}", axis, size));
  return join(texts, " ");
}

Executor executor_for(const ProbeRequest& request, ProbeResult& result) {
  BuildOutcome build = build_kernel(request.op, request.kernel, request.column, request.device);
  result.build = build.kind;
  result.build_text = build.text;
  const Target target{&request.op, &request.kernel, request.column, request.device,
                      default_tolerance(request.op, request.column)};
  SessionOptions options;
  options.case_timeout_ms = 4000;
  return Executor(target, std::move(build), options, Profile{});
}

std::string failure_text(const Case& value, Kind kind, const std::string& text) {
  return clean_text(
      fmt::format("{}: {} {}", axes_text(value), name(kind), text.substr(0, text.find('\n'))), 200);
}

}  // namespace

PlainCases plain_cases(const OpSchema& op, const KernelSpec& kernel, const std::string& column) {
  PlainCases cases;
  const auto& rules = all_fixed_shape_rules();
  const auto rule = std::find_if(rules.begin(), rules.end(), decides_illusion);
  const std::vector<Case> drawn = fixed_shape_cases(*rule, op, column);
  const Case& base = drawn.front();
  const ProbeRequest request{op, kernel, column, {}};
  for (const auto& sizes : plain_sizes) {
    if (auto value = case_of_sizes(base, request, sizes)) cases.plain.push_back(std::move(*value));
  }
  if (validate(base, op, &kernel)) cases.plain.push_back(base);
  if (auto value = case_of_sizes(base, request, odd_sizes)) cases.odd.push_back(std::move(*value));
  return cases;
}

ProbeResult probe(const ProbeRequest& request, bool all) {
  ProbeResult result;
  const PlainCases cases = plain_cases(request.op, request.kernel, request.column);
  result.cases = static_cast<int>(cases.plain.size());
  Executor executor = executor_for(request, result);
  if (result.build != Kind::pass) return result;
  for (const Case& value : cases.plain) {
    const Verdict verdict = executor.execute(value);
    if (verdict.kind == Kind::pass && verdict.discriminating) {
      ++result.passed;
    } else {
      if (result.failure.empty()) result.failure = failure_text(value, verdict.kind, verdict.text);
      if (!all) return result;
    }
  }
  for (const Case& value : cases.odd) {
    const Verdict verdict = executor.execute(value);
    result.odd_passes = verdict.kind == Kind::pass;
    if (!result.odd_passes && result.failure.empty()) {
      result.failure = failure_text(value, verdict.kind, verdict.text);
    }
  }
  return result;
}

ProbeResult probe_memory(const ProbeRequest& request) {
  ProbeResult result;
  const PlainCases cases = plain_cases(request.op, request.kernel, request.column);
  result.cases = static_cast<int>(cases.plain.size());
  Executor executor = executor_for(request, result);
  if (result.build != Kind::pass) return result;
  for (const Case& value : cases.plain) {
    const Outcome outcome = executor.outcome_of(value);
    std::string problem = outcome.end == Kind::pass ? "" : outcome.text;
    if (outcome.red_zone) problem = *outcome.red_zone;
    for (const Tensor& tensor : outcome.after) {
      const bool output = tensor.role == Role::output;
      if (!output || !problem.empty() || unwritten_elements(tensor, false).empty()) continue;
      problem = "unwritten elements of " + tensor.name;
    }
    if (outcome.end == Kind::pass && problem.empty()) {
      ++result.passed;
    } else if (result.failure.empty()) {
      result.failure = failure_text(value, outcome.end, problem);
    }
  }
  return result;
}

}  // namespace gate
