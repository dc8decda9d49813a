// Tolerance rows of columns that nobody has committed one for: see effective.h.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/policy/effective.h"
#include "gate/reference/plugin.h"

namespace gate {

Tolerance unmodelled_tolerance(const OpSchema& op, const std::string& column) {
  Tolerance row;
  row.c = 1;
  row.exact = std::all_of(op.outputs.begin(), op.outputs.end(), [&](const TensorSchema& output) {
    return !facts(dtype_of(op, column, output.name)).is_float;
  });
  row.reason = row.exact ? "integer outputs" : "unmodelled: the fallback rule of reference.py";
  return row;
}

Tolerance default_tolerance(const OpSchema& op, const std::string& column) {
  Tolerance row = unmodelled_tolerance(op, column);
  if (row.exact || has_python_reference(op)) return row;
  row = Tolerance();
  row.reason = "default, not calibrated yet";
  return row;
}

}  // namespace gate
