// The envelopes by force: every correct algorithm of every bundled op, column and value profile
// passes under the committed tolerance; nothing passes by miles everywhere.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "gate/oracle/comparison.h"
#include "gate/reference/glue.h"
#include "gate/test/property/bundled_op.h"
#include "gate/test/property/correct_algorithms.h"

namespace gate {
namespace {

/// Sizes worth meeting: one element, odd, a tile and one more, long rows.
std::vector<std::vector<std::int64_t>> sizes_of(const OpSchema& op) {
  if (op.axes.size() == 3) return {{2, 1, 3}, {3, 33, 4}, {2, 100, 17}, {1, 1030, 8}};
  return {{3, 1}, {3, 2}, {3, 3}, {3, 31}, {3, 65}, {3, 257}, {2, 4099}};
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
  const OpSchema op = bundled_op(GetParam());
  const ToleranceTable tolerances = bundled_tolerances(GetParam());
  for (const std::string& column : op.columns) {
    ASSERT_TRUE(tolerances.rows.contains(column));
    const Tolerance& tolerance = tolerances.rows.at(column);
    Tally tally;
    for (const std::vector<std::int64_t>& sizes : sizes_of(op)) {
      for (const Case& value : sample_cases(op, column, sizes)) {
        const auto valid = validate(value, op, nullptr);
        ASSERT_TRUE(valid) << to_text(valid.failure());
        check_algorithms(op, value, tolerance, tally);
        if (HasFatalFailure()) return;
      }
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

std::vector<std::string> ops_with_algorithms() {
  std::vector<std::string> names;
  for (const ReferenceRow* row : reference_table()) {
    if (!correct::algorithms_of(row->op).empty()) names.emplace_back(row->op);
  }
  return names;
}

/// Correct kernels of an op's own folder, by their sources: the gate runs them on every profile.
std::size_t controls_of(const std::string& op) {
  const auto folder = std::filesystem::path(GATE_SOURCE_DIR) / "testcases" / op / "kernels";
  std::set<std::string> sources;
  for (const auto& file : find_files(folder, ".toml")) {
    const auto text = read_file(file);
    const auto kernel = text ? parse_kernel(*text, file, bundled_op(op)) : text.failure();
    if (!kernel) continue;
    for (const auto& [column, expected] : kernel->expect) {
      if (expected.klass == Class::clean) sources.insert(kernel->source.string());
    }
  }
  return sources.size();
}

/// By many algorithms here, or by two controls beside the op.
TEST(Envelopes, OfEveryInexactOpAreChecked) {
  const std::vector<std::string> checked = ops_with_algorithms();
  for (const ReferenceRow* row : reference_table()) {
    const bool known = std::find(checked.begin(), checked.end(), row->op) != checked.end() ||
                       controls_of(row->op) >= 2;
    for (const auto& [column, tolerance] : bundled_tolerances(row->op).rows) {
      EXPECT_TRUE(known || tolerance.exact) << row->op << ' ' << column;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Envelope, testing::ValuesIn(ops_with_algorithms()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace gate
