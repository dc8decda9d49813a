// The envelopes by force: every correct algorithm of every bundled op, column and value profile
// passes under the committed tolerance; nothing passes by miles everywhere.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "gate/oracle/comparison.h"
#include "gate/reference/glue.h"
#include "gate/test/property/bundled_op.h"
#include "gate/test/property/correct_algorithms.h"

namespace gate {
namespace {

using Sizes = std::vector<std::vector<std::int64_t>>;

/// Sizes worth meeting, in the order of the op's axes: one element, odd, a tile and one more, long
/// sums.
const Sizes& sizes_of(const OpSchema& op) {
  static const Sizes rows = {{3, 1}, {3, 2}, {3, 3}, {3, 31}, {3, 65}, {3, 257}, {2, 4099}};
  static const std::map<std::string, Sizes> others = {
      {"matmul", {{2, 1, 3}, {3, 33, 4}, {2, 100, 17}, {1, 1030, 8}}},
      {"attention", {{2, 1, 3}, {3, 33, 4}, {2, 100, 17}, {1, 1030, 8}}},
      {"matmul_nt", {{2, 3, 1}, {3, 4, 33}, {2, 17, 100}, {1, 8, 1030}}},
      {"linear_relu", {{2, 3, 1}, {3, 4, 33}, {2, 17, 100}, {1, 8, 1030}}},
      {"batched_matmul", {{2, 2, 3, 1}, {2, 3, 4, 33}, {1, 2, 3, 1030}}},
      {"conv1d", {{1, 2, 5, 1}, {3, 2, 20, 5}, {65, 2, 9, 7}}},
      {"conv2d", {{1, 2, 4, 4, 1}, {3, 2, 7, 9, 3}, {33, 2, 6, 5, 5}}},
      {"causal_attention", {{1, 3, 4}, {5, 5, 8}, {3, 33, 4}, {2, 200, 17}}},
      {"grouped_query_attention", {{1, 2, 1, 4}, {2, 2, 33, 8}, {1, 2, 300, 16}}},
      {"paged_decode_attention", {{1, 3, 4, 2, 8}, {2, 8, 16, 6, 16}}},
      {"average_pool", {{3, 5}, {3, 31}, {2, 257}}},
      {"batch_norm", {{1, 3}, {2, 3}, {31, 3}, {257, 2}, {4099, 2}}},
      {"group_norm", {{2, 2, 1}, {2, 2, 3}, {2, 3, 65}, {1, 2, 4099}}},
      {"scatter_add", {{1, 1}, {1, 300}, {31, 1000}, {3, 4099}}},
      {"cumsum", {{3, 1}, {3, 2}, {3, 31}, {3, 257}, {1, 1030}}},
      {"cumsum_columns", {{1, 3}, {2, 3}, {31, 3}, {257, 2}, {1030, 1}}},
  };
  const auto own = others.find(op.name);
  return own == others.end() ? rows : own->second;
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

TEST(Envelopes, OfEveryInexactOpAreChecked) {
  const std::vector<std::string> checked = ops_with_algorithms();
  for (const ReferenceRow* row : reference_table()) {
    const bool known = std::find(checked.begin(), checked.end(), row->op) != checked.end();
    for (const auto& [column, tolerance] : bundled_tolerances(row->op).rows) {
      EXPECT_TRUE(known || tolerance.exact) << row->op << ' ' << column;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ops, Envelope, testing::ValuesIn(ops_with_algorithms()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace gate
