// gate replay --pytest: a finding as a Python test that needs NumPy, pytest and the kernel's source
// (and a compiler, where the kernel is compiled). SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>
#include <cstring>

#include "gate/base/text.h"
#include "gate/cli/regression_code.h"
#include "gate/explain/source.h"

namespace gate {
namespace {

/// Text of a test beyond this is no regression test anybody keeps.
constexpr std::size_t test_bytes_max = 4u << 20;
constexpr std::size_t line_letters = 88;

/// zlib and base64 of bytes, as Python's modules read it, in lines.
std::string packed(const void* bytes, std::size_t size) {
  std::string text = base64url(deflate({static_cast<const char*>(bytes), size}));
  for (char& letter : text) {
    if (letter == '-') letter = '+';
    if (letter == '_') letter = '/';
  }
  text.append((4 - text.size() % 4) % 4, '=');
  std::string lines;
  for (std::size_t i = 0; i < text.size(); i += line_letters) {
    lines += "\n        \"" + text.substr(i, line_letters) + "\"";
  }
  return "(" + lines + ")";
}

template <class T>
std::string packed(const std::vector<T>& values) {
  return packed(values.data(), values.size() * sizeof(T));
}

std::string sizes(const std::vector<std::int64_t>& values) {
  std::vector<std::string> parts;
  for (const std::int64_t value : values) parts.push_back(std::to_string(value));
  return "[" + join(parts, ", ") + "]";
}

std::string accepted_text(const AcceptedOutput& output, bool is_float) {
  std::vector<double> values, limits;
  std::vector<std::uint8_t> accepts;
  std::vector<std::int64_t> integers;
  for (const Acceptance& element : output.elements) {
    values.push_back(element.value);
    limits.push_back(element.limit);
    accepts.push_back(static_cast<std::uint8_t>(element.accepts));
    integers.push_back(element.integer);
  }
  std::string text = "     \"accepts\": " + packed(accepts) + ",\n";
  if (is_float) {
    text += "     \"value\": " + packed(values) + ",\n     \"limit\": " + packed(limits) + ",\n";
    return text;
  }
  std::vector<std::string> also;
  for (const auto& [element, others] : output.also) {
    for (const std::int64_t other : others) also.push_back(fmt::format("({}, {})", element, other));
  }
  return text + "     \"integer\": " + packed(integers) + ",\n     \"also\": [" + join(also, ", ") +
         "],\n";
}

std::string tensors_text(const RegressionInput& input) {
  std::string text = "TENSORS = [\n";
  for (const Tensor& tensor : input.material.inputs.tensors) {
    text += fmt::format(
        "    {{\"name\": \"{}\", \"role\": \"{}\", \"dtype\": \"{}\", \"shape\": {},\n"
        "     \"strides\": {}, \"offset\": {},\n     \"storage\": {},\n",
        tensor.name, tensor.role == Role::input ? "input" : "other", facts(tensor.dtype).name,
        sizes(tensor.view.shape), sizes(tensor.view.strides), tensor.view.offset,
        packed(tensor.storage));
    for (const AcceptedOutput& output : input.material.outputs) {
      if (output.name == tensor.name) text += accepted_text(output, facts(tensor.dtype).is_float);
    }
    text += "    },\n";
  }
  return text + "]\n";
}

/// CODE, COMPILER, LIBRARIES and SUFFIX of a compiled kernel.
Result<std::string> compiled_text(const RegressionInput& input) {
  const Result<std::string> call = call_code(input);
  if (!call) return call;
  const bool cuda = is_cuda_source(input);
  const KernelSpec& kernel = *input.target.kernel;
  std::string text = "CODE = r'''\n#include <cmath>\n#include <cstddef>\n#include <vector>\n";
  text += kernel_code(input) + "namespace gate_regression {\nnamespace {\n\n";
  text += regression_text("pointer");
  text += "\n" + *call + "\n";
  text += regression_text(cuda ? "run_cuda" : "run_host");
  text +=
      "\n}  // namespace\n}  // namespace gate_regression\n\n"
      "extern \"C\" const char* gate_run(unsigned char** blocks, const std::size_t* bytes,\n"
      "                                const std::size_t* first, std::size_t count) {\n"
      "  return gate_regression::run(blocks, bytes, first, count);\n}\n'''\n";
  text += cuda ? "SUFFIX = \".cu\"\nCOMPILER = [\"nvcc\", \"-std=c++17\", \"-arch=native\", "
                 "\"-shared\", \"-Xcompiler\", \"-fPIC\"]\n"
               : "SUFFIX = \".cpp\"\nCOMPILER = [\"c++\", \"-std=c++20\", \"-O2\", \"-shared\", "
                 "\"-fPIC\"]\n";
  const std::string library = repository_path(kernel.source);
  text += source_kind(kernel) == ".so"
              ? fmt::format("LIBRARIES = [os.path.abspath(\"{}\")]\n", library)
              : std::string("LIBRARIES = []\n");
  return text + "\n\n" + std::string(regression_text("kernel_compiled"));
}

std::string python_scalar(const Scalar& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  const double number = std::get<double>(value);
  return std::isfinite(number) ? number_text(number) : "float(\"" + number_text(number) + "\")";
}

Result<std::string> python_argument(const LaunchArgument& argument, const IntegerValues& values,
                                    const Inputs& inputs) {
  switch (argument.what) {
    case LaunchArgument::What::tensor:
    case LaunchArgument::What::workspace:
      return fmt::format("views[\"{}\"]", argument.name);
    case LaunchArgument::What::integer: {
      const auto value = argument.value.evaluate(values);
      if (!value) return value.failure();
      return std::to_string(*value);
    }
    case LaunchArgument::What::attribute: {
      const auto value = inputs.attributes.find(argument.name);
      if (value == inputs.attributes.end()) return user_failure("no attribute " + argument.name);
      return python_scalar(value->second);
    }
    case LaunchArgument::What::stream:
      break;
  }
  return user_failure("a Python function takes no stream argument");
}

Result<std::string> imported_text(const RegressionInput& input) {
  const Inputs& inputs = input.material.inputs;
  const IntegerValues values = launch_values(input.seed.test_case, inputs);
  std::string text = fmt::format("SOURCE = \"{}\"  # the kernel under test\n\n\n",
                                 repository_path(input.target.kernel->source));
  text += "def calls(views):\n    return [\n";
  for (const LaunchStep& step : input.target.kernel->launch) {
    std::vector<std::string> arguments;
    for (const LaunchArgument& each : step.arguments) {
      Result<std::string> argument = python_argument(each, values, inputs);
      if (!argument) return argument;
      arguments.push_back(std::move(*argument));
    }
    text += fmt::format("        (\"{}\", [{}]),\n", step.entry.at(input.target.column),
                        join(arguments, ", "));
  }
  return text + "    ]\n\n\n" + std::string(regression_text("kernel_python"));
}

}  // namespace

Result<std::string> to_pytest(const RegressionInput& input) {
  const std::string kind = source_kind(*input.target.kernel);
  const bool python = kind == ".py";
  if (!python && kind != ".cpp" && kind != ".cu" && kind != ".so") {
    return user_failure("--pytest needs a .py, .cpp, .cu or .so kernel; this one is " + kind);
  }
  if (const auto reason = no_plain_test(input)) {
    return user_failure("no plain test can show this finding: " + *reason);
  }
  const Result<std::string> kernel = python ? imported_text(input) : compiled_text(input);
  if (!kernel) return kernel;
  std::string text = "r\"\"\"";
  for (const std::string& line : regression_heading(input)) text += line + "\n";
  text += "Run, in the repository: python3 -m pytest THIS.py\n\"\"\"\n";
  text += python ? "import base64\nimport importlib.util\nimport os\nimport sys\nimport zlib\n"
                 : "import base64\nimport ctypes\nimport os\nimport subprocess\nimport tempfile\n"
                   "import zlib\n";
  text += "\nimport numpy\n\n";
  text += fmt::format("RUNS = {}\n", runs_of(input)) + tensors_text(input) + "\n";
  text += regression_text("judge_python");
  text += "\n\n" + *kernel + "\n\n";
  text += fmt::format(
      "def test_{}():\n    problems = judge()\n    assert not problems, \"\\n\".join(problems)\n",
      input.seed.fingerprint.substr(0, 8));
  if (text.size() > test_bytes_max) {
    return user_failure("the case's tensors are too large for a test",
                        "--write DIR writes them as files");
  }
  return text;
}

}  // namespace gate
