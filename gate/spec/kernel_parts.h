// The parts of a kernel toml, each read by one function; read_kernel.cpp puts them in order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/spec/read.h"
#include "gate/spec/toml_reader.h"

namespace gate {

/// What the functions share while one kernel toml is read.
struct KernelReading {
  Problems& problems;
  KernelSpec& kernel;
  const OpSchema& op;
  /// What launch expressions may read: axes, integer attributes, x.stride(0), x.size(0), x.offset.
  std::vector<std::string> launch_names;
};

std::vector<std::string> launch_names(const OpSchema& op);
/// Python kernels are called, not launched: grids are for Triton functions only.
bool is_python(const KernelSpec& kernel);

void read_workspace(KernelReading& reading, TableReader& root);
void read_launch(KernelReading& reading, TableReader& root);
void read_expect(KernelReading& reading, TableReader& root);

/// A function name, or a template instance such as softmax<float, 4>.
bool is_entry(std::string_view text);
/// column -> function of an [entry] table or a step's own one.
std::map<std::string, std::string> read_entries(KernelReading& reading, const TomlValue& value,
                                                const std::string& what);

}  // namespace gate
