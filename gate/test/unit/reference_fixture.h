// Calling reference code on plain numbers: one call, outputs as ExpectedTensor.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "gate/reference/decoded.h"
#include "gate/reference/reference.h"

namespace gate::reference_test {

struct NamedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<double> values;
};

/// Inputs as f64, one output "y"; `body` as reference code would be called.
struct ReferenceTrial {
  Arithmetic arithmetic;
  std::vector<NamedTensor> inputs;
  std::vector<std::int64_t> output_shape;
  DType output = DType::f32;
  std::string mistake;

  ExpectedTensor run(PluginEntry body) {
    DecodedCall call(arithmetic);
    for (const NamedTensor& input : inputs) {
      call.add_input({input.name, DType::f64, contiguous_view(input.shape),
                      reinterpret_cast<const std::byte*>(input.values.data())});
    }
    call.add_output("y", output, output_shape);
    mistake = call.run(body);
    return std::move(call.take_expected().outputs.front());
  }
};

/// One row "x" and an output of the same length.
inline ReferenceTrial row_trial(std::vector<double> row) {
  const auto n = static_cast<std::int64_t>(row.size());
  return {{}, {{"x", {1, n}, std::move(row)}}, {1, n}, DType::f32, {}};
}

/// Entry point that calls `Function` (a type with a template operator()) with one scalar type.
template <class S, class Function>
void entry(const ReferenceCall* call) {
  Context<S> context(*call);
  Function{}(context);
}

}  // namespace gate::reference_test
