// The report: a plain value. Every format, and the exit code, is a pure function of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/explain/finding.h"
#include "gate/report/coverage.h"
#include "gate/spec/kind.h"

namespace gate {

/// One JUnit line: (kernel, column, strategy), a seed, fixed_shape or expectation.
struct TestRow {
  std::string suite;                   // <op>/<kernel>
  std::string name;                    // <column>/<strategy> …
  std::string file;                    // kernel source
  int line = 1;
  Kind kind = Kind::pass;
  bool skipped = false;                // known, preexisting, expected
  std::string message;                 // one line
  std::string body;
  double seconds = 0;
  std::map<std::string, std::string> properties;
};

struct ReportRow {                     // a (kernel, column)
  std::string kernel, op, column, device, corpus, author;
  std::string gpu_class;               // of the runner, as its workflow calls it; or empty
  Class klass = Class::unchecked;
  Kind kind = Kind::pass;              // of the first finding, or the grey kind, or pass
  std::string expected;                // class, or empty
  bool as_expected = true;
  std::int64_t cases = 0;              // entries checked
  std::int64_t planned = 0;
  std::int64_t cases_to_first_finding = 0;   // 0: none
  std::int64_t non_discriminating = 0, unjudgeable = 0;
  double largest_ratio = 0, c = 0;
  std::string tolerance;               // of c: exact, default (not calibrated) or calibrated
  std::vector<FixedShapeResult> fixed_shape;
  bool illusion_rule_passed = false;   // KernelBench current, randn or uniform01
  std::vector<Finding> findings;
  std::vector<TestRow> tests;
  std::map<std::string, std::int64_t> strategies;   // strategy -> entries checked
  std::vector<std::string> not_shown;  // what green does not mean here
  Coverage coverage;                   // the facts behind it
  double seconds = 0;
};

struct Report {
  std::string run_seed, profile, device, revision, shard;
  std::string version, started;        // program version, UTC time
  std::string device_facts;            // JSON
  bool ignore_expect = false;
  bool require_all = false;
  std::vector<std::pair<std::string, std::string>> not_selected;  // kernel, reason
  std::vector<std::string> left_out;   // expectation tests whose plan was only partly selected
  std::vector<std::string> policy_notes;  // new contract, loosening
  bool loosened = false;
  std::string environment_problem;     // exit 3
  std::string gpu_class;               // of a report from one runner
  std::vector<std::string> gpu_classes_not_run;  // known gaps, named by whoever merged
  std::vector<ReportRow> rows;
  double seconds = 0;
};

/// 1 red · 3 environment · 4 inconclusive · 0. (70 and 2 never reach a report.)
int exit_code(const Report& report);

std::string to_json(const Report& report);            // DESIGN §4
Result<Report> parse_report(const std::string& json, bool untrusted);
std::string to_junit(const Report& report);
std::string to_console_summary(const Report& report, bool colour);

}  // namespace gate
