// One call of a reference, as plain C data: the gate, the worker and plug-ins built by another
// compiler agree on it. Tensors are decoded: logical row-major order, fp64 or int64.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "gate/reference/arithmetic.h"

namespace gate {

inline constexpr std::uint32_t call_version = 1;
inline constexpr std::int32_t call_rank_max = 8;

struct CallTensor {
  const char* name = nullptr;
  std::int32_t rank = 0;
  std::int32_t is_output = 0;
  std::int32_t is_integer = 0;
  double largest = 0;  // of its dtype
  std::int64_t shape[call_rank_max] = {};
  std::int64_t strides[call_rank_max] = {};  // of the decoded order, in elements
  std::int64_t elements = 0;
  const double* values = nullptr;          // inputs, of integer dtypes too
  const std::int64_t* integers = nullptr;  // inputs of integer dtypes
  double* value_out = nullptr;             // outputs
  double* envelope_out = nullptr;          // float outputs
  std::int64_t* integers_out = nullptr;    // outputs of integer dtypes
  std::uint8_t* free_out = nullptr;
};

struct CallScalar {
  const char* name = nullptr;
  double value = 0;
  std::int64_t integer = 0;
  std::int32_t is_axis = 0;
};

struct ReferenceCall {
  std::uint32_t version = call_version;
  std::int32_t tensor_count = 0, scalar_count = 0;
  const CallTensor* tensors = nullptr;
  const CallScalar* scalars = nullptr;  // axes and attributes
  Arithmetic arithmetic;
  void* receiver = nullptr;  // of other legal values of an output element
  void (*also)(void* receiver, std::int32_t tensor, std::int64_t element,
               std::int64_t value) = nullptr;
  char* problem = nullptr;  // first mistake of the reference, "" if none
  std::int32_t problem_bytes = 0;
};

/// Entry points of a plug-in.
inline constexpr const char* plugin_tracked_entry = "gate_reference_tracked";
inline constexpr const char* plugin_plain_entry = "gate_reference_plain";
using PluginEntry = void (*)(const ReferenceCall*);

}  // namespace gate
