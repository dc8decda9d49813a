// The texts of a drafted op: op.toml and the reference stub.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/intake/guess_op.h"
#include "gate/spec/toml_document.h"

namespace gate {
namespace {

std::string quoted(const std::vector<std::string>& items) {
  std::vector<std::string> texts;
  for (const std::string& item : items) texts.push_back(toml_string(item));
  return "[" + join(texts, ", ") + "]";
}

std::string tensor_text(const TensorDraft& tensor, bool input) {
  std::string text = fmt::format("[{}.{}]\nshape = {}\n", input ? "inputs" : "outputs", tensor.name,
                                 quoted(tensor.shape));
  if (!tensor.layout.empty()) {
    text += fmt::format("layout = {}\n", quoted({"contiguous", tensor.layout}));
  }
  if (!input) return text;
  if (!tensor.integer) {
    return text +
           "values = [\"normal\", \"uniform01\", \"uniform10\", \"tiny\", \"heavy\", \"negative\", "
           "\"constant\",\n          \"few_distinct\", \"zeros\", \"rows_mixed\"]\n";
  }
  if (!tensor.below.empty()) {
    text += fmt::format("domain = {{ kind = \"index\", below = {} }}\n", toml_string(tensor.below));
  }
  return text;
}

std::string comment_text(const std::vector<std::string>& comments, std::string_view mark) {
  std::string text;
  for (const std::string& comment : comments) text += fmt::format("{} {}\n", mark, comment);
  return text;
}

}  // namespace

std::string to_toml(const OpDraft& draft, const std::vector<std::string>& comments) {
  std::string text = comment_text(comments, "#");
  text += fmt::format("[op]\nname = {}\nsummary = {}\n[axes]\n", toml_string(draft.name),
                      toml_string(draft.summary));
  for (const AxisDraft& axis : draft.axes) {
    text += axis.min == axis.max
                ? fmt::format("{} = {}\n", axis.name, axis.min)
                : fmt::format("{} = {{ min = {}, max = {} }}\n", axis.name, axis.min, axis.max);
  }
  text += "[columns]\n";
  for (std::size_t i = 0; i < draft.columns.size(); ++i) {
    std::vector<std::string> parts;
    for (const auto& [tensor, dtype] : draft.dtypes[i]) {
      parts.push_back(fmt::format("{} = \"{}\"", tensor, dtype));
    }
    text += fmt::format("{} = {{ {} }}\n", draft.columns[i], join(parts, ", "));
  }
  for (const TensorDraft& tensor : draft.inputs) text += tensor_text(tensor, true);
  for (const TensorDraft& tensor : draft.outputs) text += tensor_text(tensor, false);
  text += "[contract]                   # facts of the op: see them as questions\nnan = \"any\"\n";
  if (!draft.constraints.empty()) text += "constraints = " + quoted(draft.constraints) + "\n";
  if (!draft.attributes.empty()) text += "[attributes]\n";
  for (const AttributeDraft& one : draft.attributes) {
    text += fmt::format("{} = {{ type = \"{}\", default = {}, values = [{}] }}\n", one.name,
                        one.type, one.fallback, one.values);
  }
  text += "[fixed_shape]\n";
  for (const AxisDraft& axis : draft.axes) text += fmt::format("{} = {}\n", axis.name, axis.fixed);
  return text;
}

std::string reference_stub(const OpDraft& draft, const std::vector<std::string>& comments) {
  std::string text = comment_text(comments, "//");
  text +=
      "#include \"gate/reference/reference.h\"\n\n#include <stdexcept>\n\nnamespace {\n\n"
      "template <class S>\nvoid reference(const gate::Context<S>& c) {\n";
  for (const TensorDraft& tensor : draft.inputs) {
    text += fmt::format("  [[maybe_unused]] const auto {0} = c.input(\"{0}\");    // [{1}]\n",
                        tensor.name, join(tensor.shape, ", "));
  }
  for (const TensorDraft& tensor : draft.outputs) {
    text += fmt::format("  [[maybe_unused]] const auto {0} = c.output(\"{0}\");   // [{1}]\n",
                        tensor.name, join(tensor.shape, ", "));
  }
  const TensorDraft& output = draft.outputs.front();
  std::vector<std::string> index;
  text += "  // For example, the identity:\n";
  std::string indent = "  // ";
  for (std::size_t d = 0; d < output.shape.size(); ++d) {
    const std::string name(1, static_cast<char>('i' + d));
    text += fmt::format("{0}for (std::int64_t {1} = 0; {1} < c.axis(\"{2}\"); ++{1})\n", indent,
                        name, output.shape[d]);
    indent += "  ";
    index.push_back(name);
  }
  text += fmt::format("{}{}({}) = {}[0];\n", indent, output.name, join(index, ", "),
                      draft.inputs.front().name);
  text += "  throw std::logic_error(\"reference not written yet\");\n}\n\n}  // namespace\n";
  return text;
}

std::string python_reference_stub(const OpDraft& draft, const std::vector<std::string>& comments) {
  std::string text = comment_text(comments, "#");
  text +=
      "# Called with float64 arrays for the value, and in the kernel's own precision for limits:\n"
      "# compute in the precision of the inputs, without casts.\nimport numpy as np\n\n\n";
  std::vector<std::string> names, outputs;
  for (const TensorDraft& tensor : draft.inputs) names.push_back(tensor.name);
  for (const AttributeDraft& attribute : draft.attributes) names.push_back(attribute.name);
  text += fmt::format("def reference({}):\n", join(names, ", "));
  for (const auto* list : {&draft.inputs, &draft.outputs}) {
    for (const TensorDraft& tensor : *list) {
      text += fmt::format("    # {}{}: [{}]\n", list == &draft.inputs ? "" : "returns ",
                          tensor.name, join(tensor.shape, ", "));
    }
  }
  return text + "    raise NotImplementedError(\"reference not written yet\")\n";
}

}  // namespace gate
