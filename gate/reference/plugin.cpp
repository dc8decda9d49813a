// The gate's side of plug-ins: glue text, jobs, answers.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/plugin.h"

#include "gate/reference/call.h"

namespace gate {
namespace {

constexpr std::string_view arithmetic_prefix = "arithmetic.";

/// Fields of Arithmetic by name.
struct ArithmeticField {
  std::string_view name;
  double Arithmetic::*field;
};
constexpr ArithmeticField arithmetic_fields[] = {
    {"unit", &Arithmetic::unit},
    {"largest", &Arithmetic::largest},
    {"underflow", &Arithmetic::underflow},
    {"flush", &Arithmetic::flush},
    {"stored_unit", &Arithmetic::stored_unit},
    {"stored_underflow", &Arithmetic::stored_underflow},
    {"input_rounding", &Arithmetic::input_rounding},
};

std::string field_name(std::string_view name) {
  return std::string(arithmetic_prefix) + std::string(name);
}

Tensor answer(const std::string& name, DType dtype, std::vector<std::int64_t> shape) {
  return make_tensor(name, Role::output, dtype, contiguous_view(shape));
}

const Tensor* find(const std::vector<Tensor>& tensors, const std::string& name) {
  for (const Tensor& tensor : tensors) {
    if (tensor.name == name) return &tensor;
  }
  return nullptr;
}

std::vector<double> doubles(const Tensor& tensor) {
  std::vector<double> values(static_cast<std::size_t>(tensor.elements()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = tensor.at(static_cast<std::int64_t>(i));
  }
  return values;
}

void read_integers(const Tensor& integers, const Tensor& also, ExpectedTensor& expected) {
  for (std::int64_t i = 0; i < integers.elements(); ++i) {
    expected.integers.push_back(integers.integer_at(i));
    for (std::int64_t k = 0; k < plugin_others_max; ++k) {
      const std::int64_t other = also.integer_at(i * plugin_others_max + k);
      if (other != no_other) expected.also[i].push_back(other);
    }
  }
}

}  // namespace

std::string plugin_source(const std::string& reference_file) {
  std::string quoted;
  for (const char letter : reference_file) {
    if (letter == '"' || letter == '\\') quoted += '\\';
    quoted += letter;
  }
  const auto entry = [](const std::string& name, const std::string& scalar) {
    return "extern \"C\" __attribute__((visibility(\"default\"))) void " + name +
           "(const gate::ReferenceCall* call) {\n"
           "  gate::Context<" +
           scalar +
           "> context(*call);\n"
           "  try {\n    reference(context);\n"
           "  } catch (const std::exception& error) {\n"
           "    gate::report_mistake(*call, \"exception\", error.what());\n"
           "  } catch (...) {\n"
           "    gate::report_mistake(*call, \"exception\", \"of an unknown type\");\n"
           "  }\n}\n";
  };
  return "#include \"" + quoted +
         "\"\n#include \"gate/reference/reference.h\"\n#include <exception>\n" +
         entry(plugin_tracked_entry, "gate::Tracked") + entry(plugin_plain_entry, "double");
}

bool has_python_reference(const OpSchema& op) {
  std::error_code error;
  return !std::filesystem::exists(op.folder / "reference.cpp", error) &&
         std::filesystem::exists(op.folder / "reference.py", error);
}

std::string plugin_device(const OpSchema& op) {
  return has_python_reference(op) ? "python" : "reference";
}

KernelSpec plugin_kernel(const OpSchema& op) {
  const bool python = has_python_reference(op);
  KernelSpec kernel;
  kernel.name = "reference";
  kernel.op = op.name;
  kernel.source = op.folder / (python ? "reference.py" : "reference.cpp");
  kernel.file = kernel.source;
  LaunchStep step;
  for (const std::string& column : op.columns) {
    kernel.entry[column] = python ? python_reference_entry : plugin_tracked_entry;
  }
  step.entry = kernel.entry;
  kernel.launch.push_back(step);
  return kernel;
}

void write_arithmetic(const Arithmetic& arithmetic, std::map<std::string, Scalar>& scalars) {
  for (const ArithmeticField& row : arithmetic_fields) {
    scalars[field_name(row.name)] = arithmetic.*row.field;
  }
  scalars[field_name("matrix_unit")] = static_cast<std::int64_t>(arithmetic.matrix_unit);
  scalars[field_name("fast_math")] = static_cast<std::int64_t>(arithmetic.fast_math);
}

Arithmetic read_arithmetic(const std::map<std::string, Scalar>& scalars) {
  Arithmetic arithmetic;
  for (const ArithmeticField& row : arithmetic_fields) {
    const auto at = scalars.find(field_name(row.name));
    if (at == scalars.end()) continue;
    if (const auto* value = std::get_if<double>(&at->second)) arithmetic.*row.field = *value;
  }
  const auto integer = [&](std::string_view name) -> std::int64_t {
    const auto at = scalars.find(field_name(name));
    const auto* value = at == scalars.end() ? nullptr : std::get_if<std::int64_t>(&at->second);
    return value == nullptr ? 0 : *value;
  };
  const std::int64_t unit = integer("matrix_unit");
  if (unit > 0 && unit <= static_cast<std::int64_t>(MatrixUnit::fp8_tensor_core)) {
    arithmetic.matrix_unit = static_cast<MatrixUnit>(unit);
  }
  arithmetic.fast_math = integer("fast_math") != 0 ? 1 : 0;
  return arithmetic;
}

Inputs plugin_inputs(const Inputs& inputs, const OpSchema& op, const std::string& column) {
  Inputs job;
  job.axes = inputs.axes;
  for (const auto& [name, value] : inputs.attributes) {
    const Attribute* attribute = find_attribute(op, name);
    const auto* real = std::get_if<double>(&value);
    job.attributes[name] =
        real != nullptr && attribute != nullptr ? rounded(attribute->dtype, *real) : value;
  }
  write_arithmetic(arithmetic_of(error_model(op, column)), job.attributes);
  for (const Tensor& tensor : inputs.tensors) {
    if (!is_input(op, tensor.name)) continue;
    job.tensors.push_back(tensor);
    job.tensors.back().role = Role::input;
  }
  for (const TensorSchema& schema : op.outputs) {
    const Tensor& output = *find_tensor(inputs, schema.name);
    const std::vector<std::int64_t>& shape = output.view.shape;
    job.tensors.push_back(answer(PluginNames::value(schema.name), DType::f64, shape));
    job.tensors.push_back(answer(PluginNames::envelope(schema.name), DType::f64, shape));
    job.tensors.push_back(answer(PluginNames::free(schema.name), DType::u8, shape));
    job.attributes[PluginNames::largest(schema.name)] = facts(output.dtype).largest;
    job.attributes[PluginNames::unit(schema.name)] = facts(output.dtype).unit_roundoff;
    if (facts(output.dtype).is_float) continue;
    job.tensors.push_back(answer(PluginNames::integers(schema.name), DType::i64, shape));
    std::vector<std::int64_t> others = shape;
    others.push_back(plugin_others_max);
    job.tensors.push_back(answer(PluginNames::also(schema.name), DType::i64, others));
  }
  return job;
}

Result<Expected> plugin_expected(const std::vector<Tensor>& after, const OpSchema& op) {
  Expected expected;
  for (const TensorSchema& schema : op.outputs) {
    const Tensor* value = find(after, PluginNames::value(schema.name));
    const Tensor* envelope = find(after, PluginNames::envelope(schema.name));
    const Tensor* free = find(after, PluginNames::free(schema.name));
    const Tensor* integers = find(after, PluginNames::integers(schema.name));
    const Tensor* also = find(after, PluginNames::also(schema.name));
    const bool whole = value != nullptr && envelope != nullptr && free != nullptr &&
                       (integers == nullptr) == (also == nullptr);
    if (!whole) return user_failure("the reference's answer lacks output " + schema.name);
    ExpectedTensor output;
    output.name = schema.name;
    output.value = doubles(*value);
    output.envelope = doubles(*envelope);
    for (std::int64_t i = 0; i < free->elements(); ++i) {
      output.free.push_back(static_cast<std::uint8_t>(free->integer_at(i)));
    }
    if (integers != nullptr) read_integers(*integers, *also, output);
    expected.outputs.push_back(std::move(output));
  }
  return expected;
}

}  // namespace gate
