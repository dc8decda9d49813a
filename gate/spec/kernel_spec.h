// A kernel spec: what kernels/<name>.toml says, checked against its op.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/expression.h"
#include "gate/spec/kind.h"
#include "gate/tensor/dtype.h"

namespace gate {

/// One argument of a launch step.
struct LaunchArgument {
  enum class What { tensor, workspace, integer, attribute, stream };
  What what = What::integer;
  std::string name;          // tensor, workspace or attribute
  Expression value;          // integer: over axes, attributes, "x.stride(0)", "x.offset"
  DType dtype = DType::i32;  // scalars; axes and expressions default to i32
};

/// One step. A host launcher has one step with `grid` empty.
struct LaunchStep {
  std::map<std::string, std::string> entry;   // column -> function; filled from [entry] if absent
  std::vector<LaunchArgument> arguments;
  std::vector<Expression> grid;               // 1 to 3, empty: host launcher
  std::vector<Expression> block;
  Expression shared;                          // dynamic shared memory, bytes
};

struct Workspace {
  std::string name;
  Expression bytes;
};

struct Expectation {
  Class klass = Class::clean;
  std::optional<Kind> kind;
  std::string bug;
};

struct KernelSpec {
  std::string name;                           // file name without .toml
  std::string op;
  std::filesystem::path file;                 // kernels/<name>.toml
  std::filesystem::path source;               // absolute; .cu .cpp .so .ptx .cubin .py
  std::string corpus;                         // label or empty
  std::string author;                         // label or empty
  std::vector<std::int64_t> tiles;            // declared
  std::vector<std::int64_t> mined_tiles;      // from source and expressions
  std::map<std::string, std::vector<std::string>> defines;   // column -> NAME or NAME=VALUE
  std::map<std::string, std::string> entry;   // column -> function; its keys are the columns
  std::vector<Workspace> workspaces;
  std::vector<LaunchStep> launch;
  std::vector<Expression> constraints;        // [domain]
  std::int64_t alignment = 0;                 // bytes; 0: dtype size
  std::map<std::string, Expectation> expect;  // column -> expectation; all or none
  int line = 1;                               // of [entry]: where findings point in the toml
};

/// The columns it implements, in the op's order is the caller's business; here: sorted.
std::vector<std::string> columns_of(const KernelSpec& kernel);
/// Extension of the source, lower case, with the dot.
std::string source_kind(const KernelSpec& kernel);

}  // namespace gate
