// Expands a case to tensors: views, values, overrides, poison; digests and costs them.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/inputs.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "gate/base/hash.h"
#include "gate/base/text.h"
#include "gate/cases/cost.h"
#include "gate/cases/domain.h"
#include "gate/cases/layout.h"
#include "gate/tensor/bulk.h"

namespace gate {
namespace {

const TensorChoice& choice_of(const Case& value, const std::string& tensor) {
  static const TensorChoice contiguous;
  const auto found = value.tensors.find(tensor);
  return found == value.tensors.end() ? contiguous : found->second;
}

std::vector<std::int64_t> shape_of(const TensorSchema& tensor, const IntegerValues& values) {
  std::vector<std::int64_t> shape;
  for (const Expression& size : tensor.shape) {
    const auto computed = size.value(values);
    check(computed.has_value() && *computed >= 0, "shapes of a valid case can be computed");
    shape.push_back(*computed);
  }
  return shape;
}

/// Storage positions in logical order, without a division per element.
template <class Visit>
void each_position(const View& view, Visit visit) {
  const std::int64_t count = element_count(view.shape);
  const std::size_t rank = view.shape.size();
  std::vector<std::int64_t> index(rank, 0);
  std::int64_t place = view.offset;
  for (std::int64_t linear = 0; linear < count; ++linear) {
    visit(linear, place);
    for (std::size_t d = rank; d-- > 0;) {
      place += view.strides[d];
      if (++index[d] < view.shape[d]) break;
      place -= view.strides[d] * view.shape[d];
      index[d] = 0;
    }
  }
}

void write_floats(Tensor& tensor, const std::vector<double>& values) {
  const std::size_t bytes = facts(tensor.dtype).bytes;
  std::byte* storage = tensor.storage.data();
  if (tensor.dtype == DType::f32) {
    // The conversion of the language rounds to nearest even, as store() does, and is quicker.
    each_position(tensor.view, [&](std::int64_t linear, std::int64_t place) {
      const auto narrow = static_cast<float>(values[static_cast<std::size_t>(linear)]);
      std::memcpy(storage + static_cast<std::size_t>(place) * sizeof narrow, &narrow,
                  sizeof narrow);
    });
    return;
  }
  if (is_contiguous(tensor.view)) return store_all(tensor.dtype, values, storage);
  each_position(tensor.view, [&](std::int64_t linear, std::int64_t place) {
    store(tensor.dtype, values[static_cast<std::size_t>(linear)],
          storage + static_cast<std::size_t>(place) * bytes);
  });
}

void write_integers(Tensor& tensor, const std::vector<std::int64_t>& values) {
  const std::size_t bytes = facts(tensor.dtype).bytes;
  each_position(tensor.view, [&](std::int64_t linear, std::int64_t place) {
    store_integer(tensor.dtype, values[static_cast<std::size_t>(linear)],
                  tensor.storage.data() + static_cast<std::size_t>(place) * bytes);
  });
}

FillRequest request_for(const Case& value, const OpSchema& op, const TensorSchema& schema,
                        const Tensor& tensor) {
  FillRequest request;
  const auto& shape = tensor.view.shape;
  const std::int64_t count = element_count(shape);
  request.cols = shape.empty() ? 1 : shape.back();
  request.rows = request.cols == 0 ? 0 : count / request.cols;
  request.matrix_rows = shape.size() < 2 ? 1 : shape[shape.size() - 2];
  request.dtype = tensor.dtype;
  request.output = dtype_of(op, value.column, op.outputs.front().name);
  request.largest = largest_magnitude(op, tensor.dtype);
  // A stream per tensor name: adding an input to an op leaves the others' bytes alone.
  request.stream = RandomStream(value.key, stable_hash(schema.name));
  return request;
}

void fill(Tensor& tensor, const TensorSchema& schema, const Case& value, const OpSchema& op) {
  const std::string& text = choice_of(value, schema.name).profile;
  const auto profile = parse_profile(text.empty() ? default_profile(tensor.dtype) : text);
  check(profile.has_value(), "profiles of a valid case are known");
  const ProfileRow& row = profile_row(*profile->facts);
  const IntegerValues values = integer_values(value);
  FillRequest request = request_for(value, op, schema, tensor);
  request.parameter = profile->parameter;
  if (facts(tensor.dtype).is_float) {
    std::vector<double> content = fill_floats(row, request);
    // The fixed-shape oracles draw normal values for every input: those of a restricted one, say
    // a variance, are mapped into its range.
    if (profile->facts->name == "normal" && !spans_zero(schema))
      for (double& element : content) element = element < 0 ? -element : element;
    write_floats(tensor, content);
    return;
  }
  const auto range = integer_range(schema, tensor.dtype, values);
  check(range.has_value(), "integer domains of a valid case are not empty");
  request.range = *range;
  write_integers(tensor, fill_integers(row, request));
}

Tensor input_tensor(const TensorSchema& schema, const Case& value, const OpSchema& op) {
  const TensorChoice& choice = choice_of(value, schema.name);
  const DType dtype = dtype_of(op, value.column, schema.name);
  const View view = view_of(choice, shape_of(schema, integer_values(value)));
  Tensor tensor{schema.name, Role::input, dtype, view, {}};
  // Poison is for gaps; without any, every byte is written below.
  if (is_contiguous(view)) {
    tensor.storage.resize(static_cast<std::size_t>(tensor.elements()) * facts(dtype).bytes);
  } else {
    tensor = make_tensor(schema.name, Role::input, dtype, view);
  }
  fill(tensor, schema, value, op);
  for (const ElementOverride& element : choice.elements)
    tensor.set_bits(element.element, element.bits);
  return tensor;
}

Tensor workspace_tensor(const Workspace& workspace, const IntegerValues& values) {
  const auto bytes = workspace.bytes.value(values);
  check(bytes.has_value() && *bytes >= 0, "workspaces of a valid case can be computed");
  // Poisoned as floats where that fits: NaN shows in sums, 0x5A bytes are a finite number.
  const bool words = *bytes % 4 == 0;
  return make_tensor(workspace.name, Role::workspace, words ? DType::f32 : DType::u8,
                     contiguous_view({words ? *bytes / 4 : *bytes}));
}

void add_number(Sha256& hash, std::int64_t number) { hash.add(std::to_string(number) + " "); }

}  // namespace

Inputs make_inputs(const Case& value, const OpSchema& op, const KernelSpec* kernel) {
  Inputs inputs;
  inputs.axes = value.axes;
  for (const Attribute& attribute : op.attributes) {
    const auto given = value.attributes.find(attribute.name);
    inputs.attributes[attribute.name] =
        given == value.attributes.end() ? attribute.fallback : given->second;
  }
  Case complete = value;
  complete.attributes = inputs.attributes;
  for (const TensorSchema& schema : op.inputs)
    inputs.tensors.push_back(input_tensor(schema, complete, op));
  const IntegerValues values = integer_values(complete);
  for (const TensorSchema& schema : op.outputs) {
    inputs.tensors.push_back(
        make_tensor(schema.name, Role::output, dtype_of(op, value.column, schema.name),
                    view_of(choice_of(value, schema.name), shape_of(schema, values))));
  }
  if (kernel != nullptr)
    for (const Workspace& workspace : kernel->workspaces)
      inputs.tensors.push_back(workspace_tensor(workspace, values));
  return inputs;
}

std::string input_digest(const Inputs& inputs) {
  Sha256 hash;
  for (const Tensor& tensor : inputs.tensors) {
    if (tensor.role != Role::input && tensor.role != Role::inout) continue;
    hash.add(tensor.name + " " + std::string(facts(tensor.dtype).name) + " ");
    for (const std::int64_t size : tensor.view.shape) add_number(hash, size);
    hash.add("| ");
    for (const std::int64_t stride : tensor.view.strides) add_number(hash, stride);
    add_number(hash, tensor.view.offset);
    hash.add(std::span<const std::byte>(tensor.storage));
  }
  for (const auto& [name, scalar] : inputs.attributes) {
    hash.add("\n" + name + " ");
    if (const auto* integer = std::get_if<std::int64_t>(&scalar))
      add_number(hash, *integer);
    else
      hash.add(hex64(std::bit_cast<std::uint64_t>(std::get<double>(scalar))));
  }
  for (const auto& [name, size] : inputs.axes) {
    hash.add("\n" + name + " ");
    add_number(hash, size);
  }
  return hash.hex();
}

const Tensor* find_tensor(const Inputs& inputs, const std::string& name) {
  const auto found = std::find_if(inputs.tensors.begin(), inputs.tensors.end(),
                                  [&](const Tensor& tensor) { return tensor.name == name; });
  return found == inputs.tensors.end() ? nullptr : &*found;
}

Tensor* find_tensor(Inputs& inputs, const std::string& name) {
  return const_cast<Tensor*>(find_tensor(static_cast<const Inputs&>(inputs), name));
}

}  // namespace gate
