// Where expected values come from: the compiled-in reference, or a plug-in in its own process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "gate/reference/expected.h"
#include "gate/worker/pool.h"

namespace gate {

class ExpectedSource {
 public:
  ExpectedSource(const OpSchema& op, std::string column, const SessionOptions& options);

  /// A failure says why there is no reference for this op, or what it died of.
  Result<Expected> expected(const Inputs& inputs);

 private:
  const OpSchema& op_;
  std::string column_;
  SessionOptions options_;
};

}  // namespace gate
