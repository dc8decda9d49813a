// From results to a row: see the header. Red that was expected, or is known, becomes skipped; grey
// always counts; a test that checked nothing is never green.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/row.h"

#include <algorithm>

#include "gate/cli/find_failures.h"
#include "gate/cli/row_texts.h"
#include "gate/reference/plugin.h"

namespace gate {
namespace {

/// Red is expected of a kernel whose [expect] says so; the expectation test judges the rest.
bool expects_red(const SelectedTarget& selected) {
  return selected.expectation && (selected.expectation->klass == Class::illusion ||
                                  selected.expectation->klass == Class::defect);
}

class RowBuilder {
 public:
  RowBuilder(const SelectedTarget& selected, const TargetResult& result, const std::string& date)
      : selected_(selected), result_(result), date_(date) {}

  TestRow test_row(const PlannedTest& test) const {
    switch (test.what) {
      case PlannedTest::What::seed:
        return seed_row(test);
      case PlannedTest::What::strategy:
        return strategy_row(test);
      case PlannedTest::What::fixed_shape:
        return fixed_shape_row(test);
      case PlannedTest::What::expectation:
        return expectation_row(test);
    }
    return blank_test(selected_, test, Kind::not_checked, "unknown test");
  }

  bool meets_expectation() const {
    const Expectation& expected = *selected_.expectation;
    if (result_.klass != expected.klass) return false;
    if (!expected.kind) return true;
    return std::any_of(result_.findings.begin(), result_.findings.end(),
                       [&](const Finding& finding) { return finding.seed.kind == *expected.kind; });
  }

 private:
  TestRow strategy_row(const PlannedTest& test) const {
    std::size_t planned = 0, checked = 0, red = 0;
    const EntryResult* grey = nullptr;
    const EntryResult* unexcused = nullptr;
    const EntryResult* excused = nullptr;
    for (const EntryResult& entry : result_.entries) {
      if (entry.strategy != test.strategy) continue;
      ++planned;
      const Colour shade = colour(entry.kind);
      if (shade != Colour::grey && entry.executed) ++checked;
      if (shade == Colour::grey && grey == nullptr) grey = &entry;
      if (shade != Colour::red) continue;
      ++red;
      const EntryResult*& first = is_known(entry) ? excused : unexcused;
      if (first == nullptr) first = &entry;
    }
    const bool expected = unexcused != nullptr && expects_red(selected_);
    TestRow row = blank_test(selected_, test, Kind::pass, "");
    if (unexcused != nullptr && !(expected && grey != nullptr)) {
      fill_red(row, *unexcused);
      row.skipped = expected;
      if (expected) row.message = "expected: " + row.message;
    } else if (grey != nullptr) {
      row.kind = grey->kind;
      row.message = grey->text;
    } else if (excused != nullptr) {
      fill_red(row, *excused);
      row.skipped = true;
      row.message = finding(excused->finding).novelty + ": " + row.message;
    } else if (checked == 0) {
      row.kind = Kind::not_checked;
      row.message = "no case was checked";
    }
    row.properties["ig.cases"] = std::to_string(checked) + " of " + std::to_string(planned);
    if (red > 0) row.properties["ig.red"] = std::to_string(red);
    const auto seconds = result_.seconds_by_strategy.find(test.strategy);
    if (seconds != result_.seconds_by_strategy.end()) row.seconds = seconds->second;
    return row;
  }

  bool is_known(const EntryResult& entry) const {
    return entry.finding >= 0 && !blocks(finding(entry.finding).novelty);
  }

  const Finding& finding(int index) const {
    return result_.findings[static_cast<std::size_t>(index)];
  }

  void fill_red(TestRow& row, const EntryResult& entry) const {
    row.kind = entry.kind;
    row.message = with_kind(entry.kind, entry.text);
    row.body = entry.text;
    if (entry.finding >= 0) describe_finding(finding(entry.finding), row);
  }

  TestRow seed_row(const PlannedTest& test) const {
    const SeedResult& seed = result_.seeds[test.seed];
    TestRow row = blank_test(selected_, test, seed.judged.verdict.kind, seed.judged.verdict.text);
    row.seconds = seed.seconds;
    row.properties["ig.status"] = std::string(name(seed.seed.status));
    row.properties["ig.fingerprint"] = seed.seed.fingerprint;
    row.properties["ig.seed_file"] = seed.seed.file.filename().string();
    switch (seed.end) {
      case SeedResult::End::passes:
        passing_seed(row);
        break;
      case SeedResult::End::reproduces:
        red_seed(test, seed, row);
        break;
      case SeedResult::End::fails_otherwise:
        red_seed(test, seed, row);
        row.skipped = expects_red(selected_) ? row.kind == seed.seed.kind : is_preexisting(test);
        row.message = "fails otherwise than recorded (" + std::string(name(seed.seed.kind)) +
                      "): " + row.message;
        break;
      case SeedResult::End::invalid_case:
      case SeedResult::End::digest_differs:
      case SeedResult::End::unchecked:
        break;
    }
    return row;
  }

  /// Another failure than the seed records excuses nothing, unless the base has it too.
  bool is_preexisting(const PlannedTest& test) const {
    return result_.seed_answers[test.seed] == BaseAnswer::fails_alike &&
           result_.seeds[test.seed].seed.status != Seed::Status::fixed;
  }

  /// A seed of a kernel that is expected to be red has to reproduce.
  void passing_seed(TestRow& row) const {
    if (expects_red(selected_)) {
      row.kind = Kind::wrong;
      row.message = "the seed does not reproduce any more, but [expect] says the bug is there";
    } else if (row.properties["ig.status"] != name(Seed::Status::fixed)) {
      row.message = "passes: its status can become fixed";
    }
  }

  void red_seed(const PlannedTest& test, const SeedResult& seed, TestRow& row) const {
    const int index = result_.seed_findings[test.seed];
    row.message = with_kind(row.kind, row.message);
    if (index >= 0) describe_finding(finding(index), row);
    if (seed.seed.status == Seed::Status::fixed) row.message = "regressed: " + row.message;
    const bool expected = expects_red(selected_);
    const std::string novelty =
        novelty_of({result_.seed_answers[test.seed], &seed.seed, false, date_});
    row.skipped = expected || !blocks(novelty);
    row.properties["ig.novelty"] = novelty;
    if (expected) {
      row.message = "expected: " + row.message;
    } else if (novelty == "known") {
      row.message = "known (" + seed.seed.reason + "): " + row.message;
    } else if (row.skipped) {
      row.message = novelty + ": " + row.message;
    } else if (seed.seed.status == Seed::Status::known && !is_excused(seed.seed, date_)) {
      row.message = "known until " + seed.seed.expires + ", which is over: " + row.message;
    }
  }

  TestRow fixed_shape_row(const PlannedTest& test) const {
    TestRow row = blank_test(selected_, test, Kind::pass, "");
    row.seconds = result_.fixed_shape_seconds;
    if (result_.fixed_shape.empty()) {
      row.kind = colour(result_.build) == Colour::grey ? result_.build : Kind::not_checked;
      row.message = result_.build_text.empty() ? "not measured" : result_.build_text;
      return row;
    }
    for (const FixedShapeResult& rule : result_.fixed_shape) {
      const std::string text = fixed_shape_text(rule);
      row.properties["ig.fixed_shape." + rule.rule + "." + rule.values] = text;
      row.body += rule.rule + " (" + rule.values + "): " + text + "\n";
    }
    return row;
  }

  TestRow expectation_row(const PlannedTest& test) const {
    const Expectation& expected = *selected_.expectation;
    TestRow row = blank_test(selected_, test, Kind::pass, "");
    const std::string want = expected.kind ? std::string(name(expected.klass)) + " (" +
                                                 std::string(name(*expected.kind)) + ")"
                                           : std::string(name(expected.klass));
    row.body = "expected " + want + ", got " + std::string(name(result_.klass)) + " (" +
               std::string(name(result_.kind)) + ")";
    if (!expected.bug.empty()) row.body += "\nbug: " + expected.bug;
    if (meets_expectation()) return row;
    row.message = row.body.substr(0, row.body.find('\n'));
    if (result_.klass == Class::unchecked) {
      row.kind = colour(result_.kind) == Colour::grey ? result_.kind : Kind::not_checked;
    } else {
      row.kind = colour(result_.kind) == Colour::red ? result_.kind : Kind::wrong;
      if (!result_.findings.empty()) describe_finding(result_.findings.front(), row);
    }
    return row;
  }

  const SelectedTarget& selected_;
  const TargetResult& result_;
  const std::string& date_;
};

bool has_expectation_test(const SelectedTarget& selected) {
  return std::any_of(selected.tests.begin(), selected.tests.end(), [](const PlannedTest& test) {
    return test.what == PlannedTest::What::expectation;
  });
}

}  // namespace

TestRow blank_test(const SelectedTarget& selected, const PlannedTest& test, Kind kind,
                   const std::string& message) {
  TestRow row;
  row.suite = selected.suite;
  row.name = test.name;
  row.file = selected.source_file;
  row.line = selected.source_line;
  row.kind = kind;
  row.message = message;
  return row;
}

ReportRow make_row(const SelectedTarget& selected, TargetResult result, const std::string& date) {
  const Target& target = selected.plan.target;
  const RowBuilder builder(selected, result, date);
  ReportRow row;
  row.kernel = target.kernel->name;
  row.op = target.op->name;
  row.column = target.column;
  row.device = target.device;
  row.corpus = target.kernel->corpus;
  row.author = target.kernel->author;
  row.klass = result.klass;
  row.kind = result.kind;
  if (has_expectation_test(selected)) {
    row.expected = std::string(name(selected.expectation->klass));
    row.as_expected = builder.meets_expectation();
  }
  row.cases = result.checked;
  row.planned = static_cast<std::int64_t>(selected.plan.entries.size());
  row.cases_to_first_finding = result.first_finding;
  row.non_discriminating = result.non_discriminating;
  row.unjudgeable = result.unjudgeable;
  row.largest_ratio = result.largest_ratio;
  row.c = target.tolerance.c;
  row.tolerance = target.tolerance.exact ? "exact" : target.tolerance.origin;
  row.illusion_rule_passed = result.illusion_rule_passed;
  row.strategies = result.checked_by_strategy;
  row.not_shown = not_shown(result);
  if (has_python_reference(*target.op)) {
    row.not_shown.insert(row.not_shown.begin(),
                         "unmodelled: the op has no error model; limits are the fallback rule's, "
                         "from its reference.py run in the column's own precision");
  }
  row.coverage = std::move(result.coverage);
  row.seconds = result.seconds;
  for (const PlannedTest& test : selected.tests) row.tests.push_back(builder.test_row(test));
  row.fixed_shape = std::move(result.fixed_shape);
  row.findings = std::move(result.findings);
  return row;
}

}  // namespace gate
