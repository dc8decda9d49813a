// The envelopes by force: every correct algorithm of every bundled op, column and value profile
// passes under the committed tolerance; nothing passes by miles everywhere.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "gate/base/files.h"
#include "gate/cases/profiles.h"
#include "gate/oracle/comparison.h"
#include "gate/oracle/laws.h"
#include "gate/reference/glue.h"
#include "gate/spec/read.h"
#include "gate/test/property/correct_algorithms.h"

namespace gate {
namespace {

const std::filesystem::path source_folder = GATE_SOURCE_DIR;

OpSchema op_named(const std::string& name) {
  const auto file = source_folder / "testcases" / name / "op.toml";
  const auto text = read_file(file);
  EXPECT_TRUE(text) << name;
  KnownNames known;
  for (const ProfileFacts& profile : all_profiles()) known.profiles.emplace_back(profile.name);
  for (const LawFacts& law : all_laws()) known.laws.emplace_back(law.name);
  auto op = parse_op(*text, file, known);
  if (!op) {
    ADD_FAILURE() << to_text(op.failure());
    return {};
  }
  op->bundled = true;
  return *op;
}

ToleranceTable tolerances_of(const std::string& name) {
  const auto file = source_folder / "tolerances" / (name + ".toml");
  const auto text = read_file(file);
  EXPECT_TRUE(text) << name;
  auto table = parse_tolerances(*text, file);
  if (table) return *table;
  ADD_FAILURE() << to_text(table.failure());
  return {};
}

/// Sizes worth meeting: one element, odd, a tile and one more, long rows.
std::vector<IntegerValues> shapes_of(const OpSchema& op) {
  std::vector<IntegerValues> shapes;
  if (op.axes.size() == 2) {
    for (const std::int64_t cols : {1, 2, 3, 31, 65, 257, 1000}) {
      shapes.push_back({{op.axes[0].name, 3}, {op.axes[1].name, cols}});
    }
    return shapes;
  }
  for (const std::array<std::int64_t, 3>& size :
       {std::array<std::int64_t, 3>{2, 1, 3}, {3, 33, 4}, {2, 100, 17}, {1, 513, 8}}) {
    shapes.push_back(
        {{op.axes[0].name, size[0]}, {op.axes[1].name, size[1]}, {op.axes[2].name, size[2]}});
  }
  return shapes;
}

Case case_of(const OpSchema& op, const std::string& column, const IntegerValues& axes) {
  Case value;
  value.op = op.name;
  value.column = column;
  value.axes = axes;
  for (const Attribute& attribute : op.attributes)
    value.attributes[attribute.name] = attribute.fallback;
  for (const TensorSchema& output : op.outputs) value.tensors[output.name] = {};
  return value;
}

/// Each profile of each input in turn, the others normal; and all inputs alike where legal.
std::vector<Case> cases_of(const OpSchema& op, const std::string& column) {
  std::vector<Case> cases;
  std::uint64_t key = 1;
  for (const IntegerValues& axes : shapes_of(op)) {
    for (const TensorSchema& varied : op.inputs) {
      for (const std::string& profile : varied.profiles) {
        Case value = case_of(op, column, axes);
        value.key = key++;
        for (const TensorSchema& input : op.inputs) {
          value.tensors[input.name].profile =
              (input.name == varied.name ? profile : input.profiles.front()) + "@1";
        }
        for (const Attribute& attribute : op.attributes) {
          value.attributes[attribute.name] = attribute.values[key % attribute.values.size()];
        }
        if (find_profile(profile)->special) value.property = property_special;
        cases.push_back(value);
      }
    }
  }
  return cases;
}

struct Tally {
  std::int64_t elements = 0, unjudgeable = 0;
  double largest_ratio = 0;
  double beside_rounding = 0;  // largest envelope in units of the final rounding
};

/// The envelope where it matters most beside what storing the output loses anyway.
double beside_rounding(const ExpectedTensor& want, DType dtype) {
  const DTypeFacts& out = facts(dtype);
  double largest = 0;
  for (std::size_t i = 0; i < want.value.size(); ++i) {
    const double stored = out.unit_roundoff * std::abs(want.value[i]) + 2 * out.subnormal_min;
    if (std::isfinite(stored)) largest = std::max(largest, want.envelope[i] / stored);
  }
  return largest;
}

void check_algorithms(const OpSchema& op, const Case& value, const Tolerance& tolerance,
                      Tally& tally) {
  Inputs inputs = make_inputs(value, op, nullptr);
  const Expected expected = compute_expected(inputs, op, value.column);
  for (const ExpectedTensor& want : expected.outputs) {
    const DType dtype = find_tensor(inputs, want.name)->dtype;
    tally.beside_rounding = std::max(tally.beside_rounding, beside_rounding(want, dtype));
  }
  for (const correct::Algorithm& algorithm : correct::algorithms_of(op.name)) {
    algorithm.run(inputs);
    for (const ExpectedTensor& want : expected.outputs) {
      const Comparison got = compare(*find_tensor(inputs, want.name), want, tolerance, op.contract);
      ASSERT_EQ(got.wrong + got.nonfinite, 0)
          << algorithm.name << ": " << to_text(value) << "\nelement " << got.worst << ": got "
          << got.got << ", want " << got.want << ", limit " << got.limit;
      tally.largest_ratio = std::max(tally.largest_ratio, got.largest_ratio);
      tally.elements += got.elements;
      tally.unjudgeable += got.unjudgeable;
    }
  }
}

class Envelope : public testing::TestWithParam<std::string> {};

TEST_P(Envelope, AdmitsEveryCorrectAlgorithmAndIsNotIdle) {
  const OpSchema op = op_named(GetParam());
  const ToleranceTable tolerances = tolerances_of(GetParam());
  ASSERT_FALSE(correct::algorithms_of(op.name).empty());
  for (const std::string& column : op.columns) {
    ASSERT_TRUE(tolerances.rows.contains(column));
    const Tolerance& tolerance = tolerances.rows.at(column);
    Tally tally;
    for (const Case& value : cases_of(op, column)) {
      const auto valid = validate(value, op, nullptr);
      ASSERT_TRUE(valid) << to_text(valid.failure());
      check_algorithms(op, value, tolerance, tally);
      if (HasFatalFailure()) return;
    }
    RecordProperty("ratio_" + column, std::to_string(tally.largest_ratio));
    RecordProperty("unjudgeable_" + column, std::to_string(tally.unjudgeable));
    RecordProperty("beside_rounding_" + column, std::to_string(tally.beside_rounding));
    // Wide outputs show how near correct algorithms come; rounding hides it in narrow ones.
    const bool is_wide = facts(dtype_of(op, column, op.outputs[0].name)).bytes >= 4;
    if (is_wide && tally.beside_rounding > 2) {
      EXPECT_GE(tally.largest_ratio, 0.02 * tolerance.c) << column;
    }
    EXPECT_LE(tally.largest_ratio, tolerance.c) << column;
    EXPECT_LT(tally.unjudgeable, tally.elements / 20) << column;
  }
}

std::vector<std::string> bundled_ops() {
  std::vector<std::string> names;
  for (const ReferenceRow* row : reference_table()) names.emplace_back(row->op);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Ops, Envelope, testing::ValuesIn(bundled_ops()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace gate
