// Bundled ops as tests meet them: read from the source tree, with cases over their profiles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "gate/base/files.h"
#include "gate/cases/inputs.h"
#include "gate/cases/profiles.h"
#include "gate/oracle/laws.h"
#include "gate/reference/expected.h"
#include "gate/spec/read.h"

namespace gate {

inline KnownNames all_known_names() {
  KnownNames known;
  for (const ProfileFacts& profile : all_profiles()) known.profiles.emplace_back(profile.name);
  for (const LawFacts& law : all_laws()) known.laws.emplace_back(law.name);
  return known;
}

inline OpSchema bundled_op(const std::string& name) {
  const auto file = std::filesystem::path(GATE_SOURCE_DIR) / "testcases" / name / "op.toml";
  const auto text = read_file(file);
  if (!text) {
    ADD_FAILURE() << to_text(text.failure());
    return {};
  }
  auto op = parse_op(*text, file, all_known_names());
  if (!op) {
    ADD_FAILURE() << to_text(op.failure());
    return {};
  }
  op->bundled = true;
  return *op;
}

inline ToleranceTable bundled_tolerances(const std::string& name) {
  const auto file = std::filesystem::path(GATE_SOURCE_DIR) / "tolerances" / (name + ".toml");
  const auto text = read_file(file);
  if (!text) {
    ADD_FAILURE() << to_text(text.failure());
    return {};
  }
  const auto table = parse_tolerances(*text, file);
  if (table) return *table;
  ADD_FAILURE() << to_text(table.failure());
  return {};
}

/// One case of the given sizes (in the order of the axes, the last for all further ones), every
/// tensor contiguous.
inline Case plain_case(const OpSchema& op, const std::string& column,
                       const std::vector<std::int64_t>& sizes) {
  Case value;
  value.op = op.name;
  value.column = column;
  for (std::size_t i = 0; i < op.axes.size(); ++i) {
    const Axis& axis = op.axes[i];
    const std::int64_t size = sizes[std::min(i, sizes.size() - 1)];
    value.axes[axis.name] = std::clamp(size, axis.min, axis.max);
  }
  for (const TensorSchema& input : op.inputs) {
    const bool named = !input.profiles.empty();
    value.tensors[input.name].profile = named ? input.profiles.front() + "@1" : "uniform@1";
  }
  for (const Attribute& attribute : op.attributes) {
    value.attributes[attribute.name] = attribute.fallback;
  }
  for (const TensorSchema& output : op.outputs) value.tensors[output.name] = {};
  return value;
}

/// Each profile of each input in turn, the others left at their first; attributes take turns.
inline std::vector<Case> sample_cases(const OpSchema& op, const std::string& column,
                                      const std::vector<std::int64_t>& sizes) {
  std::vector<Case> cases;
  std::uint64_t key = 1;
  cases.push_back(plain_case(op, column, sizes));
  for (const TensorSchema& varied : op.inputs) {
    for (const std::string& profile : varied.profiles) {
      Case value = plain_case(op, column, sizes);
      value.key = key++;
      value.tensors[varied.name].profile = profile + "@1";
      for (const Attribute& attribute : op.attributes) {
        value.attributes[attribute.name] = attribute.values[key % attribute.values.size()];
      }
      if (find_profile(profile)->special) value.property = property_special;
      cases.push_back(value);
    }
  }
  return cases;
}

}  // namespace gate
