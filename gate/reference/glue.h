// What generated glue calls: run a reference over Inputs and gather its outputs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/reference/context.h"
#include "gate/reference/expected.h"

namespace gate {

/// Decodes `inputs`, calls `body`, gathers the outputs. A mistake of the reference (unknown name,
/// index out of range) ends the program: it is a bug of a bundled op.
Expected call_reference(const Inputs& inputs, const OpSchema& op, const std::string& column,
                        PluginEntry body);

template <class S, class Function>
Expected run_reference(const Inputs& inputs, const OpSchema& op, const std::string& column,
                       Function) {
  return call_reference(inputs, op, column, [](const ReferenceCall* call) {
    Context<S> context(*call);
    Function{}(context);
  });
}

/// Generated: one row per testcases/<op>/reference.cpp, sorted by op.
std::vector<const ReferenceRow*> reference_table();

}  // namespace gate
