// Words of the tools, as kinds.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/sanitized.h"

#include "gate/base/text.h"

namespace gate {
namespace {

Kind kind_of(const SanitizerReport& report) {
  if (report.tool == "racecheck") return Kind::nondeterministic;
  const bool misaligned = report.text.find("misaligned") != std::string::npos;
  return misaligned ? Kind::crash : Kind::out_of_bounds;
}

}  // namespace

std::vector<SanitizerReport> sanitize_cases(Executor& executor, const SessionOptions& options,
                                            const std::vector<Case>& cases) {
  std::vector<Job> jobs;
  for (const Case& value : cases) {
    Job job;
    job.inputs = executor.inputs_of(value);
    job.schedule = value.schedule;
    jobs.push_back(std::move(job));
  }
  return sanitize(executor.build().image, options, jobs);
}

std::optional<Verdict> sanitizer_verdict(const std::vector<SanitizerReport>& reports,
                                         const Case& value) {
  for (const SanitizerReport& report : reports) {
    if (!report.ran || !report.errors) continue;
    Verdict verdict;
    verdict.kind = kind_of(report);
    verdict.property = verdict.kind == Kind::nondeterministic ? property_repeat : property_memory;
    verdict.text = report.tool + ": " + report.text.substr(0, report.text.find('\n'));
    verdict.schedule = value.schedule;
    return verdict;
  }
  return std::nullopt;
}

}  // namespace gate
