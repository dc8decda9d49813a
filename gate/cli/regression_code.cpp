// C++ pieces of a regression test: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/regression_code.h"

#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/explain/source.h"

namespace gate {
namespace {

constexpr std::uint64_t default_shared_bytes_max = 48u << 10;
constexpr int agreeing_runs = 20;

/// A value of a C++ type, spelled so that no literal rounds or overflows.
std::string literal(DType dtype, const Scalar& value) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  const double number = integer ? static_cast<double>(*integer) : std::get<double>(value);
  const std::int64_t whole = integer ? *integer : static_cast<std::int64_t>(number);
  switch (dtype) {
    case DType::f64:
    case DType::f32:
      if (!std::isfinite(number)) {
        return fmt::format("static_cast<{}>({})", dtype == DType::f32 ? "float" : "double",
                           std::isnan(number) ? "NAN"
                           : number > 0       ? "INFINITY"
                                              : "-INFINITY");
      }
      return fmt::format("{:a}{}", number, dtype == DType::f32 ? "f" : "");
    case DType::boolean:
      return whole != 0 ? "true" : "false";
    case DType::i64:
      return fmt::format("static_cast<long long>({}ll)", whole);
    case DType::u8:
      return fmt::format("static_cast<unsigned char>({})", whole);
    case DType::i8:
      return fmt::format("static_cast<signed char>({})", whole);
    case DType::i32:
    case DType::f16:
    case DType::bf16:
    case DType::f8e4m3:
    case DType::f8e5m2:
      return std::to_string(whole);
  }
  return {};
}

struct CallWriter {
  const RegressionInput& input;
  IntegerValues values;

  Result<std::string> argument(const LaunchArgument& argument) const {
    switch (argument.what) {
      case LaunchArgument::What::stream:
        return std::string(is_cuda_source(input) ? "cudaStream_t{}" : "nullptr");
      case LaunchArgument::What::integer: {
        const auto value = argument.value.evaluate(values);
        if (!value) return value.failure();
        return literal(argument.dtype, *value);
      }
      case LaunchArgument::What::attribute: {
        const auto& attributes = input.material.inputs.attributes;
        const auto value = attributes.find(argument.name);
        if (value == attributes.end()) return user_failure("no attribute " + argument.name);
        return literal(argument.dtype, value->second);
      }
      case LaunchArgument::What::tensor:
      case LaunchArgument::What::workspace:
        break;
    }
    const std::vector<Tensor>& tensors = input.material.inputs.tensors;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      if (tensors[i].name == argument.name) return fmt::format("Pointer{{at[{}]}}", i);
    }
    return user_failure("no tensor " + argument.name);
  }

  Result<std::string> sizes(const std::vector<Expression>& expressions) const {
    std::vector<std::string> parts;
    for (const Expression& expression : expressions) {
      const auto value = expression.evaluate(values);
      if (!value) return value.failure();
      parts.push_back(std::to_string(*value));
    }
    return "dim3(" + join(parts, ", ") + ")";
  }

  Result<std::string> step(const LaunchStep& step) const {
    const std::string entry = step.entry.at(input.target.column);
    std::vector<std::string> arguments;
    for (const LaunchArgument& each : step.arguments) {
      Result<std::string> text = argument(each);
      if (!text) return text;
      arguments.push_back(std::move(*text));
    }
    const std::string call = "(" + join(arguments, ", ") + ");\n";
    if (step.grid.empty()) return "  ::" + entry + call;
    const Result<std::string> grid = sizes(step.grid), block = sizes(step.block);
    const auto shared = step.shared.evaluate(values);
    if (!grid) return grid;
    if (!block) return block;
    if (!shared) return shared.failure();
    std::string text;
    if (static_cast<std::uint64_t>(*shared) > default_shared_bytes_max) {
      text += fmt::format(
          "  cudaFuncSetAttribute(::{}, cudaFuncAttributeMaxDynamicSharedMemorySize, {});\n", entry,
          *shared);
    }
    return text + fmt::format("  ::{}<<<{}, {}, {}>>>", entry, *grid, *block, *shared) + call;
  }
};

std::string declaration(const RegressionInput& input) {
  std::string text;
  for (const LaunchStep& step : input.target.kernel->launch) {
    std::vector<std::string> parameters;
    for (const LaunchArgument& argument : step.arguments) {
      const bool pointer = argument.what != LaunchArgument::What::integer &&
                           argument.what != LaunchArgument::What::attribute;
      switch (argument.dtype) {
        case DType::f32:
          parameters.emplace_back(pointer ? "void*" : "float");
          break;
        case DType::f64:
          parameters.emplace_back(pointer ? "void*" : "double");
          break;
        case DType::i64:
          parameters.emplace_back(pointer ? "void*" : "long long");
          break;
        default:
          parameters.emplace_back(pointer ? "void*" : "int");
          break;
      }
    }
    text += fmt::format("extern \"C\" void {}({});\n", step.entry.at(input.target.column),
                        join(parameters, ", "));
  }
  return text;
}

}  // namespace

bool is_cuda_source(const RegressionInput& input) {
  return source_kind(*input.target.kernel) == ".cu";
}

int runs_of(const RegressionInput& input) {
  return input.seed.kind == Kind::nondeterministic ? agreeing_runs : 1;
}

std::optional<std::string> no_plain_test(const RegressionInput& input) {
  const Seed& seed = input.seed;
  switch (seed.kind) {
    case Kind::law_broken:
      return "a broken law compares several inputs; gate replay shows it";
    case Kind::build_failed:
      return "the kernel does not build, so no test of it does";
    case Kind::barrier:
      return "a divergent barrier may hang a GPU or pass unseen; gate replay shows it on emu";
    default:
      break;
  }
  const bool repeats = seed.test_case.property == "repeat" && input.target.device == "emu";
  if (repeats && seed.test_case.schedule.order != Schedule::Order::ascending) {
    return "it depends on the order of threads, which a plain run cannot choose; gate replay can";
  }
  return std::nullopt;
}

std::vector<std::string> regression_heading(const RegressionInput& input) {
  const Seed& seed = input.seed;
  const auto line = [](const std::string& text) {
    std::string one = clean_text(text, 2000);
    for (char& letter : one) {
      if (letter == '\n' || letter == '\\') letter = ' ';
    }
    return one;
  };
  std::vector<std::string> lines = {
      fmt::format("Regression test of a finding: {}/{} {}, {} ({}).", seed.test_case.op,
                  seed.kernel, seed.test_case.column, name(seed.kind), seed.property)};
  if (!seed.note.empty()) lines.push_back("What: " + line(seed.note));
  lines.push_back("Case: " + line(to_text(seed.test_case)));
  lines.push_back("Inputs: SHA-256 " + line(seed.input_digest));
  lines.push_back("Values and limits are those of the fp64 reference and the committed tolerance.");
  return lines;
}

std::string kernel_code(const RegressionInput& input) {
  const KernelSpec& kernel = *input.target.kernel;
  std::string text;
  if (source_kind(kernel) == ".so") return declaration(input);
  if (const auto defines = kernel.defines.find(input.target.column);
      defines != kernel.defines.end()) {
    for (const std::string& define : defines->second) {
      const std::size_t equals = define.find('=');
      const std::string value = equals == std::string::npos ? "1" : define.substr(equals + 1);
      text += fmt::format("#define {} {}\n", define.substr(0, equals), value);
    }
  }
  return text +
         fmt::format("#include \"{}\"  // the kernel under test\n", repository_path(kernel.source));
}

IntegerValues launch_values(const Case& value, const Inputs& inputs) {
  IntegerValues values = integer_values(value);
  for (const Tensor& tensor : inputs.tensors) {
    values[tensor.name + ".offset"] = tensor.view.offset;
    for (std::size_t d = 0; d < tensor.view.strides.size(); ++d) {
      values[fmt::format("{}.stride({})", tensor.name, d)] = tensor.view.strides[d];
    }
  }
  return values;
}

Result<std::string> call_code(const RegressionInput& input) {
  const CallWriter writer{input, launch_values(input.seed.test_case, input.material.inputs)};
  std::string text = "/// The launch with this case's numbers; at[i]: first element of tensor i.\n";
  text += "void call(const std::vector<void*>& at) {\n";
  for (const LaunchStep& step : input.target.kernel->launch) {
    const Result<std::string> written = writer.step(step);
    if (!written) return written;
    text += *written;
  }
  return text + "}\n";
}

}  // namespace gate
