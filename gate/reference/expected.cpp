// Error models of columns, and the bundled references.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/expected.h"

#include "gate/base/check.h"
#include "gate/reference/decoded.h"
#include "gate/reference/glue.h"

namespace gate {

ErrorModel error_model(const OpSchema& op, const std::string& column) {
  ErrorModel model;
  model.input = DType::f8e5m2;
  bool any = false;
  for (const TensorSchema& input : op.inputs) {
    const DType dtype = dtype_of(op, column, input.name);
    if (!facts(dtype).is_float) continue;
    const bool wider = facts(dtype).unit_roundoff < facts(model.input).unit_roundoff;
    if (!any || wider) model.input = dtype;
    any = true;
  }
  if (!any) model.input = DType::f32;
  const DType working = model.input == DType::f64 ? DType::f64 : DType::f32;
  model.accumulate = op.contract.accumulate.value_or(working);
  model.intermediate = op.contract.intermediate.value_or(working);
  if (op.contract.intermediate_as_input) model.intermediate = model.input;
  if (working == DType::f64) model.accumulate = model.intermediate = DType::f64;
  model.fast_math = op.contract.fast_math;
  model.flush_to_zero = op.contract.flush_to_zero || op.contract.fast_math;
  model.tf32 = op.contract.tf32;
  return model;
}

Arithmetic arithmetic_of(const ErrorModel& model) {
  const DTypeFacts& accumulator = facts(model.accumulate);
  const DTypeFacts& stored = facts(model.intermediate);
  Arithmetic a;
  a.unit = accumulator.unit_roundoff;
  a.largest = accumulator.largest;
  a.underflow = model.flush_to_zero ? accumulator.normal_min : accumulator.subnormal_min / 2;
  a.flush = model.flush_to_zero ? accumulator.normal_min : 0;
  if (stored.unit_roundoff > accumulator.unit_roundoff) {
    a.stored_unit = stored.unit_roundoff;
    a.stored_underflow = stored.subnormal_min / 2;
  }
  a.fast_math = model.fast_math ? 1 : 0;
  const double input = facts(model.input).unit_roundoff;
  if (input > facts(DType::bf16).unit_roundoff) {
    a.matrix_unit = MatrixUnit::fp8_tensor_core;
  } else if (input > facts(DType::f32).unit_roundoff) {
    a.matrix_unit = MatrixUnit::tensor_core;
  } else if (model.tf32 && model.input == DType::f32) {
    a.matrix_unit = MatrixUnit::tensor_core;
    a.input_rounding = 0x1p-11;
  }
  return a;
}

Expected call_reference(const Inputs& inputs, const OpSchema& op, const std::string& column,
                        PluginEntry body) {
  DecodedCall call(arithmetic_of(error_model(op, column)));
  for (const Tensor& tensor : inputs.tensors) {
    if (!is_input(op, tensor.name)) continue;
    call.add_input({tensor.name, tensor.dtype, tensor.view, tensor.storage.data()});
  }
  for (const TensorSchema& output : op.outputs) {
    const Tensor* tensor = find_tensor(inputs, output.name);
    check(tensor != nullptr, "inputs hold every output of the op");
    call.add_output(output.name, tensor->dtype, tensor->view.shape);
  }
  for (const auto& [name, value] : inputs.axes) call.add_axis(name, value);
  for (const auto& [name, value] : inputs.attributes) {
    const Attribute* attribute = find_attribute(op, name);
    check(attribute != nullptr, "inputs hold attributes of the op only");
    call.add_attribute(name, value, attribute->dtype);
  }
  const std::string mistake = call.run(body);
  check(mistake.empty(), "reference of " + op.name + ": " + mistake);
  return call.take_expected();
}

const ReferenceRow* find_reference(const std::string& op) {
  static const std::vector<const ReferenceRow*> table = reference_table();
  for (const ReferenceRow* row : table) {
    if (op == row->op) return row;
  }
  return nullptr;
}

Expected compute_expected(const Inputs& inputs, const OpSchema& op, const std::string& column) {
  const ReferenceRow* row = find_reference(op.name);
  check(row != nullptr, "a bundled op has a reference");
  return row->tracked(inputs, op, column);
}

}  // namespace gate
