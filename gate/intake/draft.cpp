// Kernel drafts: arguments times launch shapes, columns by dtype; and their TOML.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gate/base/text.h"
#include "gate/intake/names.h"
#include "gate/spec/toml_document.h"

namespace gate {
namespace {

/// The entry of a column, or nothing if its dtypes are not the parameters'.
std::optional<std::string> entry_of(const DraftRequest& request, const BoundArguments& bound,
                                    const LaunchShape& shape, const std::string& column) {
  const SourceFunction& function = request.function;
  std::map<std::string, DType> generic;
  std::size_t pointer = 0;
  for (const SourceParameter& parameter : function.parameters) {
    if (!parameter.pointer) continue;
    if (pointer >= bound.tensors.size()) return std::nullopt;
    const DType dtype = dtype_of(request.op, column, bound.tensors[pointer++]);
    if (parameter.dtype) {
      const bool same =
          *parameter.dtype == dtype || (parameter.type == "char" && facts(dtype).bytes == 1);
      if (!same) return std::nullopt;
    } else if (!generic.emplace(parameter.type, dtype).second && generic[parameter.type] != dtype) {
      return std::nullopt;
    }
  }
  std::vector<std::string> arguments;
  std::size_t number = 0;
  for (const TemplateParameter& parameter : function.templates) {
    if (!parameter.is_type) {
      const std::int64_t value = number < shape.numbers.size() ? shape.numbers[number] : 1;
      ++number;
      arguments.push_back(std::to_string(value));
      continue;
    }
    const auto type = generic.find(parameter.name);
    if (type == generic.end()) return std::nullopt;
    arguments.emplace_back(facts(type->second).c_name);
    generic.erase(type);
  }
  if (!generic.empty()) return std::nullopt;  // a type that nobody knows
  return arguments.empty() ? function.name
                           : fmt::format("{}<{}>", function.name, join(arguments, ", "));
}

/// The function and those that differ from it in dtypes only: softmax_f32, softmax_f16.
std::vector<const SourceFunction*> alike(const DraftRequest& request) {
  std::vector<const SourceFunction*> functions = {&request.function};
  for (const SourceFunction& other : request.source.functions) {
    if (&other != &request.function && is_sibling(request.function, other)) {
      functions.push_back(&other);
    }
  }
  return functions;
}

/// A kernel that is told no strides reads rows one after the other.
std::vector<std::string> contiguous(const OpSchema& op) {
  std::vector<std::string> constraints;
  for (const auto* tensors : {&op.inputs, &op.outputs}) {
    for (const TensorSchema& tensor : *tensors) {
      if (tensor.layouts.size() < 2) continue;
      std::string stride = "1";
      for (std::size_t d = tensor.shape.size(); d-- > 0;) {
        constraints.push_back(fmt::format("{}.stride({}) == {}", tensor.name, d, stride));
        const std::string& size = tensor.shape[d].text();
        const std::string factor = size.find(' ') == std::string::npos ? size : "(" + size + ")";
        stride = stride == "1" ? factor : stride + " * " + factor;
      }
    }
  }
  return constraints;
}

std::string quoted_list(const std::vector<std::string>& items) {
  std::vector<std::string> quoted;
  for (const std::string& item : items) quoted.push_back(toml_string(item));
  return "[" + join(quoted, ", ") + "]";
}

/// One item a line where the list is long.
std::string wrapped_list(const std::vector<std::string>& items) {
  const std::string line = quoted_list(items);
  constexpr std::size_t line_max = 80;
  if (line.size() <= line_max) return line;
  std::string text = "[";
  for (const std::string& item : items) text += "\n  " + toml_string(item) + ",";
  return text + "\n]";
}

}  // namespace

bool is_sibling(const SourceFunction& one, const SourceFunction& other) {
  return one.what == other.what && one.parameters.size() == other.parameters.size() &&
         words_of(one.name) == words_of(other.name);
}

std::vector<KernelDraft> draft_kernels(const DraftRequest& request) {
  std::vector<KernelDraft> drafts;
  const std::vector<LaunchShape> shapes = launch_shapes(request);
  for (const BoundArguments& bound : bind_arguments(request)) {
    double behind = 0;  // later shapes are less likely
    for (const LaunchShape& shape : shapes) {
      KernelDraft draft;
      draft.op = request.op.name;
      draft.source = request.source.file.filename().string();
      draft.arguments = bound.texts;
      draft.grid = shape.grid;
      draft.block = shape.block;
      draft.shared = shape.shared;
      for (const SourceParameter& parameter : request.function.parameters) {
        if (!parameter.pointer || parameter.lanes == 1 || !parameter.dtype) continue;
        const auto bytes = static_cast<std::int64_t>(facts(*parameter.dtype).bytes);
        draft.alignment = std::max(draft.alignment, bytes * parameter.lanes);
      }
      for (const std::string& column : request.op.columns) {
        for (const SourceFunction* function : alike(request)) {
          const DraftRequest one{request.source, *function, request.op};
          auto entry = entry_of(one, bound, shape, column);
          if (!entry) continue;
          draft.entry.emplace_back(column, std::move(*entry));
          break;
        }
      }
      if (!bound.strides && !request.source.python) draft.constraints = contiguous(request.op);
      draft.score = bound.score - behind;
      behind += 0.7;
      if (!draft.entry.empty()) drafts.push_back(std::move(draft));
    }
  }
  std::stable_sort(drafts.begin(), drafts.end(),
                   [](const auto& a, const auto& b) { return a.score > b.score; });
  if (drafts.size() > request.count_max) drafts.resize(request.count_max);
  return drafts;
}

std::string to_toml(const KernelDraft& draft, const std::vector<std::string>& comments) {
  std::string text;
  for (const std::string& comment : comments) text += "# " + comment + "\n";
  text += fmt::format("[kernel]\nop = {}\nsource = {}\n[entry]\n", toml_string(draft.op),
                      toml_string(draft.source));
  for (const auto& [column, entry] : draft.entry) {
    text += fmt::format("{} = {}\n", column, toml_string(entry));
  }
  text += "[[launch]]\nargs = " + wrapped_list(draft.arguments) + "\n";
  if (!draft.grid.empty()) text += "grid = " + quoted_list(draft.grid) + "\n";
  if (!draft.block.empty()) text += "block = " + quoted_list(draft.block) + "\n";
  if (!draft.shared.empty()) text += "shared = " + toml_string(draft.shared) + "\n";
  if (draft.constraints.empty() && draft.alignment == 0) return text;
  text += "[domain]                     # what the kernel does not claim to do\n";
  if (!draft.constraints.empty()) {
    text += "constraints = " + wrapped_list(draft.constraints) + "\n";
  }
  if (draft.alignment > 0) text += fmt::format("alignment = {}\n", draft.alignment);
  return text;
}

}  // namespace gate
