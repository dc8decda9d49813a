// Guessing a launch: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/guess_launch.h"

#include <algorithm>
#include <deque>
#include <set>

#include "gate/base/text.h"

namespace gate {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

bool is_float_type(const std::string& type) { return type == "float" || type == "double"; }

bool is_wide_type(const std::string& type) {
  return type == "long" || type == "int64_t" || type == "size_t" || type == "ptrdiff_t";
}

/// Names of one sort that are still to be given away.
struct Names {
  std::deque<std::string> left;
  std::string take(const std::string& wanted) {
    for (auto at = left.begin(); at != left.end(); ++at) {
      if (lower(*at) != lower(wanted)) continue;
      const std::string found = *at;
      left.erase(at);
      return found;
    }
    return {};
  }
  std::string next() {
    if (left.empty()) return {};
    const std::string found = left.front();
    left.pop_front();
    return found;
  }
};

Names tensors_of(const OpSchema& op) {
  Names names;
  for (const TensorSchema& tensor : op.inputs) names.left.push_back(tensor.name);
  for (const TensorSchema& tensor : op.outputs) names.left.push_back(tensor.name);
  return names;
}

/// C and CUDA types an element of this dtype may be declared as.
bool fits_type(DType dtype, const std::string& type) {
  switch (dtype) {
    case DType::f64:
      return type == "double";
    case DType::f32:
      return type == "float";
    case DType::f16:
      return type == "__half" || type == "half" || type == "_Float16";
    case DType::bf16:
      return type == "__nv_bfloat16" || type == "nv_bfloat16" || lower(type) == "bf16";
    case DType::f8e4m3:
      return type == "__nv_fp8_e4m3";
    case DType::f8e5m2:
      return type == "__nv_fp8_e5m2";
    case DType::i8:
      return type == "char" || type == "signed" || type == "int8_t";
    case DType::u8:
      return type == "char" || type == "uint8_t";
    case DType::i32:
      return type == "int" || type == "int32_t";
    case DType::i64:
      return type == "long" || type == "int64_t";
    case DType::boolean:
      return type == "bool";
  }
  return false;
}

}  // namespace

Result<std::vector<std::string>> guess_arguments(const Signature& signature, const OpSchema& op) {
  Names tensors = tensors_of(op), axes, attributes;
  for (const Axis& axis : op.axes) axes.left.push_back(axis.name);
  for (const Attribute& attribute : op.attributes) attributes.left.push_back(attribute.name);
  std::vector<std::string> arguments(signature.parameters.size());
  const auto each = [&](const auto& choose) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
      if (arguments[i].empty()) arguments[i] = choose(signature.parameters[i]);
    }
  };
  each([&](const Parameter& parameter) -> std::string {
    if (parameter.type == "cudaStream_t") return "stream";
    if (parameter.pointer) return tensors.take(parameter.name);
    const std::string axis = axes.take(parameter.name);
    if (!axis.empty()) return axis + (is_wide_type(parameter.type) ? ":i64" : "");
    return attributes.take(parameter.name);
  });
  each([&](const Parameter& parameter) -> std::string {
    if (parameter.pointer) return tensors.next();
    if (is_float_type(parameter.type)) return attributes.next();
    const std::string axis = axes.next();
    return axis.empty() || !is_wide_type(parameter.type) ? axis : axis + ":i64";
  });
  std::vector<std::string> unknown;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i].empty()) unknown.push_back(signature.parameters[i].name);
  }
  if (!unknown.empty() || arguments.empty()) {
    return user_failure(signature.name + ": cannot tell what these parameters are: " +
                            clean_text(join(unknown, ", "), 500),
                        "--launch 'args = [\"x\", \"y\", \"rows\"]' says it");
  }
  return arguments;
}

std::vector<std::string> guess_columns(const Signature& signature, const OpSchema& op) {
  if (signature.is_template) return op.columns;
  std::set<std::string> types;
  for (const Parameter& parameter : signature.parameters) {
    if (parameter.pointer && !parameter.type.empty()) types.insert(parameter.type);
  }
  types.erase("void");
  std::vector<std::string> columns;
  for (const std::string& column : op.columns) {
    const auto& dtypes = op.dtypes.at(column);
    const bool fits = std::all_of(types.begin(), types.end(), [&](const std::string& type) {
      return std::any_of(dtypes.begin(), dtypes.end(),
                         [&](const auto& entry) { return fits_type(entry.second, type); });
    });
    if (fits && !types.empty()) columns.push_back(column);
  }
  if (columns.empty() && !op.columns.empty()) columns.push_back(op.columns.front());
  return columns;
}

std::string entry_of(const Signature& signature, const OpSchema& op, const std::string& column) {
  if (!signature.is_template) return signature.name;
  const DType dtype = dtype_of(op, column, op.outputs.front().name);
  return signature.name + "<" + std::string(facts(dtype).c_name) + ">";
}

}  // namespace gate
