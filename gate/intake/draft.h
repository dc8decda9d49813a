// A kernel toml before it is written: what was guessed, as the texts the file will hold. Probing
// reads it through the same reader as any kernel toml, so a draft cannot say what a file may not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gate/intake/source.h"
#include "gate/spec/op_schema.h"

namespace gate {

struct KernelDraft {
  std::string op;
  std::string source;                                      // file name
  std::vector<std::pair<std::string, std::string>> entry;  // column -> function
  std::vector<std::string> arguments;
  std::vector<std::string> grid, block;  // empty: launcher or Python
  std::string shared;                    // empty: none
  std::vector<std::string> constraints;
  std::int64_t alignment = 0;
  double score = 0;  // of the guess, before it ran
};

/// `comments` come first, one line each.
std::string to_toml(const KernelDraft& draft, const std::vector<std::string>& comments);

/// Every plausible way to call `function` as a kernel of `op`, likeliest first, `count_max` at
/// most; none where parameters do not fit.
struct DraftRequest {
  const SourceReading& source;
  const SourceFunction& function;
  const OpSchema& op;
  std::size_t count_max = 24;
};
std::vector<KernelDraft> draft_kernels(const DraftRequest& request);

/// Whether two entries differ in their dtypes only, by name and number of parameters.
bool is_sibling(const SourceFunction& one, const SourceFunction& other);

/// One way to hand an op's tensors and numbers to parameters.
struct BoundArguments {
  std::vector<std::string> texts;    // one per parameter
  std::vector<std::string> tensors;  // per pointer parameter: the op's tensor
  bool strides = false;              // some parameter is a stride
  double score = 0;
};
std::vector<BoundArguments> bind_arguments(const DraftRequest& request);
/// Python functions get the op's inputs in order, and may return their outputs.
std::vector<BoundArguments> bind_python(const DraftRequest& request);

/// One way to launch a __global__ function.
struct LaunchShape {
  std::vector<std::string> grid, block;
  std::string shared;
  std::vector<std::int64_t> numbers;  // values of the template's numbers, in order
};
std::vector<LaunchShape> launch_shapes(const DraftRequest& request);

}  // namespace gate
