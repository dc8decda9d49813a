// An op.toml and a reference stub for a source that no known op explains: axes from its integers,
// tensors from its pointers. Guesses, marked as such in the file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "gate/intake/source.h"

namespace gate {

struct TensorDraft {
  std::string name;
  std::vector<std::string> shape;
  bool integer = false;
  std::string below;   // index-like integers: an axis
  std::string layout;  // besides contiguous, or empty
};

struct AxisDraft {
  std::string name;
  std::int64_t min = 1, max = 4096, fixed = 64;
};

struct AttributeDraft {
  std::string name, type, fallback, values;
};

struct OpDraft {
  std::string name, summary;
  std::vector<AxisDraft> axes;
  std::vector<std::string> columns;
  std::vector<std::vector<std::pair<std::string, std::string>>> dtypes;  // per column
  std::vector<TensorDraft> inputs, outputs;
  std::vector<AttributeDraft> attributes;
  std::vector<std::string> constraints;
  std::vector<std::string> reasons;
};

/// Of a C++ function; a user failure where there is no output to speak of.
Result<OpDraft> guess_op(const SourceReading& source, const SourceFunction& function);
std::string to_toml(const OpDraft& draft, const std::vector<std::string>& comments);
/// A reference.cpp that names the tensors and stops with "reference not written yet".
std::string reference_stub(const OpDraft& draft, const std::vector<std::string>& comments);
/// The same as a reference.py.
std::string python_reference_stub(const OpDraft& draft, const std::vector<std::string>& comments);

}  // namespace gate
