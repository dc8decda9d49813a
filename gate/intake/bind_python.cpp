// What each parameter of a Python function gets: inputs in order, then what names say.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/intake/draft.h"
#include "gate/intake/names.h"

namespace gate {

namespace {

/// A module's own parameter: the worker loads inputs of that name into it.
bool is_weight(const SourceFunction& function, const std::string& name) {
  if (function.what != SourceFunction::What::module) return false;
  const std::vector<std::string> words = words_of(name);
  return std::any_of(words.begin(), words.end(), [](const std::string& word) {
    return word == "weight" || word == "bias" || word == "gamma" || word == "beta" ||
           word == "mean" || word == "var";
  });
}

}  // namespace

std::vector<BoundArguments> bind_python(const DraftRequest& request) {
  const OpSchema& op = request.op;
  BoundArguments bound;
  std::size_t inputs = 0;
  for (const SourceParameter& parameter : request.function.parameters) {
    std::string text;
    if (inputs < op.inputs.size()) {
      text = op.inputs[inputs++].name;
      bound.score += likeness(parameter.name, text);
      bound.tensors.push_back(text);
    } else {
      for (const TensorSchema& tensor : op.outputs) {
        if (likeness(parameter.name, tensor.name) > 0) text = tensor.name;
      }
      for (const Attribute& attribute : op.attributes) {
        if (likeness(parameter.name, attribute.name) > 0) text = attribute.name;
      }
      for (const Axis& axis : op.axes) {
        if (likeness(parameter.name, axis.name) == 3) text = axis.name;
      }
      if (text.empty() && !parameter.optional) return {};
      if (text.empty()) break;
    }
    bound.texts.push_back(text);
  }
  for (; inputs < op.inputs.size(); ++inputs) {
    if (!is_weight(request.function, op.inputs[inputs].name)) return {};
    bound.score -= 0.5;
  }
  return {bound};
}

}  // namespace gate
