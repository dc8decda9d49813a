// Working parts that several laws share: finding rows in tensors, rebuilding inputs.
// SPDX-License-Identifier: Apache-2.0
#include "gate/oracle/law_subject.h"

#include <algorithm>

namespace gate {
namespace {

/// Elements between neighbours along `dimension`, in row-major order.
std::int64_t inner_elements(const std::vector<std::int64_t>& shape, std::size_t dimension) {
  std::int64_t inner = 1;
  for (std::size_t d = dimension + 1; d < shape.size(); ++d) inner *= shape[d];
  return inner;
}

/// Whether an axis occurs inside a larger expression of a shape: rows are no rows then.
bool occurs_inside(const TensorSchema& tensor, const std::string& axis) {
  return std::any_of(tensor.shape.begin(), tensor.shape.end(), [&](const Expression& size) {
    const std::vector<std::string> names = size.names();
    return size.text() != axis && std::find(names.begin(), names.end(), axis) != names.end();
  });
}

std::size_t occurrences(const TensorSchema& tensor, const std::string& axis) {
  return static_cast<std::size_t>(
      std::count_if(tensor.shape.begin(), tensor.shape.end(),
                    [&](const Expression& size) { return size.text() == axis; }));
}

bool separates(const OpSchema& op, const std::string& axis) {
  const auto once = [&](const TensorSchema& t) { return occurrences(t, axis) == 1; };
  const auto clean = [&](const TensorSchema& t) {
    return !occurs_inside(t, axis) && occurrences(t, axis) <= 1;
  };
  return std::all_of(op.outputs.begin(), op.outputs.end(), once) &&
         std::any_of(op.inputs.begin(), op.inputs.end(), once) &&
         std::all_of(op.inputs.begin(), op.inputs.end(), clean) &&
         std::all_of(op.outputs.begin(), op.outputs.end(), clean);
}

}  // namespace

std::optional<std::size_t> axis_dimension(const TensorSchema& tensor, const std::string& axis) {
  for (std::size_t d = 0; d < tensor.shape.size(); ++d) {
    if (tensor.shape[d].text() == axis) return d;
  }
  return std::nullopt;
}

std::optional<std::string> row_axis(const OpSchema& op) {
  if (op.outputs.empty()) return std::nullopt;
  for (const Expression& size : op.outputs.front().shape) {
    if (find_axis(op, size.text()) == nullptr) continue;
    if (separates(op, size.text())) return size.text();
  }
  return std::nullopt;
}

std::int64_t row_of(const std::vector<std::int64_t>& shape, std::int64_t element,
                    std::size_t dimension) {
  return element / inner_elements(shape, dimension) % shape[dimension];
}

void copy_elements(Tensor& to, const Tensor& from,
                   const std::function<std::int64_t(std::int64_t)>& source) {
  const std::int64_t count = to.elements();
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t origin = source(i);
    if (origin >= 0) to.set_bits(i, from.bits_at(origin));
  }
}

std::map<std::string, std::vector<std::int64_t>> output_rows(const Inputs& transformed,
                                                             const LawSubject& subject,
                                                             const std::string& axis,
                                                             const RowMap& map) {
  std::map<std::string, std::vector<std::int64_t>> result;
  for (const TensorSchema& schema : subject.op.outputs) {
    const Tensor* tensor = find_tensor(transformed, schema.name);
    const Tensor* base = find_tensor(subject.base, schema.name);
    const std::optional<std::size_t> dimension = axis_dimension(schema, axis);
    if (tensor == nullptr || base == nullptr || !dimension) continue;
    std::vector<std::int64_t>& elements = result[schema.name];
    for (std::int64_t i = 0; i < tensor->elements(); ++i) {
      const std::int64_t row = map(row_of(tensor->view.shape, i, *dimension));
      if (row < 0) {
        elements.push_back(-1);
        continue;
      }
      // The same place in the base: outer and inner parts kept, the row replaced.
      const std::int64_t inner = inner_elements(tensor->view.shape, *dimension);
      const std::int64_t outer = i / (inner * tensor->view.shape[*dimension]);
      const std::int64_t base_rows = base->view.shape[*dimension];
      elements.push_back((outer * base_rows + row) * inner + i % inner);
    }
  }
  return result;
}

std::map<std::string, std::vector<std::int64_t>> same_elements(const Inputs& inputs) {
  std::map<std::string, std::vector<std::int64_t>> result;
  for (const Tensor& tensor : inputs.tensors) {
    if (tensor.role != Role::output && tensor.role != Role::inout) continue;
    std::vector<std::int64_t>& elements = result[tensor.name];
    for (std::int64_t i = 0; i < tensor.elements(); ++i) elements.push_back(i);
  }
  return result;
}

std::optional<std::int64_t> row_count(const LawSubject& subject) {
  const std::optional<std::string> axis = row_axis(subject.op);
  if (!axis) return std::nullopt;
  const auto rows = subject.test_case.axes.find(*axis);
  if (rows == subject.test_case.axes.end() || rows->second < 2) return std::nullopt;
  return rows->second;
}

std::optional<Inputs> inputs_of(const Case& value, const LawSubject& subject) {
  if (!validate(value, subject.op, &subject.kernel)) return std::nullopt;
  return make_inputs(value, subject.op, &subject.kernel);
}

bool is_bitwise(const OpSchema& op) { return op.contract.determinism == "bitwise"; }

}  // namespace gate
