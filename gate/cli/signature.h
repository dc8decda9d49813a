// Functions a kernel source offers as entries, read loosely: enough to guess a launch, never enough
// to judge one. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace gate {

struct Parameter {
  std::string name, type;  // type without qualifiers and *: "float", "T", "__half"
  bool pointer = false;
};

struct Signature {
  std::string name;
  std::vector<Parameter> parameters;
  bool is_kernel = false;  // __global__
  bool is_template = false;
};

/// Extension for a source whose device nobody named: .cu, .py or .cpp.
std::string source_extension(const std::string& source);
/// Host launchers (extern "C") and __global__ functions of C++ or CUDA source, top-level functions
/// of Python source; in file order.
std::vector<Signature> entry_candidates(const std::string& source, const std::string& extension);

}  // namespace gate
