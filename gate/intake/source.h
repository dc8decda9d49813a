// What a kernel source says about itself: entries with their parameters, template parameters,
// launch shape and masks. Read from tokens, so macros stay unexpanded and bodies unparsed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/spec/tiles.h"
#include "gate/tensor/dtype.h"

namespace gate {

struct SourceParameter {
  std::string name;
  std::string type;            // as written, without const, * and qualifiers
  std::optional<DType> dtype;  // of the scalar or of what the pointer points at
  bool pointer = false;
  bool constant = false;      // const before the *
  bool stream = false;        // cudaStream_t
  bool compile_time = false;  // Python: tl.constexpr
  bool optional = false;      // Python: has a default
  int lanes = 1;              // float4 has 4
  int line = 0;
};

struct TemplateParameter {
  std::string name;
  bool is_type = true;
  std::optional<std::int64_t> fallback;  // default of a number
};

/// How the body uses the grid: what launches are tried first.
struct SourceGeometry {
  bool block_y = false, block_z = false;    // blockIdx.y, .z
  bool thread_x = false, thread_y = false;  // threadIdx.x, .y
  bool element_index = false;               // blockIdx.x * … + threadIdx.x
  bool dynamic_shared = false;              // extern __shared__
  int mask_line = 0;                        // first `if (… < …)` or `mask=`, 0: none
};

struct SourceFunction {
  enum class What { kernel, launcher, python, triton, module };
  What what = What::kernel;
  std::string name;
  int line = 0;
  std::vector<TemplateParameter> templates;
  std::vector<SourceParameter> parameters;
  std::int64_t launch_bounds = 0;  // 0: none
  SourceGeometry geometry;
  std::set<std::string> words;  // names in the body
};

struct SourceReading {
  std::filesystem::path file;
  bool python = false;
  std::vector<SourceFunction> functions;  // entries only, in file order
  std::vector<MinedTile> constants;
};

/// `file` names the text in messages and tells the language. A source without any entry, or with
/// one that cannot be read, is a user failure at its line.
Result<SourceReading> read_source(const std::string& text, const std::filesystem::path& file);
/// The two languages; read_source picks by the file's name.
Result<std::vector<SourceFunction>> read_cpp_functions(const std::string& text,
                                                       const std::filesystem::path& file);
Result<std::vector<SourceFunction>> read_python_functions(const std::string& text,
                                                          const std::filesystem::path& file);
/// Dtype of a C++ type's name, and lanes of a vector type; nothing for others.
struct SourceType {
  DType dtype = DType::f32;
  int lanes = 1;
};
std::optional<SourceType> source_type(const std::string& name);
std::string to_text(SourceFunction::What what);

}  // namespace gate
