// The table of laws, and the judgement of a law's two runs.
// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle/laws.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "gate/base/text.h"
#include "gate/oracle/contract.h"
#include "gate/oracle/element.h"
#include "gate/oracle/law_subject.h"

namespace gate {
namespace {

constexpr std::string_view exact_integers = "exact_integers";

using Transform = std::optional<LawRun> (*)(const LawSubject&);

/// exact_integers has no second run: the judge applies it to every case of exact profiles.
std::optional<LawRun> no_second_run(const LawSubject&) { return std::nullopt; }

struct LawRow {
  LawFacts facts;
  Transform transform;
};

const std::vector<LawRow>& law_rows() {
  static const std::vector<LawRow> rows = {
      {{"rows_independent", "one row alone gives what it gives among others"}, rows_independent},
      {{"batch_independent", "other contents around a row leave it unchanged"}, batch_independent},
      {{"permute_rows", "rows in another order give the same rows in that order"}, permute_rows},
      {{"shift_invariant", "adding a constant to every row changes nothing"}, shift_invariant},
      {{"scale_by_power_of_two", "inputs times 8 give outputs times 8, bit by bit"},
       scale_by_power_of_two},
      {{"padding_invariant", "strided and contiguous views of one tensor agree"},
       padding_invariant},
      {{exact_integers, "small integers are summed without any error"}, no_second_run},
  };
  return rows;
}

/// One output element on both sides of a law.
struct LawElement {
  double base = 0, transformed = 0;  // base already scaled by 2^exponent
  double base_limit = 0, transformed_limit = 0;
};

bool differs(const LawElement& element, bool bitwise) {
  if (std::isnan(element.base) && std::isnan(element.transformed)) return false;
  if (element.base == element.transformed) return false;
  if (bitwise) return true;
  return !(std::abs(element.base - element.transformed) <=
           element.base_limit + element.transformed_limit);
}

/// Scaling is exact only away from underflow and overflow.
bool leaves_range(double value, DType dtype) {
  const DTypeFacts& known = facts(dtype);
  const double magnitude = std::abs(value);
  return magnitude != 0 && !(magnitude >= known.normal_min * 4 && magnitude <= known.largest / 4);
}

/// Whether fp64 itself obeys the law here, up to its own rounding.
bool reference_obeys(double base, double transformed, double limits) {
  if (std::isnan(base) || std::isnan(transformed))
    return std::isnan(base) == std::isnan(transformed);
  if (base == transformed) return true;
  return std::abs(base - transformed) <= limits + 1e-9 * std::abs(base);
}

struct LawOutput {
  const Tensor& base;
  const Tensor& transformed;
  const ExpectedTensor& base_want;
  const ExpectedTensor& transformed_want;
  const std::vector<std::int64_t>& origin;
};

void set(Verdict& verdict, Kind kind, std::string text) {
  verdict.kind = kind;
  verdict.text = std::move(text);
}

/// Judges one float output; fills the verdict at the first difference.
void judge_floats(Verdict& verdict, const LawOutput& output, const LawRun& run,
                  const Judging& judging) {
  const ElementRule rule = element_rule(output.base.dtype, judging.tolerance, judging.op.contract);
  for (std::int64_t i = 0; i < output.transformed.elements(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    if (output.origin[place] < 0) continue;
    const auto origin = static_cast<std::size_t>(output.origin[place]);
    if (is_open(output.base_want, origin, judging.op.contract)) continue;
    const double want_base = std::ldexp(output.base_want.value[origin], run.exponent);
    const double want = output.transformed_want.value[place];
    LawElement element;
    element.base = std::ldexp(output.base.at(output.origin[place]), run.exponent);
    element.transformed = output.transformed.at(i);
    element.base_limit = std::ldexp(
        limit_of(rule, output.base_want.value[origin], output.base_want.envelope[origin]),
        run.exponent);
    element.transformed_limit = limit_of(rule, want, output.transformed_want.envelope[place]);
    const double limits = element.base_limit + element.transformed_limit;
    if (std::isfinite(want) && !std::isfinite(limits)) continue;  // unjudgeable
    if (run.exponent != 0 && (leaves_range(output.base.at(output.origin[place]), rule.dtype) ||
                              leaves_range(element.transformed, rule.dtype))) {
      continue;
    }
    if (!reference_obeys(want_base, want, limits)) {
      return set(verdict, Kind::not_checked,
                 fmt::format("the reference itself breaks the law at {} element {}: {} and {}",
                             output.base.name, i, number_text(want_base), number_text(want)));
    }
    if (!differs(element, run.bitwise)) continue;
    return set(
        verdict, Kind::law_broken,
        fmt::format("{} element {}: {}, but {} in the base run (element {})", output.base.name, i,
                    number_text(element.transformed), number_text(element.base), origin));
  }
}

void judge_integers(Verdict& verdict, const LawOutput& output, const Judging& judging) {
  for (std::int64_t i = 0; i < output.transformed.elements(); ++i) {
    const std::int64_t origin = output.origin[static_cast<std::size_t>(i)];
    if (origin < 0) continue;
    const auto base_place = static_cast<std::size_t>(origin);
    if (is_open(output.base_want, base_place, judging.op.contract)) continue;
    const std::int64_t base = output.base.integer_at(origin);
    const std::int64_t transformed = output.transformed.integer_at(i);
    if (base == transformed) continue;
    const std::int64_t want_base = output.base_want.integers[base_place];
    const std::int64_t want = output.transformed_want.integers[static_cast<std::size_t>(i)];
    if (want_base != want) {
      return set(verdict, Kind::not_checked,
                 fmt::format("the reference itself breaks the law at {} element {}: {} and {}",
                             output.base.name, i, want_base, want));
    }
    return set(verdict, Kind::law_broken,
               fmt::format("{} element {}: {}, but {} in the base run (element {})",
                           output.base.name, i, transformed, base, origin));
  }
}

}  // namespace

const std::vector<LawFacts>& all_laws() {
  static const std::vector<LawFacts> laws = [] {
    std::vector<LawFacts> result;
    for (const LawRow& row : law_rows()) result.push_back(row.facts);
    return result;
  }();
  return laws;
}

std::optional<LawRun> transform(const std::string& law, const LawSubject& subject) {
  for (const LawRow& row : law_rows()) {
    if (row.facts.name == law) return row.transform(subject);
  }
  return std::nullopt;
}

Verdict judge_law(const std::string& law, const LawOutcomes& outcomes, const Judging& judging) {
  Verdict verdict;
  verdict.property = "law:" + law;
  verdict.schedule = judging.test_case.schedule;
  for (const Outcome* outcome : {&outcomes.base, &outcomes.transformed}) {
    if (outcome->end == Kind::pass) continue;
    set(verdict, outcome->end, "run of law " + law + ": " + outcome->text);
    return verdict;
  }
  verdict.output_digest = output_digest(outcomes.transformed);
  for (std::size_t o = 0; o < outcomes.base_expected.outputs.size(); ++o) {
    const ExpectedTensor& base_want = outcomes.base_expected.outputs[o];
    const auto origin = outcomes.run.base_element.find(base_want.name);
    const Tensor* base = find_output(outcomes.base, base_want.name);
    const Tensor* transformed = find_output(outcomes.transformed, base_want.name);
    if (origin == outcomes.run.base_element.end() || base == nullptr || transformed == nullptr ||
        o >= outcomes.transformed_expected.outputs.size()) {
      continue;
    }
    const LawOutput output{*base, *transformed, base_want, outcomes.transformed_expected.outputs[o],
                           origin->second};
    if (facts(base->dtype).is_float) {
      judge_floats(verdict, output, outcomes.run, judging);
    } else {
      judge_integers(verdict, output, judging);
    }
    if (verdict.kind != Kind::pass) return verdict;
  }
  return verdict;
}

bool owes_exact(const Judging& judging, const ExpectedTensor& want) {
  const std::vector<std::string>& laws = judging.op.contract.laws;
  if (std::find(laws.begin(), laws.end(), exact_integers) == laws.end()) return false;
  for (const auto& [name, choice] : judging.test_case.tensors) {
    if (choice.profile.empty()) continue;
    const ProfileFacts* profile = profile_facts(choice);
    if (profile == nullptr || (profile->floats && !profile->exact)) return false;
  }
  // The envelope is at least roundoff times the sum of magnitudes: below 1, all partial sums are
  // integers that the accumulator holds exactly.
  const auto integral = [](double value) { return value == std::trunc(value); };
  const auto small = [](double envelope) { return envelope >= 0 && envelope < 1; };
  return std::all_of(want.value.begin(), want.value.end(), integral) &&
         std::all_of(want.envelope.begin(), want.envelope.end(), small);
}

}  // namespace gate
