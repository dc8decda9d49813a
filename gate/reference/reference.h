// What a testcases/<op>/reference.cpp is written against, and how the gate calls it.
//
//   #include "gate/reference/reference.h"
//   namespace {
//   template <class S> void reference(gate::Context<S>& c) {
//     for (long r = 0; r < c.axis("rows"); ++r) { … c.output("y", {r, i}) = … }
//   }
//   }
//
// The function is instantiated with `double` and with `Tracked`; a generated glue file per op
// includes it and defines its row in the table of references (or a plug-in's entry point).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/cases/inputs.h"
#include "gate/spec/op_schema.h"

namespace gate {

/// Expected output, logical (row-major) order: value in fp64, envelope t >= 0 (inf or NaN:
/// unjudgeable). Integer outputs use `integers` and t = 0.
struct ExpectedTensor {
  std::string name;
  std::vector<double> value;
  std::vector<double> envelope;
  std::vector<std::int64_t> integers;                          // integer dtypes only
  std::map<std::int64_t, std::vector<std::int64_t>> also;      // element -> other legal values
  std::vector<std::uint8_t> free;                              // non-zero: contract leaves it open
};

struct Expected {
  std::vector<ExpectedTensor> outputs;                         // schema order
};

/// Dtypes and permissions a reference's error model needs, from contract and column.
struct ErrorModel {
  DType accumulate = DType::f32;
  DType intermediate = DType::f32;
  bool fast_math = false, flush_to_zero = false, tf32 = false;
  DType input = DType::f32;            // widest float input: tensor-core truncation model
};
ErrorModel error_model(const OpSchema& op, const std::string& column);

/// One compiled-in reference.
struct ReferenceRow {
  const char* op;
  Expected (*tracked)(const Inputs&, const OpSchema&, const std::string& column);
  Expected (*plain)(const Inputs&, const OpSchema&, const std::string& column);  // envelope 0
};
/// Generated table, sorted by op; null if the op is not bundled.
const ReferenceRow* find_reference(const std::string& op);

}  // namespace gate
