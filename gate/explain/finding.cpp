// A failure and its explanation become a finding with a seed that can be written.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/finding.h"

#include "gate/explain/source.h"

namespace gate {
namespace {

constexpr std::size_t embedded_bytes_max = 4096;

std::string hex_bytes(const std::vector<std::byte>& bytes) {
  constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const std::byte byte : bytes) {
    const auto value = std::to_integer<unsigned>(byte);
    text += digits[value >> 4];
    text += digits[value & 15];
  }
  return text;
}

std::map<std::string, std::string> embedded_tensors(const Inputs& inputs) {
  std::map<std::string, std::string> result;
  for (const Tensor& tensor : inputs.tensors) {
    const bool is_input = tensor.role == Role::input || tensor.role == Role::inout;
    if (!is_input || tensor.storage.size() > embedded_bytes_max) continue;
    result[tensor.name] = hex_bytes(tensor.storage);
  }
  return result;
}

Seed seed_of(const Target& target, const RawFailure& failure, const Explanation& explanation) {
  const Verdict& verdict = failure.shrunk.verdict;
  Seed seed;
  seed.kernel = target.kernel->name;
  seed.test_case = failure.shrunk.test_case;
  seed.kind = verdict.kind;
  seed.property = verdict.property;
  seed.pattern = explanation.pattern;
  seed.fingerprint = fingerprint(target.op->name, target.column, verdict.property, verdict.kind,
                                 target.kernel->name);
  seed.device = target.device;
  seed.note = explanation.sentence;
  seed.output_digest = verdict.output_digest;
  if (!validate(seed.test_case, *target.op, target.kernel)) return seed;
  const Inputs inputs = make_inputs(seed.test_case, *target.op, target.kernel);
  seed.input_digest = input_digest(inputs);
  seed.embedded = embedded_tensors(inputs);
  return seed;
}

}  // namespace

Finding make_finding(const Target& target, RawFailure failure, Explanation explanation) {
  Finding finding;
  finding.op = target.op->name;
  finding.kernel = target.kernel->name;
  finding.column = target.column;
  finding.device = target.device;
  finding.seed = seed_of(target, failure, explanation);
  finding.failure = std::move(failure);
  finding.explanation = std::move(explanation);
  finding.source_file = repository_path(target.kernel->source);
  finding.source_line = entry_line(*target.kernel, target.column);
  return finding;
}

}  // namespace gate
