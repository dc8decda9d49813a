// JSON -> Report, for merge, render and publish. Strict for everyone; for results that travelled
// through a fork (untrusted) sizes are capped and names must be plain, so that nothing read here
// can become a path, a flood, or a second meaning.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/base/text.h"
#include "gate/report/coverage_json.h"
#include "gate/report/report.h"
#include "gate/report/strict_json.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

constexpr JsonCaps trusted_caps{1u << 20, 1'000'000, 32};
constexpr JsonCaps untrusted_caps{64u << 10, 20'000, 16};
constexpr std::size_t untrusted_bytes_max = 32u << 20;
constexpr std::size_t trusted_bytes_max = 1u << 30;

bool plain_name(const std::string& text) {
  return !text.empty() && text.size() <= 200 && text.front() != '.' &&
         std::all_of(text.begin(), text.end(), [](unsigned char letter) {
           return std::isalnum(letter) != 0 ||
                  std::string_view("_-.+").find(static_cast<char>(letter)) !=
                      std::string_view::npos;
         });
}

/// A word used in file names and links.
std::string name_in(StrictObject& object, const std::string& key) {
  std::string text = object.text(key);
  if (!plain_name(text)) object.problem(key, "a plain name is expected");
  return text;
}

Kind kind_in(StrictObject& object, const std::string& key) {
  const std::optional<Kind> kind = kind_named(object.text(key));
  if (!kind) object.problem(key, "a kind is expected");
  return kind.value_or(Kind::not_checked);
}

Case case_in(StrictObject& object, const std::string& key) {
  const Result<Case> parsed = parse_case(object.text(key));
  if (parsed) return *parsed;
  object.problem(key, parsed.failure().problems.front().text);
  return {};
}

Finding read_finding(StrictObject object) {
  Finding finding;
  const std::string fingerprint = object.text("fingerprint");
  const std::int64_t number = object.integer("number");
  const Kind kind = kind_in(object, "kind");
  const std::string property = object.text("property");
  finding.novelty = name_in(object, "novelty");
  RawFailure& failure = finding.failure;
  failure.first.strategy = object.text("strategy");
  failure.first.number =
      static_cast<std::size_t>(std::max<std::int64_t>(object.integer("entry"), 1)) - 1;
  failure.first.test_case = case_in(object, "found_case");
  failure.first.verdict.kind = kind;
  failure.first.verdict.property = property;
  failure.shrunk = failure.first;
  failure.shrunk.test_case = case_in(object, "case");
  failure.shrunk.verdict.text = object.text("text");
  finding.explanation = {object.text("pattern"), object.text("pattern_detail"),
                         object.text("core"),    object.text("sentence"),
                         object.text("worst"),   object.text("error_map")};
  failure.shrink_executions = static_cast<std::size_t>(object.integer("shrink_executions"));
  failure.confirmed = static_cast<int>(object.integer("confirmed"));
  failure.attempts = static_cast<int>(object.integer("attempts"));
  finding.source_file = object.text("source_file");
  finding.source_line = static_cast<int>(object.integer("source_line"));
  const Result<Seed> seed = parse_seed(object.text("seed"), "seed");
  if (seed) {
    finding.seed = *seed;
    finding.seed.file.clear();
  } else {
    object.problem("seed", seed.failure().problems.front().text);
  }
  if (finding.seed.fingerprint != fingerprint || finding.seed.number != number ||
      finding.seed.kind != kind || finding.seed.property != property) {
    object.problem("seed", "differs from the finding that carries it");
  }
  object.ignore("token");
  const std::vector<std::string> keys = object.keys();
  if (std::find(keys.begin(), keys.end(), "sanitizer") != keys.end()) {
    finding.sanitizer = object.text("sanitizer");
  }
  object.done();
  return finding;
}

void read_fixed_shape(StrictObject object, ReportRow& row) {
  row.illusion_rule_passed = object.truth("illusion_rule_passed");
  for (StrictObject& rule : object.objects("rules")) {
    FixedShapeResult result;
    result.rule = rule.text("rule");
    result.values = rule.text("values");
    result.passed = rule.truth("passed");
    result.draws = static_cast<int>(rule.integer("draws"));
    result.text = rule.text("text");
    rule.done();
    row.fixed_shape.push_back(std::move(result));
  }
  object.done();
}

TestRow read_test(StrictObject object) {
  TestRow test;
  test.suite = object.text("suite");
  test.name = object.text("name");
  test.file = object.text("file");
  test.line = static_cast<int>(object.integer("line"));
  test.kind = kind_in(object, "kind");
  test.skipped = object.truth("skipped");
  test.message = object.text("message");
  test.body = object.text("body");
  StrictObject properties = object.object("properties");
  for (const std::string& key : properties.keys()) {
    test.properties[clean_text(key, 200)] = properties.text(key);
  }
  object.done();
  return test;
}

ReportRow read_row(StrictObject object) {
  ReportRow row;
  row.kernel = name_in(object, "kernel");
  row.op = name_in(object, "op");
  row.column = name_in(object, "column");
  row.device = name_in(object, "device");
  const std::optional<Class> klass = class_named(object.text("class"));
  if (!klass) object.problem("class", "a class is expected");
  row.klass = klass.value_or(Class::unchecked);
  row.kind = kind_in(object, "kind");
  row.expected = object.text_or_null("expected");
  row.as_expected = object.truth("as_expected");
  row.cases = object.integer("cases");
  row.planned = object.integer("planned");
  row.cases_to_first_finding = object.integer_or_null("cases_to_first_finding");
  read_fixed_shape(object.object("fixed_shape"), row);
  for (StrictObject& finding : object.objects("findings")) {
    row.findings.push_back(read_finding(finding));
    Finding& last = row.findings.back();
    last.op = row.op;
    last.kernel = row.kernel;
    last.column = row.column;
    last.device = row.device;
    if (last.seed.kernel != row.kernel || last.seed.test_case.op != row.op) {
      object.problem("findings", "a seed belongs to another kernel");
    }
  }
  StrictObject strategies = object.object("strategies");
  for (const std::string& key : strategies.keys()) row.strategies[key] = strategies.integer(key);
  row.non_discriminating = object.integer("non_discriminating");
  row.unjudgeable = object.integer("unjudgeable");
  row.largest_ratio = object.number("largest_ratio");
  row.c = object.number("c");
  row.tolerance = object.text("tolerance");
  row.corpus = object.text("corpus");
  row.author = object.text("author");
  row.not_shown = object.texts("not_shown");
  row.coverage = read_coverage(object.object("coverage"));
  for (StrictObject& test : object.objects("tests")) row.tests.push_back(read_test(test));
  if (object.has("gpu_class")) row.gpu_class = name_in(object, "gpu_class");
  object.done();
  return row;
}

void read_run(StrictObject object, Report& report) {
  report.version = object.text("program");
  report.run_seed = object.text("run_seed");
  report.revision = object.text_or_null("revision");
  report.profile = object.text("profile");
  report.device = object.text("device");
  report.device_facts = object.text("device_facts");
  report.shard = object.text_or_null("shard");
  report.ignore_expect = object.truth("ignore_expect");
  report.require_all = object.truth("require_all");
  report.environment_problem = object.text_or_null("environment_problem");
  report.loosened = object.truth("loosened");
  report.policy_notes = object.texts("policy_notes");
  report.left_out = object.texts("left_out");
  if (object.has("gpu_class")) report.gpu_class = name_in(object, "gpu_class");
  if (object.has("gpu_classes_not_run")) {
    report.gpu_classes_not_run = object.texts("gpu_classes_not_run");
  }
  object.ignore("exit_code");  // recomputed from what was read, never believed
  object.ignore("counts");
  object.done();
}

void read_times(StrictObject object, Report& report) {
  report.started = object.text("started");
  report.seconds = object.number("seconds");
  std::vector<StrictObject> rows = object.objects("rows");
  if (rows.size() != report.rows.size()) {
    object.problem("rows", "differs in length from the rows of the report");
    return;
  }
  for (std::size_t i = 0; i < rows.size(); ++i) {
    ReportRow& row = report.rows[i];
    row.seconds = rows[i].number("seconds");
    const std::vector<double> seconds = rows[i].numbers("tests");
    if (seconds.size() != row.tests.size()) {
      rows[i].problem("tests", "differs in length from the row's tests");
      return;
    }
    for (std::size_t t = 0; t < seconds.size(); ++t) row.tests[t].seconds = seconds[t];
    rows[i].done();
  }
  object.done();
}

}  // namespace

Result<Report> parse_report(const std::string& json, bool untrusted) {
  const JsonCaps caps = untrusted ? untrusted_caps : trusted_caps;
  if (json.size() > (untrusted ? untrusted_bytes_max : trusted_bytes_max)) {
    return user_failure("the report is too large");
  }
  const Result<OrderedJson> document = parse_json(json, caps);
  if (!document) return document.failure();
  JsonReading reading{caps, {}};
  StrictObject whole(*document, "", reading);
  if (whole.integer("version") != 1) {
    return user_failure("not a report of version 1", "write it with this version of gate");
  }
  Report report;
  read_run(whole.object("run"), report);
  for (StrictObject& entry : whole.objects("not_selected")) {
    report.not_selected.emplace_back(entry.text("kernel"), entry.text("reason"));
    entry.done();
  }
  for (StrictObject& row : whole.objects("rows")) report.rows.push_back(read_row(row));
  whole.objects("scores");  // must be there, is recomputed from the rows
  read_times(whole.object("times"), report);
  whole.done();
  if (!reading.problems.empty()) return Failure{Fault::user, std::move(reading.problems)};
  return report;
}

}  // namespace gate
