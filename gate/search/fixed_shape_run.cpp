// Measuring the fixed-shape oracles on a target: every rule, every draw, real outputs.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <map>

#include "gate/oracle/fixed_shape.h"
#include "gate/search/search.h"

namespace gate {
namespace {

/// Rules share draws: each is run and referenced once.
struct Draw {
  Outcome outcome;
  Expected expected;
  std::string problem;  // why it cannot run there
};

class Measurement {
 public:
  explicit Measurement(Executor& executor) : executor_(executor) {}

  FixedShapeResult measure(const FixedShapeRule& rule) {
    FixedShapeResult result{rule.name, rule.values, false, "", 0};
    const Target& target = executor_.target();
    if (executor_.build().kind != Kind::pass) {
      result.text = fmt::format("{}: {}", name(executor_.build().kind), executor_.build().text);
      return result;
    }
    for (const Case& value : fixed_shape_cases(rule, *target.op, target.column)) {
      const Draw& drawn = draw(value);
      ++result.draws;
      if (!drawn.problem.empty()) {
        result.text = drawn.problem;
        return result;
      }
      if (!fixed_shape_accepts(rule, drawn.outcome, drawn.expected)) {
        result.text = fmt::format("draw {} differs", result.draws);
        return result;
      }
    }
    result.passed = result.draws > 0;
    return result;
  }

 private:
  const Draw& draw(const Case& value) {
    const auto [place, is_new] = draws_.try_emplace(to_text(value));
    if (!is_new) return place->second;
    Draw& drawn = place->second;
    const Target& target = executor_.target();
    if (const Result<Done> legal = validate(value, *target.op, target.kernel); !legal) {
      drawn.problem = "cannot run there: " + legal.failure().problems.front().text;
      return drawn;
    }
    drawn.outcome = executor_.zeroed_outcome_of(value);
    if (drawn.outcome.end != Kind::pass) {
      drawn.problem = fmt::format("{}: {}", name(drawn.outcome.end), drawn.outcome.text);
      return drawn;
    }
    drawn.expected = executor_.expected_of(value);
    if (drawn.expected.outputs.empty()) drawn.problem = "no reference";
    return drawn;
  }

  Executor& executor_;
  std::map<std::string, Draw> draws_;
};

}  // namespace

std::vector<FixedShapeResult> measure_fixed_shape(Executor& executor) {
  Measurement measurement(executor);
  std::vector<FixedShapeResult> results;
  for (const FixedShapeRule& rule : all_fixed_shape_rules()) {
    results.push_back(measurement.measure(rule));
  }
  return results;
}

}  // namespace gate
