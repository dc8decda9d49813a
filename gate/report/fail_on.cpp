// Rules of the Action over the exit code: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/fail_on.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/report/counts.h"
#include "gate/report/summary.h"

namespace gate {
namespace {

constexpr int exit_red = 1;

Report without_flaky(Report report) {
  for (ReportRow& row : report.rows) {
    for (TestRow& test : row.tests) {
      const auto novelty = test.properties.find("ig.novelty");
      if (novelty != test.properties.end() && novelty->second == "flaky") test.skipped = true;
    }
  }
  return report;
}

std::size_t count_environment_rows(const Report& report) {
  return static_cast<std::size_t>(
      std::count_if(report.rows.begin(), report.rows.end(), [](const ReportRow& row) {
        return std::any_of(row.tests.begin(), row.tests.end(), [](const TestRow& test) {
          return !test.skipped && test.kind == Kind::environment;
        });
      }));
}

/// More shards than kernels leave some of them empty: only the whole can have checked nothing.
bool is_empty_shard(const Report& report) {
  return !report.shard.empty() && report.rows.empty() && !report.loosened &&
         report.environment_problem.empty();
}

}  // namespace

int judged_exit_code(const Report& report, const FailRule& rule) {
  if (rule.on == FailOn::never || is_empty_shard(report)) return 0;
  const int code = rule.flaky_blocks ? exit_code(report) : exit_code(without_flaky(report));
  const StandingCounts counts = count_standings(report);
  return rule.on == FailOn::any && counts.known + counts.preexisting > 0 ? exit_red : code;
}

std::string to_outputs(const Report& report) {
  const StandingCounts counts = count_standings(report);
  return fmt::format(
      "verdict={}\nnew-count={}\nknown-count={}\nfixed-count={}\nflaky-count={}\ninfra-count={}\n",
      verdict_word(report), counts.fresh + counts.regressed, counts.known + counts.preexisting,
      counts.fixed + passing_seeds(report).size(), counts.flaky, count_environment_rows(report));
}

}  // namespace gate
