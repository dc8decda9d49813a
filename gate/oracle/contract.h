// Memory side of the contract: what is open, what was never written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "gate/oracle/verdict.h"

namespace gate {

const Tensor* find_output(const Outcome& outcome, const std::string& name);

/// Whether the contract leaves this element open: any value, poison too.
bool is_open(const ExpectedTensor& want, std::size_t element, const Contract& contract);

struct Unwritten {
  std::string output;
  std::int64_t output_elements = 0;
  std::vector<std::int64_t> elements;
};
/// Elements that certainly were never written: they hold poison, and survive the second poison run
/// or, where there was none, are wrong. Elements that the contract leaves open do not count.
std::optional<Unwritten> unwritten_output(const JudgeInput& input,
                                          const std::vector<Comparison>& comparisons);

}  // namespace gate
