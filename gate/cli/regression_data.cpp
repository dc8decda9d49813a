// The tensors of a case as C++ data: runs of equal elements, because shrunk inputs are mostly
// constant. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "gate/base/text.h"
#include "gate/cli/regression_code.h"

namespace gate {
namespace {

/// Items of a braced list, as many to a line as fit.
class List {
 public:
  void add(const std::string& item) {
    if (line_.size() + item.size() > 90) flush();
    line_ += (line_.empty() ? "" : " ") + item + ",";
  }
  std::string finish() {
    flush();
    return "{\n" + text_ + "       }";
  }

 private:
  void flush() {
    if (!line_.empty()) text_ += "        " + line_ + "\n";
    line_.clear();
  }
  std::string text_, line_;
};

std::string sizes(const std::vector<std::int64_t>& values) {
  std::vector<std::string> parts;
  for (const std::int64_t value : values) parts.push_back(std::to_string(value));
  return "{" + join(parts, ", ") + "}";
}

std::string runs(const Tensor& tensor) {
  const std::size_t bytes = facts(tensor.dtype).bytes;
  const std::size_t elements = tensor.storage.size() / bytes;
  List list;
  for (std::size_t i = 0; i < elements;) {
    const std::uint64_t bits = load_bits(tensor.dtype, tensor.storage.data() + i * bytes);
    std::size_t end = i + 1;
    while (end < elements && load_bits(tensor.dtype, tensor.storage.data() + end * bytes) == bits) {
      ++end;
    }
    list.add(fmt::format("{{{}, {:#x}}}", end - i, bits));
    i = end;
  }
  return list.finish();
}

std::string number(double value) {
  if (std::isnan(value)) return "NAN";
  if (std::isinf(value)) return value > 0 ? "HUGE_VAL" : "-HUGE_VAL";
  return number_text(value);
}

std::string wants(const AcceptedOutput& output) {
  List list;
  const std::vector<Acceptance>& elements = output.elements;
  for (std::size_t i = 0; i < elements.size();) {
    std::size_t end = i + 1;
    while (end < elements.size() && elements[end] == elements[i]) ++end;
    list.add(fmt::format("{{{}, {}, {}, {}, {}}}", end - i, number(elements[i].value),
                         number(elements[i].limit), elements[i].accepts, elements[i].integer));
    i = end;
  }
  return list.finish();
}

std::string also(const AcceptedOutput& output) {
  List list;
  for (const auto& [element, others] : output.also) {
    for (const std::int64_t other : others) list.add(fmt::format("{{{}, {}}}", element, other));
  }
  return list.finish();
}

std::string tensor_code(const Tensor& tensor, const AcceptedOutput* output) {
  const DTypeFacts& known = facts(tensor.dtype);
  // An integer carries whether it is signed where a float has its mantissa.
  const bool is_signed = tensor.dtype != DType::u8 && tensor.dtype != DType::boolean;
  const int exponent = known.is_float ? known.exponent_bits : 0;
  const int mantissa = known.is_float ? known.mantissa_bits : is_signed ? 1 : 0;
  return fmt::format(
      "      {{\"{}\", {}, {}, {}, {}, {}, {}, {}, {}, {},\n       {},\n       {},\n       {}}},\n",
      tensor.name, output != nullptr, tensor.role == Role::input, known.bytes, exponent, mantissa,
      known.has_infinity, sizes(tensor.view.shape), sizes(tensor.view.strides), tensor.view.offset,
      runs(tensor), output != nullptr ? wants(*output) : "{}",
      output != nullptr ? also(*output) : "{}");
}

}  // namespace

std::string tensors_code(const RegressionInput& input) {
  std::string text = "std::vector<Tensor> all_tensors() {\n  return {\n";
  for (const Tensor& tensor : input.material.inputs.tensors) {
    const AcceptedOutput* accepted = nullptr;
    for (const AcceptedOutput& output : input.material.outputs) {
      if (output.name == tensor.name) accepted = &output;
    }
    text += tensor_code(tensor, accepted);
  }
  return text + "  };\n}\n";
}

}  // namespace gate
