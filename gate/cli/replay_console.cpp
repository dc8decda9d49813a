// What a replay showed: verdict, place, inputs, failing elements, explanation.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/replay_console.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "gate/base/text.h"
#include "gate/explain/source.h"

namespace gate {
namespace {

constexpr std::int64_t whole_elements_max = 16;  // an input up to here is shown whole
constexpr std::int64_t listed_elements_max = 8;  // of failing elements, and of those set by hand

std::string_view outcome_text(SeedResult::End end) {
  switch (end) {
    case SeedResult::End::passes:
      return "PASSES: the finding does not reproduce";
    case SeedResult::End::reproduces:
      return "REPRODUCES";
    case SeedResult::End::fails_otherwise:
      return "REPRODUCES, but fails in another way";
    case SeedResult::End::invalid_case:
      return "CANNOT BE RUN";
    case SeedResult::End::digest_differs:
      return "NOT THE SAME INPUT";
    case SeedResult::End::unchecked:
      return "COULD NOT BE CHECKED";
  }
  return {};
}

void write_field(std::ostream& out, std::string_view field, const std::string& value) {
  if (!value.empty()) out << fmt::format("  {:<9} {}\n", field, clean_text(value, 8192));
}

/// "1.5", or the integer.
std::string element_text(const Tensor& tensor, std::int64_t element) {
  if (facts(tensor.dtype).is_float) return number_text(tensor.at(element));
  return std::to_string(tensor.integer_at(element));
}

std::string place_text(const std::string& name, const std::vector<std::int64_t>& shape,
                       std::int64_t element) {
  std::vector<std::string> parts;
  for (const std::int64_t part : index_of(shape, element)) parts.push_back(std::to_string(part));
  return name + "[" + join(parts, ",") + "]";
}

/// Small inputs whole; of others the elements that shrinking set by hand.
void write_inputs(const Case& value, const Inputs& inputs, std::ostream& out) {
  for (const Tensor& tensor : inputs.tensors) {
    if (tensor.role != Role::input && tensor.role != Role::inout) continue;
    std::vector<std::string> parts;
    if (tensor.elements() <= whole_elements_max) {
      for (std::int64_t i = 0; i < tensor.elements(); ++i) parts.push_back(element_text(tensor, i));
      write_field(out, "input", tensor.name + " = " + join(parts, " "));
      continue;
    }
    const auto choice = value.tensors.find(tensor.name);
    if (choice == value.tensors.end()) continue;
    for (const ElementOverride& set : choice->second.elements) {
      if (static_cast<std::int64_t>(parts.size()) == listed_elements_max) break;
      parts.push_back(place_text(tensor.name, tensor.view.shape, set.element) + " = " +
                      element_text(tensor, set.element));
    }
    if (!parts.empty()) write_field(out, "input", join(parts, ", ") + ", the rest as its profile");
  }
}

/// The first failing elements of each output: place, got, want, limit.
void write_elements(const Verdict& verdict, const Material& material, std::ostream& out) {
  for (const Comparison& comparison : verdict.comparisons) {
    const auto same = [&](const auto& each) { return each.name == comparison.output; };
    const auto& after = material.outcome.after;
    const auto got = std::find_if(after.begin(), after.end(), same);
    const auto want = std::find_if(material.outputs.begin(), material.outputs.end(), same);
    if (got == after.end() || want == material.outputs.end()) continue;
    std::int64_t listed = 0;
    for (std::size_t i = 0; i < comparison.failed.size() && i < want->elements.size(); ++i) {
      if (comparison.failed[i] == 0 || listed++ >= listed_elements_max) continue;
      const auto element = static_cast<std::int64_t>(i);
      const Acceptance& right = want->elements[i];
      const bool is_float = facts(got->dtype).is_float;
      write_field(
          out, "element",
          fmt::format("{}: got {}, want {}{}", place_text(got->name, got->view.shape, element),
                      element_text(*got, element),
                      is_float ? number_text(right.value) : std::to_string(right.integer),
                      is_float ? ", limit " + number_text(right.limit) : ""));
    }
    if (listed > listed_elements_max) {
      write_field(out, "element", fmt::format("and {} more", listed - listed_elements_max));
    }
  }
}

}  // namespace

void write_replay(const Replay& replay, const Subject& subject, std::ostream& out) {
  const SeedResult& result = replay.result;
  const Verdict& verdict = result.judged.verdict;
  const KernelSpec& kernel = *subject.target.kernel;
  const std::string& column = subject.target.column;
  out << outcome_text(result.end) << "\n";
  write_field(out, "kernel",
              fmt::format("{}/{} {} on {}", kernel.op, kernel.name, column, subject.target.device));
  write_field(out, "where",
              fmt::format("{}:{}", repository_path(kernel.source), entry_line(kernel, column)));
  write_field(out, "case", to_text(result.seed.test_case));
  write_field(
      out, "recorded",
      fmt::format("{} ({}) {}", name(result.seed.kind), result.seed.property, result.seed.pattern));
  write_field(out, "now",
              fmt::format("{} ({}): {}", name(verdict.kind), verdict.property, verdict.text));
  write_field(out, "inputs", verdict.input_digest);
  write_field(out, "outputs", verdict.output_digest);
  if (replay.why) {
    const Explanation& why = *replay.why;
    write_field(out, "what", why.sentence);
    write_field(out, "worst", why.worst);
    write_field(out, "pattern", why.pattern);
    write_field(out, "when", why.core);
    if (!why.error_map.empty()) out << why.error_map << "\n";
  }
  if (replay.material) {
    write_inputs(result.seed.test_case, replay.material->inputs, out);
    write_elements(verdict, *replay.material, out);
  }
  write_field(out, "recorded note", result.seed.note);
}

}  // namespace gate
