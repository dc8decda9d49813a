// The part `hidden_shapes`: at which of all published shapes a fixed-shape check of five draws lets
// each bug pass. Shapes are run one by one, none is drawn.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "gate/base/random.h"
#include "gate/oracle/fixed_shape.h"
#include "gate/search/study_part.h"

namespace gate {
namespace {

constexpr int draws = 5;
struct HiddenRule {
  std::string_view name, fixed_shape;
};
constexpr std::array<HiddenRule, 3> rules = {{{"allclose_1e-5_1e-2", "paper"},
                                              {"kernelbench_v0", "kernelbench_v0"},
                                              {"kernelbench", "kernelbench"}}};
constexpr std::array<std::string_view, 2> value_strategies = {"randn", "default"};

/// Every shape of a kernel's candidates, once.
std::vector<IntegerValues> all_shapes(const StudyKernel& kernel) {
  std::set<IntegerValues> shapes = {{}};
  for (const auto& [axis, factors] : kernel.shapes) {
    std::multiset<std::int64_t> sizes = {1};
    for (const std::vector<std::int64_t>& candidates : factors) {
      std::multiset<std::int64_t> products;
      for (const std::int64_t size : sizes) {
        for (const std::int64_t candidate : candidates) products.insert(size * candidate);
      }
      sizes = std::move(products);
    }
    std::set<IntegerValues> longer;
    for (const IntegerValues& shape : shapes) {
      for (const std::int64_t size : sizes) {
        IntegerValues extended = shape;
        extended[axis] = size;
        longer.insert(std::move(extended));
      }
    }
    shapes = std::move(longer);
  }
  return {shapes.begin(), shapes.end()};
}

struct Hidden {
  std::int64_t shapes = 0;
  std::map<std::pair<std::string_view, std::string_view>, std::int64_t> passed;  // rule, values
};

constexpr std::size_t shapes_of_piece = 8;

/// Shapes of one bug that are run in one go.
struct Piece {
  const StudyKernel* kernel = nullptr;
  std::size_t first = 0;
  std::vector<IntegerValues> shapes;
};

std::vector<Piece> pieces_of(const StudyOptions& options) {
  std::vector<Piece> pieces;
  for (const StudyKernel& kernel : options.kernels) {
    if (!kernel.buggy) continue;
    const std::vector<IntegerValues> shapes = all_shapes(kernel);
    for (std::size_t first = 0; first < shapes.size(); first += shapes_of_piece) {
      const std::size_t end = std::min(first + shapes_of_piece, shapes.size());
      pieces.push_back({&kernel,
                        first,
                        {shapes.begin() + static_cast<std::ptrdiff_t>(first),
                         shapes.begin() + static_cast<std::ptrdiff_t>(end)}});
    }
  }
  return pieces;
}

const FixedShapeRule& fixed_rule(std::string_view name) {
  for (const FixedShapeRule& rule : all_fixed_shape_rules()) {
    if (rule.name == name) return rule;
  }
  check(false, "rules of the study are fixed-shape rules");
  return all_fixed_shape_rules().front();
}

/// Which rules let this shape pass with these values: all draws.
void add_shape(Executor& executor, const Case& shape, std::string_view values, Hidden& hidden) {
  std::array<bool, rules.size()> passes = {true, true, true};
  for (int draw = 0; draw < draws && (passes[0] || passes[1] || passes[2]); ++draw) {
    Case value = shape;
    value.key = mix(shape.key, static_cast<std::uint64_t>(draw));
    const Outcome outcome = executor.outcome_of(value);
    const Expected expected = executor.expected_of(value);
    for (std::size_t r = 0; r < rules.size(); ++r) {
      passes[r] =
          passes[r] && fixed_shape_accepts(fixed_rule(rules[r].fixed_shape), outcome, expected);
    }
  }
  for (std::size_t r = 0; r < rules.size(); ++r) {
    hidden.passed[{rules[r].name, values}] += passes[r] ? 1 : 0;
  }
}

UnitResult measured(const Piece& piece, const StudyOptions& options) {
  const Target target = study_target(*piece.kernel, "f32", options.device);
  Executor executor(target, study_build(target), study_session(), options.profile);
  Hidden hidden;
  for (const IntegerValues& shape : piece.shapes) {
    for (const std::string_view values : value_strategies) {
      Case value = study_case(*piece.kernel, "f32", study_strategy(values), options.run_seed);
      value.axes = shape;
      add_shape(executor, value, values, hidden);
    }
  }
  StudyJson json = StudyJson::object();
  for (const HiddenRule& rule : rules) {
    for (const std::string_view values : value_strategies) {
      json[std::string(rule.name)][std::string(values)] = hidden.passed[{rule.name, values}];
    }
  }
  return {std::move(json), executor.build().kind == Kind::pass};
}

void add_piece(const Piece& piece, const StudyJson& json, Hidden& hidden) {
  hidden.shapes += static_cast<std::int64_t>(piece.shapes.size());
  for (const HiddenRule& rule : rules) {
    for (const std::string_view values : value_strategies) {
      hidden.passed[{rule.name, values}] +=
          json[std::string(rule.name)][std::string(values)].get<std::int64_t>();
    }
  }
}

std::string published_text(const StudyKernel& kernel, std::string_view rule) {
  const StudyJson published = StudyJson::parse(kernel.published);
  const StudyJson cells = published.value("hidden_shapes", StudyJson::object());
  const std::string key(rule);
  if (!cells.contains(key)) return "-";
  return cells[key][0].get<std::string>() + ", " + cells[key][1].get<std::string>();
}

}  // namespace

StudyPart study_hidden_shapes(const StudyOptions& options) {
  const std::vector<Piece> pieces = pieces_of(options);
  std::vector<std::string> names;
  for (const Piece& piece : pieces) {
    names.push_back(fmt::format("{}/{} f32 all shapes from {}", piece.kernel->op->name,
                                piece.kernel->kernel->name, piece.first));
  }
  const TakenUnits taken =
      take_units(options.units, names, [&](std::size_t i) { return measured(pieces[i], options); });
  if (taken.missing > 0) return unfinished("hidden_shapes", taken.missing);
  std::vector<const StudyKernel*> kernels;
  std::vector<Hidden> results;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].first == 0) {
      kernels.push_back(pieces[i].kernel);
      results.emplace_back();
    }
    add_piece(pieces[i], taken.results[i], results.back());
  }
  StudyPart part;
  part.name = "hidden_shapes";
  part.measured = "Every shape once";
  StudyTable table{"Shapes at which five f32 draws let the bug pass: randn, U[-10,10)",
                   "Distinct shapes of rows x cols; the published counts are of B x S x H, on CPU "
                   "ports.",
                   {"bug"},
                   {}};
  for (const HiddenRule& rule : rules) {
    table.head.push_back(fmt::format("{}", rule.name));
    table.head.push_back("published");
  }
  for (std::size_t k = 0; k < kernels.size(); ++k) {
    std::vector<std::string> row = {kernels[k]->kernel->name};
    StudyJson json = {{"kernel", kernels[k]->kernel->name}, {"shapes", results[k].shapes}};
    for (const HiddenRule& rule : rules) {
      std::vector<std::int64_t> passed;
      for (const std::string_view values : value_strategies) {
        passed.push_back(results[k].passed[{rule.name, values}]);
        json[std::string(rule.name)][std::string(values)] = passed.back();
      }
      row.push_back(
          fmt::format("{}/{}, {}/{}", passed[0], results[k].shapes, passed[1], results[k].shapes));
      row.push_back(published_text(*kernels[k], rule.name));
    }
    part.data["rows"].push_back(std::move(json));
    table.rows.push_back(std::move(row));
  }
  part.tables.push_back(std::move(table));
  return part;
}

}  // namespace gate
