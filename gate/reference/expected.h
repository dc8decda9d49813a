// What a reference yields, and how the gate calls one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gate/cases/inputs.h"
#include "gate/reference/arithmetic.h"
#include "gate/spec/op_schema.h"

namespace gate {

/// Expected output, logical (row-major) order: value in fp64, envelope t >= 0 (inf or NaN:
/// unjudgeable). Integer outputs use `integers` and t = 0.
struct ExpectedTensor {
  std::string name;
  std::vector<double> value;
  std::vector<double> envelope;
  std::vector<std::int64_t> integers;                      // integer dtypes only
  std::map<std::int64_t, std::vector<std::int64_t>> also;  // element -> other legal values
  std::vector<std::uint8_t> free;                          // non-zero: contract leaves it open
};

struct Expected {
  std::vector<ExpectedTensor> outputs;  // schema order
};

/// Dtypes and permissions a reference's error model needs, from contract and column.
struct ErrorModel {
  DType accumulate = DType::f32;
  DType intermediate = DType::f32;
  bool fast_math = false, flush_to_zero = false, tf32 = false;
  DType input = DType::f32;  // widest float input: tensor-core truncation model
};
ErrorModel error_model(const OpSchema& op, const std::string& column);
/// The same as numbers.
Arithmetic arithmetic_of(const ErrorModel& model);

/// One compiled-in reference.
struct ReferenceRow {
  const char* op;
  Expected (*tracked)(const Inputs&, const OpSchema&, const std::string& column);
  Expected (*plain)(const Inputs&, const OpSchema&, const std::string& column);  // envelope 0
  const char* source_digest;  // SHA-256 of the reference.cpp that was compiled in
};
/// Generated table, sorted by op; null if the op is not bundled.
const ReferenceRow* find_reference(const std::string& op);

/// Value and envelope of a bundled op (op.bundled): others are plug-ins, see plugin.h.
Expected compute_expected(const Inputs& inputs, const OpSchema& op, const std::string& column);

}  // namespace gate
