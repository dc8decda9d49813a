// Definitions of flashinfer-bench: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/definition.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gate/base/text.h"
#include "gate/intake/names.h"
#include "gate/spec/words.h"

namespace gate {
namespace {

constexpr std::int64_t var_max = 4096;    // of an axis whose range nobody gives
constexpr std::int64_t fixed_large = 64;  // [fixed_shape] of such an axis

struct ImportedType {
  std::string_view theirs, ours;
};
constexpr ImportedType types[] = {{"float32", "f32"},        {"float16", "f16"},
                                  {"bfloat16", "bf16"},      {"float64", "f64"},
                                  {"float8_e4m3", "f8e4m3"}, {"float8_e4m3fn", "f8e4m3"},
                                  {"float8_e5m2", "f8e5m2"}, {"int64", "i64"},
                                  {"int32", "i32"},          {"int8", "i8"},
                                  {"uint8", "u8"},           {"bool", "bool"}};

/// Python's integer division is written as ours.
std::string expression_text(std::string text) {
  for (std::size_t at = 0; (at = text.find("//", at)) != std::string::npos;) text.erase(at, 1);
  return text;
}

class DefinitionReader {
 public:
  DefinitionReader(const JsonSource& source, const ScalarValues& scalars,
                   const std::map<std::string, std::int64_t>& largest)
      : problems_(source.file), fields_(source, problems_), scalars_(scalars), largest_(largest) {}

  Result<Definition> run() {
    OpDraft& op = result_.op;
    op.name = fields_.text({"name"}, "the definition's name, e.g. \"rmsnorm_h4096\"");
    if (!op.name.empty() && !is_identifier(op.name)) {
      fields_.problem({"name"}, "name must be letters, digits and _; it is \"" + op.name + "\"");
    }
    const auto* told = fields_.find({"description"});
    op.summary = told != nullptr && told->is_string() ? clean_text(told->get<std::string>(), 120)
                                                      : "imported definition " + op.name;
    std::replace(op.summary.begin(), op.summary.end(), '\n', ' ');
    axes();
    tensors("inputs", true);
    tensors("outputs", false);
    columns();
    constraints();
    result_.reference = fields_.text({"reference"}, "Python text with a function run(...)");
    if (!result_.reference.empty()) check_reference();
    if (!problems_.empty()) return problems_.failure();
    return std::move(result_);
  }

 private:
  void axes() {
    const auto* axes = fields_.object({"axes"}, R"({"n": {"type": "var"}})");
    if (axes == nullptr) return;
    if (axes->empty()) fields_.problem({"axes"}, "axes must name at least one axis");
    for (const auto& [name, value] : axes->items()) {
      const std::string type =
          fields_.text({"axes", name, "type"}, R"("const" with a value, or "var")");
      AxisDraft axis{name, 1, var_max, fixed_large};
      if (type == "const") {
        const auto* size = fields_.find({"axes", name, "value"}, "the size");
        if (size == nullptr) continue;
        if (!size->is_number_integer() || size->get<std::int64_t>() < 1) {
          fields_.problem({"axes", name, "value"}, "value must be a positive integer");
          continue;
        }
        axis.min = axis.max = axis.fixed = size->get<std::int64_t>();
      } else if (!type.empty() && type != "var") {
        fields_.problem({"axes", name, "type"}, "there is no axis type \"" + type + "\"",
                        R"(it is "const" or "var")");
      }
      const auto traced = largest_.find(name);
      if (axis.min != axis.max && traced != largest_.end()) {
        axis.max = std::max(axis.max, traced->second);
      }
      result_.op.axes.push_back(axis);
    }
  }

  bool is_axis(const std::string& name) const {
    return std::any_of(result_.op.axes.begin(), result_.op.axes.end(),
                       [&](const AxisDraft& axis) { return axis.name == name; });
  }

  std::optional<std::string> dtype(const JsonPath& path) {
    const std::string theirs = fields_.text(path, "e.g. \"float16\"");
    if (theirs.empty()) return std::nullopt;
    for (const ImportedType& type : types) {
      if (type.theirs == theirs) return std::string(type.ours);
    }
    std::vector<std::string> known;
    for (const ImportedType& type : types) known.emplace_back(type.theirs);
    fields_.problem(path, "no device here computes with dtype \"" + theirs + "\"",
                    word_hint(theirs, known));
    return std::nullopt;
  }

  void tensors(const std::string& part, bool input) {
    const auto* list = fields_.object({part}, R"({"x": {"shape": ["n"], "dtype": "float32"}})");
    if (list == nullptr) return;
    if (list->empty()) fields_.problem({part}, part + " must name at least one tensor");
    for (const auto& [name, value] : list->items()) {
      if (!is_identifier(name)) {
        fields_.problem({part, name}, "a tensor's name must be letters, digits and _");
        continue;
      }
      const auto type = dtype({part, name, "dtype"});
      const auto* shape =
          fields_.find({part, name, "shape"}, "names of axes, or null for a scalar");
      if (!type || shape == nullptr) continue;
      if (shape->is_null() && input) {
        scalar(name, *type);
      } else if (!shape->is_array()) {
        fields_.problem({part, name, "shape"}, "shape must be an array of axis names");
      } else {
        tensor(part, name, *type, *shape);
      }
      if (input) result_.inputs.push_back(name);
    }
  }

  void tensor(const std::string& part, const std::string& name, const std::string& type,
              const nlohmann::ordered_json& shape) {
    TensorDraft tensor;
    tensor.name = name;
    tensor.integer = !type.starts_with("f") && !type.starts_with("bf");
    for (std::size_t i = 0; i < shape.size(); ++i) {
      const JsonPath path = {part, name, "shape", std::to_string(i)};
      const std::string axis = fields_.text(path, "the name of an axis");
      if (axis.empty()) continue;
      if (!is_axis(axis)) {
        std::vector<std::string> known;
        for (const AxisDraft& one : result_.op.axes) known.push_back(one.name);
        fields_.problem(path, "there is no axis \"" + axis + "\"", word_hint(axis, known));
      }
      tensor.shape.push_back(axis);
    }
    const bool input = part == "inputs";
    if (tensor.integer && input && type != "bool") {
      for (const AxisDraft& axis : result_.op.axes) {
        const bool own =
            std::find(tensor.shape.begin(), tensor.shape.end(), axis.name) != tensor.shape.end();
        if (!own && tensor.below.empty()) tensor.below = axis.name;
      }
      if (tensor.below.empty()) tensor.below = result_.op.axes.front().name;
      result_.notes.push_back(fmt::format("{}: values 0 to {} - 1, a guess", name, tensor.below));
    }
    dtypes_.emplace_back(name, type);
    (input ? result_.op.inputs : result_.op.outputs).push_back(std::move(tensor));
  }

  void scalar(const std::string& name, const std::string& type) {
    const bool real = type.starts_with("f") || type.starts_with("bf");
    std::set<double> values;
    if (const auto found = scalars_.find(name); found != scalars_.end()) values = found->second;
    if (values.empty()) {
      values = type == "bool" ? std::set<double>{0, 1} : std::set<double>{1};
      if (real)
        values = likeness(name, "eps") > 0 ? std::set<double>{1e-6, 1e-5} : std::set{0.5, 1.0};
      result_.notes.push_back(name + ": a scalar, its values are guessed");
    }
    std::vector<std::string> texts;
    for (const double value : values) {
      std::string text = number_text(value);
      if (real && text.find_first_of(".e") == std::string::npos) text += ".0";
      if (type == "bool") text = value != 0 ? "true" : "false";
      texts.push_back(text);
    }
    const std::string ours = type == "bool" ? "bool" : real ? "f32" : "i32";
    result_.op.attributes.push_back({name, ours, texts.back(), join(texts, ", ")});
  }

  void columns() {
    std::string column;
    for (const auto& [name, type] : dtypes_) {
      const bool real = type.starts_with("f") || type.starts_with("bf");
      if (column.empty() && real) column = type;
    }
    if (column.empty() && !dtypes_.empty()) column = dtypes_.front().second;
    result_.op.columns = {column};
    result_.op.dtypes = {dtypes_};
  }

  void constraints() {
    if (fields_.find({"constraints"}) == nullptr || fields_.find({"constraints"})->is_null())
      return;
    const auto* list = fields_.array({"constraints"}, "Python expressions over axes");
    for (std::size_t i = 0; list != nullptr && i < list->size(); ++i) {
      const JsonPath path = {"constraints", std::to_string(i)};
      const std::string theirs = fields_.text(path, "e.g. \"n % 8 == 0\"");
      if (!theirs.empty()) constraint(path, theirs);
    }
  }

  void constraint(const JsonPath& path, const std::string& theirs) {
    const auto parsed = Expression::parse(expression_text(theirs));
    // An expression over tensors says nothing about sizes: it is told, and left out.
    const bool of_tensors = theirs.find('[') != std::string::npos ||
                            theirs.find(".item(") != std::string::npos ||
                            theirs.find(".shape") != std::string::npos;
    if (of_tensors) {
      result_.notes.push_back("constraint not taken over, it reads tensors: " + theirs);
      return;
    }
    if (!parsed) {
      fields_.problem(path, parsed.failure().problems.front().text + " in \"" + theirs + "\"",
                      "constraints are integer expressions over axes");
      return;
    }
    IntegerValues fixed;
    for (const std::string& name : parsed->names()) {
      if (!is_axis(name)) {
        fields_.problem(path, "there is no axis \"" + name + "\" in \"" + theirs + "\"");
        return;
      }
      for (const AxisDraft& axis : result_.op.axes) {
        if (axis.name == name && axis.min == axis.max) fixed[name] = axis.min;
      }
    }
    if (fixed.size() == parsed->names().size()) {
      const auto truth = parsed->value(fixed);
      if (!truth || *truth == 0) {
        fields_.problem(path, "the constant axes do not meet \"" + theirs + "\"");
      }
      return;  // true for ever
    }
    result_.op.constraints.push_back(parsed->text());
  }

  void check_reference() {
    const auto functions = read_python_functions(result_.reference, "reference");
    const bool runs = functions && std::any_of(functions->begin(), functions->end(),
                                               [](const auto& one) { return one.name == "run"; });
    if (!functions) {
      fields_.problem({"reference"}, functions.failure().problems.front().text);
    } else if (!runs) {
      fields_.problem({"reference"}, "the reference has no top-level function run(...)",
                      "def run(x, …): return y");
    }
  }

  Problems problems_;
  JsonFields fields_;
  const ScalarValues& scalars_;
  const std::map<std::string, std::int64_t>& largest_;
  Definition result_;
  std::vector<std::pair<std::string, std::string>> dtypes_;
};

}  // namespace

Imported kind_of(const nlohmann::ordered_json& value) {
  if (!value.is_object()) return Imported::unknown;
  if (value.contains("workload")) return Imported::trace;
  if (value.contains("spec") || value.contains("sources")) return Imported::solution;
  if (value.contains("reference") || value.contains("outputs")) return Imported::definition;
  if (value.contains("axes") && value.contains("inputs")) return Imported::workload;
  return Imported::unknown;
}

Result<Definition> read_definition(const JsonSource& source, const ScalarValues& scalars,
                                   const std::map<std::string, std::int64_t>& largest) {
  return DefinitionReader(source, scalars, largest).run();
}

}  // namespace gate
