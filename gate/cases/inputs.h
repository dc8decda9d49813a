// Case -> Inputs: the concrete tensors and scalars, the same bytes on every machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/spec/case.h"
#include "gate/spec/kernel_spec.h"
#include "gate/tensor/tensor.h"

namespace gate {

/// Tensors in schema order: inputs (filled), outputs and workspaces (poisoned).
struct Inputs {
  std::vector<Tensor> tensors;
  std::map<std::string, Scalar> attributes;
  IntegerValues axes;
};

/// Fails (user) on a case the schema does not allow; `kernel` may be null (no workspaces, no
/// narrowing by [domain]).
Result<Done> validate(const Case& value, const OpSchema& op, const KernelSpec* kernel);
/// Expands a valid case. No libm: uses integers, + - * / and tables only, uncontracted.
Inputs make_inputs(const Case& value, const OpSchema& op, const KernelSpec* kernel);
/// SHA-256 over inputs: name, dtype, shape, strides, offset, storage bytes; attributes and axes.
std::string input_digest(const Inputs& inputs);

const Tensor* find_tensor(const Inputs& inputs, const std::string& name);
Tensor* find_tensor(Inputs& inputs, const std::string& name);

/// Rough cost, for the caps: elements of the largest tensor, multiply-adds of a direct reference.
struct CaseCost {
  std::int64_t elements = 0;
  std::int64_t operations = 0;
};
CaseCost cost_of(const Case& value, const OpSchema& op);

}  // namespace gate
