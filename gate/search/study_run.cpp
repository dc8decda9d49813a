// Running units: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/study_run.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gate/base/hash.h"
#include "gate/base/random.h"
#include "gate/oracle/contract.h"
#include "gate/search/study_rules.h"

namespace gate {
namespace {

constexpr std::int64_t case_timeout_ms = 120'000;  // the largest published shape, emulated
constexpr std::int64_t cases_of_piece = 25;

void add_rules(StudyRun& run, const StudyUnit& unit, const Outcome& outcome,
               const Expected& expected) {
  for (const StudyRule& rule : all_study_rules()) {
    const bool ended = outcome.end == Kind::pass;
    run.rules.push_back(!ended || rule.fails({*unit.kernel, unit.column, outcome, expected}));
  }
}

double largest_error(const Outcome& outcome, const Expected& expected) {
  double largest = 0;
  for (const ExpectedTensor& want : expected.outputs) {
    const Tensor* got = find_output(outcome, want.name);
    if (got == nullptr) continue;
    for (std::int64_t i = 0; i < got->elements(); ++i) {
      const double reference = rounded(got->dtype, want.value[static_cast<std::size_t>(i)]);
      const double off = std::abs(got->at(i) - reference);
      if (std::isfinite(off)) largest = std::max(largest, off);
    }
  }
  return largest;
}

StudyRun run_case(Executor& executor, const StudyUnit& unit, const Case& value) {
  StudyRun run;
  run.text = to_text(value);
  const Target& target = executor.target();
  if (const Result<Done> legal = validate(value, *target.op, target.kernel); !legal) {
    run.message = to_text(legal.failure());
    return run;
  }
  const Inputs inputs = executor.inputs_of(value);
  const Result<Expected> expected = executor.reference(inputs);
  if (!expected) {
    run.message = to_text(expected.failure());
    return run;
  }
  const Outcome outcome = executor.outcome_of(value);
  const Judging judging{*target.op, target.column, target.tolerance, value, *expected};
  Verdict verdict = judge({judging, outcome});
  if (needs_second_poison({judging, outcome})) verdict = executor.execute(value);
  run.kind = verdict.kind;
  run.property = verdict.property;
  run.message = verdict.text;
  run.unjudgeable = verdict.unjudgeable;
  run.discriminating = verdict.discriminating;
  for (const Comparison& comparison : verdict.comparisons) {
    run.elements += comparison.elements;
    run.largest_ratio = std::max(run.largest_ratio, comparison.largest_ratio);
  }
  add_rules(run, unit, outcome, *expected);
  if (outcome.end == Kind::pass) run.largest_error = largest_error(outcome, *expected);
  if (const BugModel* model = find_bug_model(target.op->name, target.kernel->name)) {
    run.visible = visible_difference(model->values(inputs, *target.op, target.column), *expected,
                                     *target.op, target.column);
  }
  return run;
}

StudyJson run_json(const StudyRun& run) {
  std::string rules;
  for (const bool failed : run.rules) rules += failed ? '1' : '0';
  StudyJson json = {{"case", run.text},
                    {"kind", std::string(name(run.kind))},
                    {"property", run.property},
                    {"message", run.message},
                    {"rules", rules},
                    {"elements", run.elements},
                    {"unjudgeable", run.unjudgeable},
                    {"largest_ratio", number_json(run.largest_ratio)},
                    {"largest_error", number_json(run.largest_error)},
                    {"discriminating", run.discriminating}};
  if (run.visible) {
    json["visible"] = {run.visible->anywhere, run.visible->judgeable, run.visible->elements};
  }
  return json;
}

StudyRun run_of(const StudyJson& json) {
  StudyRun run;
  run.text = json["case"].get<std::string>();
  run.kind = kind_named(json["kind"].get<std::string>()).value_or(Kind::not_checked);
  run.property = json["property"].get<std::string>();
  run.message = json["message"].get<std::string>();
  for (const char digit : json["rules"].get<std::string>()) run.rules.push_back(digit == '1');
  run.elements = json["elements"].get<std::int64_t>();
  run.unjudgeable = json["unjudgeable"].get<std::int64_t>();
  run.largest_ratio = number_of(json["largest_ratio"]);
  run.largest_error = number_of(json["largest_error"]);
  run.discriminating = json["discriminating"].get<bool>();
  if (json.contains("visible")) {
    const StudyJson& visible = json["visible"];
    run.visible =
        Visible{visible[0].get<bool>(), visible[1].get<bool>(), visible[2].get<std::int64_t>()};
  }
  return run;
}

/// Cases of a unit that are run in one go.
struct Piece {
  std::size_t unit = 0;
  std::int64_t first = 0, end = 0;
};

std::vector<Piece> pieces_of(const std::vector<StudyUnit>& units) {
  std::vector<Piece> pieces;
  for (std::size_t u = 0; u < units.size(); ++u) {
    for (std::int64_t first = 0; first < units[u].cases; first += cases_of_piece) {
      pieces.push_back({u, first, std::min(first + cases_of_piece, units[u].cases)});
    }
  }
  return pieces;
}

std::vector<StudyRun> run_piece(const StudyUnit& unit, const Piece& piece, std::uint64_t run_seed) {
  const Target target = study_target(*unit.kernel, unit.column, unit.device);
  BuildOutcome build = study_build(target);
  std::vector<StudyRun> runs;
  if (build.kind != Kind::pass) {
    StudyRun run;
    run.kind = build.kind;
    run.message = build.text;
    run.rules.assign(all_study_rules().size(), false);
    runs.push_back(std::move(run));
    return runs;
  }
  Executor executor(target, std::move(build), study_session(), {});
  // The published controls and bugs of an op meet the same inputs where their shapes agree.
  const std::string lane =
      fmt::format("study {} {} {}", target.op->name, target.column, unit.strategy->name);
  const std::uint64_t base = mix(run_seed, stable_hash(lane));
  for (std::int64_t i = piece.first; i < piece.end; ++i) {
    const std::uint64_t key = mix(base, static_cast<std::uint64_t>(i));
    runs.push_back(
        run_case(executor, unit, study_case(*unit.kernel, unit.column, *unit.strategy, key)));
  }
  return runs;
}

UnitResult measured_piece(const StudyUnit& unit, const Piece& piece, std::uint64_t run_seed) {
  StudyJson json = StudyJson::array();
  bool lasting = true;
  for (const StudyRun& run : run_piece(unit, piece, run_seed)) {
    lasting = lasting && colour(run.kind) != Colour::grey;
    json.push_back(run_json(run));
  }
  return {std::move(json), lasting};
}

}  // namespace

std::string study_device(const StudyKernel& kernel, const std::string& device) {
  return device_for(*kernel.kernel, device);
}

Target study_target(const StudyKernel& kernel, const std::string& column,
                    const std::string& device) {
  Target target;
  target.op = kernel.op;
  target.kernel = kernel.kernel;
  target.column = column;
  target.device = study_device(kernel, device);
  if (const auto row = kernel.tolerances.find(column); row != kernel.tolerances.end()) {
    target.tolerance = row->second;
  }
  return target;
}

BuildOutcome study_build(const Target& target) {
  return build_kernel(*target.op, *target.kernel, target.column, target.device);
}

SessionOptions study_session() {
  SessionOptions options;
  options.case_timeout_ms = case_timeout_ms;
  return options;
}

UnitRuns run_units(const std::vector<StudyUnit>& units, const StudyOptions& options) {
  const std::vector<Piece> pieces = pieces_of(units);
  std::vector<std::string> names;
  for (const Piece& piece : pieces) {
    const StudyUnit& unit = units[piece.unit];
    names.push_back(fmt::format("{}/{} {} {} cases {}-{}", unit.kernel->op->name,
                                unit.kernel->kernel->name, unit.column, unit.strategy->name,
                                piece.first, piece.end));
  }
  const TakenUnits taken = take_units(options.units, names, [&](std::size_t i) {
    return measured_piece(units[pieces[i].unit], pieces[i], options.run_seed);
  });
  UnitRuns whole{std::vector<std::vector<StudyRun>>(units.size()), taken.missing};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    for (const StudyJson& run : taken.results[i]) whole.runs[pieces[i].unit].push_back(run_of(run));
  }
  return whole;
}

}  // namespace gate
