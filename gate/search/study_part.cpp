// Counting, shares and the table of parts.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/study_part.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gate/search/study_rules.h"

namespace gate {
namespace {

constexpr double z95 = 1.959963984540054;

/// Wilson score interval, one end.
double wilson(const Share& share, double side) {
  if (share.of == 0) return side < 0 ? 0 : 1;
  const auto n = static_cast<double>(share.of);
  const double p = share.value(), square = z95 * z95;
  const double centre = p + square / (2 * n);
  const double spread = z95 * std::sqrt(p * (1 - p) / n + square / (4 * n * n));
  return std::clamp((centre + side * spread) / (1 + square / n), 0.0, 1.0);
}

}  // namespace

std::string measured_text(const StudyOptions& options) {
  return fmt::format("{} cases per kernel, column and strategy", options.cases);
}

StudyPart unfinished(std::string name, std::size_t missing) {
  StudyPart part;
  part.name = std::move(name);
  part.missing = missing;
  return part;
}

double Share::low() const { return wilson(*this, -1); }
double Share::high() const { return wilson(*this, 1); }

std::string to_text(const Share& share) {
  if (share.of == 0) return "-";
  return fmt::format("{}/{} {:.1f} % [{:.1f}, {:.1f}]", share.count, share.of, 100 * share.value(),
                     100 * share.low(), 100 * share.high());
}

StudyJson to_json(const Share& share) {
  return {{"count", share.count},
          {"of", share.of},
          {"share", share.value()},
          {"low", share.low()},
          {"high", share.high()}};
}

void StudyCounts::add(const StudyRun& run) {
  ++cases;
  const bool is_red = colour(run.kind) == Colour::red;
  if (is_red) ++red;
  if (colour(run.kind) == Colour::grey) ++grey;
  if (run.visible) {
    if (run.visible->judgeable) ++visible;
    if (run.visible->anywhere) ++visible_anywhere;
    if (run.visible->judgeable && is_red) ++detected;
    if (run.visible->judgeable && !is_red) ++missed;
  }
  rules.resize(all_study_rules().size());
  for (std::size_t r = 0; r < run.rules.size(); ++r) rules[r] += run.rules[r] ? 1 : 0;
  largest_ratio = std::max(largest_ratio, run.largest_ratio);
}

void StudyCounts::add(const StudyCounts& other) {
  cases += other.cases;
  red += other.red;
  grey += other.grey;
  visible += other.visible;
  visible_anywhere += other.visible_anywhere;
  missed += other.missed;
  detected += other.detected;
  rules.resize(all_study_rules().size());
  for (std::size_t r = 0; r < other.rules.size(); ++r) rules[r] += other.rules[r];
  largest_ratio = std::max(largest_ratio, other.largest_ratio);
}

std::string raw_line(const StudyUnit& unit, const StudyRun& run) {
  std::string rules;
  for (const bool failed : run.rules) rules += failed ? '1' : '0';
  StudyJson line = {{"kernel", unit.kernel->kernel->name},
                    {"device", study_device(*unit.kernel, unit.device)},
                    {"strategy", std::string(unit.strategy->name)},
                    {"case", run.text},
                    {"kind", std::string(name(run.kind))},
                    {"rules", rules},
                    {"unjudgeable", run.unjudgeable},
                    {"largest_ratio", run.largest_ratio}};
  if (run.visible) {
    line["visible"] = run.visible->judgeable;
    line["visible_anywhere"] = run.visible->anywhere;
  }
  if (run.kind != Kind::pass) line["message"] = run.message.substr(0, 300);
  return line.dump(-1, ' ', false, StudyJson::error_handler_t::replace);
}

const std::vector<StudyPartRow>& all_study_parts() {
  static const std::vector<StudyPartRow> table = {
      {"paper_shapes", "recall and false positives on the published shapes and values",
       study_paper_shapes},
      {"special", "the published special-value strategies against our contracts", study_special},
      {"strategies", "all published strategies and tolerance rules beside ours", study_strategies},
      {"default_plan", "whether the first 16 entries find each bug, over many run seeds",
       study_default_plan},
      {"fixed_shape", "what the field's fixed-shape checks say of every row", study_fixed_shape},
      {"hidden_shapes", "at which of all published shapes five draws let each bug pass",
       study_hidden_shapes},
      {"domains", "controls and null kernels on hard inputs", study_domains},
      {"suites", "thirteen suites of modelled kernels, our envelopes beside the split form",
       study_suites},
  };
  return table;
}

}  // namespace gate
