// Where expected values come from: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/expected_source.h"

#include "gate/reference/plugin.h"

namespace gate {
ExpectedSource::ExpectedSource(const OpSchema& op, std::string column,
                               const SessionOptions& options)
    : op_(op), column_(std::move(column)), options_(options) {
  options_.journal.clear();  // the journal is of kernels
  options_.slots = 1;
}

std::optional<Failure> ExpectedSource::problem() {
  if (op_.bundled) {
    if (find_reference(op_.name) != nullptr) return std::nullopt;
    return machine_failure("the reference of " + op_.name + " is not compiled in");
  }
  if (!plugin_) plugin_ = build_kernel(op_, plugin_kernel(op_), column_, plugin_device(op_));
  switch (plugin_->kind) {
    case Kind::pass:
      return std::nullopt;
    case Kind::build_failed:
      return user_failure("the reference of " + op_.name + " does not compile: " + plugin_->text);
    default:
      return machine_failure("the reference of " + op_.name + ": " + plugin_->text);
  }
}

bool ExpectedSource::is_pure() const { return op_.bundled && find_reference(op_.name) != nullptr; }

Result<Expected> ExpectedSource::expected(const Inputs& inputs) {
  if (is_pure()) {
    return compute_expected(inputs, op_, column_);
  }
  if (std::optional<Failure> why = problem()) return *why;
  return from_plugin(inputs);
}

Result<Expected> ExpectedSource::from_plugin(const Inputs& inputs) {
  if (!session_) session_.emplace(plugin_->image, options_);
  Job job;
  job.inputs = plugin_inputs(inputs, op_, column_);
  const Outcome outcome = session_->run(job);
  if (outcome.end == Kind::pass) return plugin_expected(outcome.after, op_);
  return user_failure("the reference of " + op_.name + " ended in " +
                      std::string(name(outcome.end)) + ": " + outcome.text);
}

}  // namespace gate
