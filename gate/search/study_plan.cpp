// The part `default_plan`: whether the first 16 entries of the plan that a person gets by default
// find each bug, over many run seeds.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>

#include "gate/base/random.h"
#include "gate/search/study_part.h"

namespace gate {
namespace {

constexpr std::int64_t first_entries = 16;
constexpr std::int64_t seeds_of_piece = 10;

/// Run seeds of one bug that are tried in one go, by one warm worker.
struct Piece {
  const PlanBug* bug = nullptr;
  std::int64_t first = 0, end = 0;
};

std::vector<Piece> pieces_of(const StudyOptions& options) {
  std::vector<Piece> pieces;
  for (const PlanBug& bug : options.bugs) {
    for (std::int64_t first = 0; first < options.seeds; first += seeds_of_piece) {
      pieces.push_back({&bug, first, std::min(first + seeds_of_piece, options.seeds)});
    }
  }
  return pieces;
}

std::string text_of(const Piece& piece) {
  return fmt::format("{}/{} {} plans of seeds {}-{}", piece.bug->op->name, piece.bug->kernel->name,
                     piece.bug->column, piece.first, piece.end);
}

/// Position of the first red entry, from 1; 0: none. Nothing is shrunk, confirmed or explained.
std::int64_t first_red(Executor& executor, const std::vector<Entry>& plan) {
  for (std::size_t e = 0; e < plan.size(); ++e) {
    const Verdict verdict = executor.execute_again(plan[e].test_case, plan[e].siblings);
    if (colour(verdict.kind) == Colour::red) return static_cast<std::int64_t>(e) + 1;
  }
  return 0;
}

UnitResult first_reds(const Piece& piece, const StudyOptions& options) {
  const PlanBug& bug = *piece.bug;
  const Target target{bug.op, bug.kernel, bug.column, device_for(*bug.kernel, options.device),
                      bug.tolerance};
  BuildOutcome build = study_build(target);
  if (build.kind != Kind::pass) {
    const auto seeds = static_cast<std::size_t>(piece.end - piece.first);
    return {StudyJson(std::vector<std::int64_t>(seeds, 0)), false};
  }
  PlanOptions plan_options;
  plan_options.device = target.device;
  plan_options.profile = options.profile;
  plan_options.first = first_entries;
  Executor executor(target, std::move(build), study_session(), options.profile);
  StudyJson positions = StudyJson::array();
  for (std::int64_t s = piece.first; s < piece.end; ++s) {
    plan_options.run_seed = mix(options.run_seed, static_cast<std::uint64_t>(s));
    positions.push_back(
        first_red(executor, make_plan(*target.op, *target.kernel, target.column, plan_options)));
  }
  return positions;
}

/// First red entries of each bug, by run seed.
std::vector<std::vector<std::int64_t>> positions_of(const std::vector<Piece>& pieces,
                                                    const TakenUnits& taken,
                                                    const StudyOptions& options) {
  std::vector<std::vector<std::int64_t>> positions(options.bugs.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto bug = static_cast<std::size_t>(pieces[i].bug - options.bugs.data());
    for (const StudyJson& position : taken.results[i]) {
      positions[bug].push_back(position.get<std::int64_t>());
    }
  }
  return positions;
}

std::int64_t quantile(std::vector<std::int64_t> values, double share) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  const auto last = static_cast<double>(values.size() - 1);
  return values[static_cast<std::size_t>(share * last + 0.5)];
}

}  // namespace

StudyPart study_default_plan(const StudyOptions& options) {
  const std::vector<Piece> pieces = pieces_of(options);
  std::vector<std::string> names;
  for (const Piece& piece : pieces) names.push_back(text_of(piece));
  const TakenUnits taken = take_units(
      options.units, names, [&](std::size_t i) { return first_reds(pieces[i], options); });
  if (taken.missing > 0) return unfinished("default_plan", taken.missing);
  const auto positions = positions_of(pieces, taken, options);
  StudyPart part;
  part.name = "default_plan";
  part.measured = fmt::format("{} run seeds", options.seeds);
  part.data = StudyJson::array();
  StudyTable table{
      "The default plan: found within the first 16 entries",
      fmt::format("Bugs of the corpus, each under {} run seeds: whether an entry turns "
                  "red, and which one (profile pr).",
                  options.seeds),
      {"bug", "column", "found within 16", "median", "95 %", "largest"},
      {}};
  for (std::size_t b = 0; b < options.bugs.size(); ++b) {
    const PlanBug& bug = options.bugs[b];
    std::vector<std::int64_t> found;
    for (const std::int64_t position : positions[b]) {
      if (position > 0) found.push_back(position);
    }
    const auto count = static_cast<std::int64_t>(found.size());
    const auto tried = static_cast<std::int64_t>(positions[b].size());
    part.data.push_back({{"kernel", bug.op->name + "/" + bug.kernel->name},
                         {"column", bug.column},
                         {"device", device_for(*bug.kernel, options.device)},
                         {"seeds", tried},
                         {tried == 100 ? "found_within_16_of_100_seeds" : "found_within_16", count},
                         {"median_first", quantile(found, 0.5)},
                         {"largest_first", quantile(found, 1)}});
    table.rows.push_back({bug.kernel->name, bug.column, to_text(Share{count, tried}),
                          std::to_string(quantile(found, 0.5)),
                          std::to_string(quantile(found, 0.95)),
                          std::to_string(quantile(found, 1))});
    part.raw.push_back(StudyJson({{"kernel", bug.op->name + "/" + bug.kernel->name},
                                  {"column", bug.column},
                                  {"first_red", positions[b]}})
                           .dump());
  }
  part.tables.push_back(std::move(table));
  return part;
}

}  // namespace gate
