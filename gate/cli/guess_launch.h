// A launch guessed from an op's conventions: parameters named like a tensor, axis or attribute are
// that; the others are, in order, inputs and outputs, axes, attributes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/cli/signature.h"
#include "gate/spec/op_schema.h"

namespace gate {

/// The `args` of a [[launch]] table as TOML texts, e.g. x, y, rows, "cols:i64".
Result<std::vector<std::string>> guess_arguments(const Signature& signature, const OpSchema& op);
/// Columns whose dtypes the parameters can take; of a template all of the op.
std::vector<std::string> guess_columns(const Signature& signature, const OpSchema& op);
/// The function name of a column: a template's instance for its output dtype.
std::string entry_of(const Signature& signature, const OpSchema& op, const std::string& column);

}  // namespace gate
