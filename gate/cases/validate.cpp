// What makes a case legal for an op and a kernel, and what it roughly costs.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/base/text.h"
#include "gate/cases/cost.h"
#include "gate/cases/domain.h"
#include "gate/cases/layout.h"

namespace gate {
namespace {

// A case beyond this is a typing error: 2^40 elements fit no machine.
constexpr std::int64_t elements_limit = std::int64_t{1} << 40;

class Check {
 public:
  Check(const Case& value, const OpSchema& op, const KernelSpec* kernel)
      : case_(value), op_(op), kernel_(kernel) {}

  Result<Done> run() {
    if (case_.op != op_.name) add("op is '" + case_.op + "', expected '" + op_.name + "'");
    if (std::find(op_.columns.begin(), op_.columns.end(), case_.column) == op_.columns.end()) {
      add("unknown column '" + case_.column + "'");
      return failure_;  // dtypes are unknown: nothing else can be checked
    }
    axes();
    attributes();
    if (!failure_.problems.empty()) return failure_;
    values_ = complete_values(case_, op_);
    constraints(op_.contract.constraints, "constraint");
    for (const TensorSchema& tensor : op_.inputs) input(tensor);
    for (const TensorSchema& tensor : op_.outputs) output(tensor);
    for (const auto& [name, choice] : case_.tensors)
      if (find_tensor(op_, name) == nullptr) add("unknown tensor '" + name + "'");
    if (!failure_.problems.empty()) return failure_;
    if (kernel_ != nullptr) narrowing();
    if (!failure_.problems.empty()) return failure_;
    return Done{};
  }

 private:
  void add(std::string text) { failure_.problems.push_back({{}, "case: " + std::move(text), {}}); }

  void axes() {
    for (const Axis& axis : op_.axes) {
      const auto given = case_.axes.find(axis.name);
      if (given == case_.axes.end())
        add("axis '" + axis.name + "' has no size");
      else if (!legal_size(axis, given->second))
        add("axis " + axis.name + " = " + std::to_string(given->second) + " is outside " +
            std::to_string(axis.min) + ".." + std::to_string(axis.max));
    }
    for (const auto& [name, size] : case_.axes)
      if (find_axis(op_, name) == nullptr) add("unknown axis '" + name + "'");
  }

  void attributes() {
    for (const auto& [name, scalar] : case_.attributes) {
      const Attribute* attribute = find_attribute(op_, name);
      if (attribute == nullptr) {
        add("unknown attribute '" + name + "'");
        continue;
      }
      const auto& legal = attribute->values;
      if (scalar != attribute->fallback &&
          std::find(legal.begin(), legal.end(), scalar) == legal.end())
        add("attribute '" + name + "' has a value that the op does not list");
    }
  }

  void constraints(const std::vector<Expression>& list, const std::string& what) {
    for (const Expression& expression : list) {
      const auto truth = expression.value(values_);
      if (!truth || *truth == 0) add(what + " does not hold: " + expression.text());
    }
  }

  std::int64_t shape(const TensorSchema& tensor) {
    std::int64_t count = 1;
    for (const Expression& size : tensor.shape) {
      const auto computed = size.value(values_);
      if (!computed || *computed < 0 || (*computed > 0 && count > elements_limit / *computed)) {
        add("tensor '" + tensor.name + "': size '" + size.text() + "' is out of range");
        return -1;
      }
      count *= *computed;
    }
    return count;
  }

  void layout(const TensorSchema& tensor, const TensorChoice& choice) {
    const DType dtype = dtype_of(op_, case_.column, tensor.name);
    const std::string problem = layout_problem(choice, tensor, facts(dtype).bytes, kernel_);
    if (!problem.empty()) add("tensor '" + tensor.name + "': " + problem);
  }

  void input(const TensorSchema& tensor) {
    const auto given = case_.tensors.find(tensor.name);
    const TensorChoice choice = given == case_.tensors.end() ? TensorChoice{} : given->second;
    const std::int64_t count = shape(tensor);
    layout(tensor, choice);
    const DType dtype = dtype_of(op_, case_.column, tensor.name);
    if (!facts(dtype).is_float && !integer_range(tensor, dtype, values_))
      add("tensor '" + tensor.name + "' has no legal values");
    std::int64_t before = -1;
    for (const ElementOverride& element : choice.elements) {
      if (element.element <= before || element.element >= count)
        add("tensor '" + tensor.name + "': element " + std::to_string(element.element) +
            " is out of range or order");
      before = element.element;
    }
    if (!choice.profile.empty()) profile(tensor, choice.profile, dtype);
  }

  void profile(const TensorSchema& tensor, const std::string& text, DType dtype) {
    const auto parsed = parse_profile(text);
    if (!parsed) return add("tensor '" + tensor.name + "': unknown value profile '" + text + "'");
    const bool fits = facts(dtype).is_float ? parsed->facts->floats : parsed->facts->integers;
    if (!fits || !profile_allowed(tensor, *parsed->facts, dtype))
      return add("tensor '" + tensor.name + "': value profile '" + text +
                 "' is not one of its own");
    const bool finite =
        case_.property == property_value || case_.property.starts_with(property_law_prefix);
    if (parsed->facts->special && finite)
      add("tensor '" + tensor.name + "': '" + text + "' belongs to the property special");
  }

  void output(const TensorSchema& tensor) {
    shape(tensor);
    const auto given = case_.tensors.find(tensor.name);
    if (given == case_.tensors.end()) return;
    layout(tensor, given->second);
    if (given->second.layout == "broadcast")
      add("tensor '" + tensor.name + "': outputs are not broadcast");
    if (!given->second.profile.empty() || !given->second.elements.empty())
      add("tensor '" + tensor.name + "' is an output: it has no values");
  }

  void narrowing() {
    values_ = launch_values(case_, op_);
    constraints(kernel_->constraints, "[domain] of " + kernel_->name);
    for (const Workspace& workspace : kernel_->workspaces) {
      const auto bytes = workspace.bytes.value(values_);
      if (!bytes || *bytes < 0 || *bytes > elements_limit)
        add("workspace '" + workspace.name + "' has no size");
    }
  }

  const Case& case_;
  const OpSchema& op_;
  const KernelSpec* kernel_;
  IntegerValues values_;
  Failure failure_;
};

}  // namespace

Result<Done> validate(const Case& value, const OpSchema& op, const KernelSpec* kernel) {
  return Check(value, op, kernel).run();
}

}  // namespace gate
