// Look-ups in an op schema and a kernel spec.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/op_schema.h"

#include <algorithm>

#include "gate/base/check.h"

namespace gate {
namespace {

template <class T>
const T* named(const std::vector<T>& items, const std::string& name) {
  const auto at =
      std::find_if(items.begin(), items.end(), [&](const T& item) { return item.name == name; });
  return at == items.end() ? nullptr : &*at;
}

}  // namespace

const Axis* find_axis(const OpSchema& schema, const std::string& name) {
  return named(schema.axes, name);
}

const Attribute* find_attribute(const OpSchema& schema, const std::string& name) {
  return named(schema.attributes, name);
}

const TensorSchema* find_tensor(const OpSchema& schema, const std::string& name) {
  const TensorSchema* tensor = named(schema.inputs, name);
  return tensor ? tensor : named(schema.outputs, name);
}

bool is_input(const OpSchema& schema, const std::string& tensor) {
  return named(schema.inputs, tensor) != nullptr;
}

DType dtype_of(const OpSchema& schema, const std::string& column, const std::string& tensor) {
  const auto row = schema.dtypes.find(column);
  check(row != schema.dtypes.end(), "a dtype is asked only for a column of the op");
  const auto dtype = row->second.find(tensor);
  check(dtype != row->second.end(), "every column gives a dtype to every tensor");
  return dtype->second;
}

}  // namespace gate
