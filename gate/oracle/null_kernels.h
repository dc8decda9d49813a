// Null kernels: outputs that compute nothing and must be rejected by some case of every plan.
// A tolerance or a case set that lets one through proves nothing (oracle.md section 8).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "gate/oracle/verdict.h"

namespace gate {

/// What a null kernel may use: it knows inputs and expected values, unlike a real one.
struct NullSubject {
  const OpSchema& op;
  const std::string& column;
  const Inputs& inputs;
  const Expected& expected;
  const std::vector<Tensor>& previous;  // outputs of the case before, empty: none
  /// The reference on other inputs (truncated ones); nothing where it cannot be computed.
  std::function<std::optional<Expected>(const Inputs&)> reference;
  std::optional<Expected> other_seed;  // expected of the same case with another input key
};

struct NullKernel {
  std::string_view name;
  /// Fills the outputs in place; false where it does not apply to this case.
  bool (*fill)(std::vector<Tensor>& outputs, const NullSubject& subject);
};
const std::vector<NullKernel>& all_null_kernels();

/// What became of one null kernel on one case.
enum class NullVerdict { rejected, survived, not_applicable, equals_reference };
NullVerdict try_null_kernel(const NullKernel& kernel, const NullSubject& subject,
                            const Judging& judging);

}  // namespace gate
