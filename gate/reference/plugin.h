// References of op folders outside the source tree: compiled into a plug-in, run in a worker of
// their own (device "reference", or "python" for a reference.py), never inside the gate.
//
//   build_kernel(op, plugin_kernel(op), column, plugin_device(op)) -> image for a Session
//   Session::run({plugin_inputs(inputs, op, column)})        -> outcome
//   plugin_expected(outcome.after, op, column)               -> Expected
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/reference/expected.h"
#include "gate/spec/kernel_spec.h"

namespace gate {

/// Source text of a plug-in: the reference and its two entry points.
std::string plugin_source(const std::string& reference_file);
/// A reference.py and no reference.cpp: run by the Python worker in fp64 and in the column's
/// precision; its limits are the fallback rule's, the op is unmodelled.
bool has_python_reference(const OpSchema& op);
/// The device that runs an op's plug-in: "reference" or "python".
std::string plugin_device(const OpSchema& op);
inline constexpr const char* python_reference_entry = "gate.reference";  // worker.py knows it
/// The reference of an op as something to build and load.
KernelSpec plugin_kernel(const OpSchema& op);

/// Names of the tensors and scalars that carry a reference's job and its answer.
struct PluginNames {
  static std::string value(const std::string& output) { return output + ".value"; }
  static std::string envelope(const std::string& output) { return output + ".envelope"; }
  static std::string integers(const std::string& output) { return output + ".integers"; }
  static std::string also(const std::string& output) { return output + ".also"; }
  static std::string free(const std::string& output) { return output + ".free"; }
  static std::string largest(const std::string& output) { return output + ".largest"; }
  static std::string unit(const std::string& output) { return output + ".unit"; }
};
/// Other legal values an element of an integer output can name; unused ones hold `no_other`.
inline constexpr std::int64_t plugin_others_max = 4;
inline constexpr std::int64_t no_other = INT64_MIN;

/// The job of a plug-in: the inputs as they are, outputs for value, envelope and the rest, scalars
/// for attributes (as kernels receive them), axes and the arithmetic.
Inputs plugin_inputs(const Inputs& inputs, const OpSchema& op, const std::string& column);
/// A failure (user) if the answer does not hold every output in full.
Result<Expected> plugin_expected(const std::vector<Tensor>& after, const OpSchema& op);

/// The arithmetic as scalars "arithmetic.unit" …, and back.
void write_arithmetic(const Arithmetic& arithmetic, std::map<std::string, Scalar>& scalars);
Arithmetic read_arithmetic(const std::map<std::string, Scalar>& scalars);

}  // namespace gate
