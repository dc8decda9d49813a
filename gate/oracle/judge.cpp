// From an outcome to a kind, in a fixed order of precedence.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <array>
#include <cmath>

#include "gate/base/text.h"
#include "gate/oracle/contract.h"
#include "gate/oracle/laws.h"
#include "gate/oracle/verdict.h"

namespace gate {
namespace {

/// The property a kind reported by the device belongs to.
std::string device_property(Kind end, const std::string& otherwise) {
  switch (end) {
    case Kind::build_failed:
      return std::string(property_build);
    case Kind::out_of_bounds:
    case Kind::input_modified:
    case Kind::unwritten:
      return std::string(property_memory);
    case Kind::nondeterministic:
      return std::string(property_repeat);
    default:
      return otherwise;
  }
}

std::string element_text(const Comparison& comparison) {
  const std::vector<std::int64_t> index = index_of(comparison.shape, comparison.worst);
  std::vector<std::string> parts;
  for (const std::int64_t part : index) parts.push_back(std::to_string(part));
  return fmt::format("{}[{}]: got {}, want {}, limit {}", comparison.output, join(parts, ","),
                     number_text(comparison.got), number_text(comparison.want),
                     number_text(comparison.limit));
}

void set(Verdict& verdict, Kind kind, std::string_view property, std::string text) {
  verdict.kind = kind;
  verdict.property = property;
  verdict.text = std::move(text);
}

/// Fills the comparisons and what is counted over them.
void compare_outputs(Verdict& verdict, const JudgeInput& input) {
  const Judging& judging = input.judging;
  std::int64_t discriminating = 0;
  for (const ExpectedTensor& want : judging.expected.outputs) {
    const Tensor* got = find_output(input.outcome, want.name);
    if (got == nullptr) continue;
    Tolerance tolerance = judging.tolerance;
    tolerance.exact = tolerance.exact || owes_exact(judging, want);
    Comparison comparison = compare(*got, want, tolerance, judging.op.contract);
    discriminating += comparison.discriminating;
    verdict.unjudgeable += comparison.unjudgeable;
    verdict.comparisons.push_back(std::move(comparison));
  }
  verdict.discriminating = discriminating > 0;
}

/// Value kinds, once memory is in order: nonfinite before wrong, nothing judged is not a pass.
void judge_values(Verdict& verdict, const std::string& property) {
  std::int64_t elements = 0;
  for (const Comparison& comparison : verdict.comparisons) elements += comparison.elements;
  for (const Kind kind : {Kind::nonfinite, Kind::wrong}) {
    for (const Comparison& comparison : verdict.comparisons) {
      const bool finite = kind == Kind::wrong;
      if ((finite ? comparison.wrong : comparison.nonfinite) == 0) continue;
      const std::int64_t failing = comparison.wrong + comparison.nonfinite;
      set(verdict, kind, property,
          fmt::format("{} of {} elements {}; {}", failing, comparison.elements,
                      finite ? "wrong" : "not finite or wrong", element_text(comparison)));
      return;
    }
  }
  verdict.property = property;
  if (elements > 0 && verdict.unjudgeable == elements) {
    set(verdict, Kind::not_checked, property, "the reference can judge no element of this case");
  } else if (verdict.unjudgeable * 2 > elements) {
    verdict.text = fmt::format("{} of {} elements unjudgeable: a fault of the generator",
                               verdict.unjudgeable, elements);
  }
}

}  // namespace

const ProfileFacts* profile_facts(const TensorChoice& choice) {
  return choice.profile.empty() ? nullptr
                                : find_profile(choice.profile.substr(0, choice.profile.find('(')));
}

std::string property_of(const Case& value, const OpSchema& op) {
  for (const auto& [name, choice] : value.tensors) {
    const ProfileFacts* profile = profile_facts(choice);
    if (profile != nullptr && profile->special) return std::string(property_special);
    if (choice.elements.empty()) continue;
    const DType dtype = dtype_of(op, value.column, name);
    for (const ElementOverride& element : choice.elements) {
      std::array<std::byte, 8> bytes{};
      store_bits(dtype, element.bits, bytes.data());
      if (facts(dtype).is_float && !std::isfinite(load(dtype, bytes.data()))) {
        return std::string(property_special);
      }
    }
  }
  return std::string(property_value);
}

Verdict judge(const JudgeInput& input) {
  const Outcome& outcome = input.outcome;
  const Case& test_case = input.judging.test_case;
  const std::string property = property_of(test_case, input.judging.op);
  Verdict verdict;
  verdict.property = property;
  verdict.schedule = test_case.schedule;
  if (outcome.end != Kind::pass) {
    set(verdict, outcome.end, device_property(outcome.end, property), outcome.text);
    verdict.discriminating = false;
    return verdict;
  }
  verdict.output_digest = output_digest(outcome);
  compare_outputs(verdict, input);
  if (outcome.red_zone) {
    set(verdict, Kind::out_of_bounds, property_memory, *outcome.red_zone);
    return verdict;
  }
  if (!outcome.modified_inputs.empty()) {
    set(verdict, Kind::input_modified, property_memory,
        "wrote to its input " + join(outcome.modified_inputs, ", "));
    return verdict;
  }
  if (const std::optional<Unwritten> left = unwritten_output(input, verdict.comparisons)) {
    verdict.unwritten = left->elements;
    set(verdict, Kind::unwritten, property_memory,
        fmt::format("{} of {} elements of {} never written", left->elements.size(),
                    left->output_elements, left->output));
    return verdict;
  }
  judge_values(verdict, property);
  return verdict;
}

}  // namespace gate
