// The parts of op.toml, each read by one function; read_op.cpp puts them in order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/spec/read.h"
#include "gate/spec/toml_reader.h"

namespace gate {

/// What the functions share while one op.toml is read.
struct OpReading {
  Problems& problems;
  OpSchema& schema;
  const KnownNames& known;
  std::vector<std::string> names;   // every axis, attribute and tensor so far
  std::vector<std::string> broken;  // those with problems of their own: no further ones follow

  bool is_broken(const std::string& name) const;

  /// A problem if `name` is no identifier, is reserved or is taken; notes it otherwise.
  bool take_name(const TomlEntry& entry, std::string_view what);
};

void read_axes(OpReading& reading, TableReader& root);
void read_attributes(OpReading& reading, TableReader& root);
void read_tensors(OpReading& reading, TableReader& root);
void read_columns(OpReading& reading, TableReader& root);
void read_contract(OpReading& reading, TableReader& root);
void read_fixed_shape(OpReading& reading, TableReader& root);

/// A scalar of the attribute's dtype (f32 values are rounded to f32), or a problem.
std::optional<Scalar> scalar_of(Problems& problems, const TomlValue& value, const std::string& what,
                                DType dtype);
/// Axes and attributes whose values are integers: what expressions may read.
std::vector<std::string> expression_names(const OpSchema& schema);

}  // namespace gate
