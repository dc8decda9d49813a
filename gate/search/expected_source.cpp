// Where expected values come from.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/expected_source.h"

namespace gate {

ExpectedSource::ExpectedSource(const OpSchema& op, std::string column,
                               const SessionOptions& options)
    : op_(op), column_(std::move(column)), options_(options) {}

Result<Expected> ExpectedSource::expected(const Inputs& inputs) {
  const ReferenceRow* row = op_.bundled ? find_reference(op_.name) : nullptr;
  if (row == nullptr) return machine_failure("no reference for op " + op_.name);
  return compute_expected(inputs, op_, column_);
}

}  // namespace gate
