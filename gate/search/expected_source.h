// Where expected values come from: the compiled-in reference, or a plug-in in its own process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gate/reference/expected.h"
#include "gate/worker/pool.h"

namespace gate {

class ExpectedSource {
 public:
  ExpectedSource(const OpSchema& op, std::string column, const SessionOptions& options);

  /// A failure says why there is no reference for this op, or what it died of.
  Result<Expected> expected(const Inputs& inputs);
  /// Why no case can have one: a plug-in that does not compile, with the compiler's message.
  std::optional<Failure> problem();
  /// Compiled in, so that several threads may ask at once.
  bool is_pure() const;

 private:
  Result<Expected> from_plugin(const Inputs& inputs);

  const OpSchema& op_;
  std::string column_;
  SessionOptions options_;
  std::optional<BuildOutcome> plugin_;  // built at first use
  std::optional<Session> session_;
};

}  // namespace gate
