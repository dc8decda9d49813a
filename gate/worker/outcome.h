// What came back from one job, and what the gate reads off it before judging values.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/cases/inputs.h"
#include "gate/spec/kind.h"

namespace gate {

struct Outcome {
  /// pass: it completed, `after` is valid. Else crash, timeout, barrier, launch_failed,
  /// build_failed, unsupported, not_checked, environment, nondeterministic (a race the device saw).
  Kind end = Kind::pass;
  std::string text;           // message of device or compiler
  std::vector<Tensor> after;  // all tensors of Inputs, in order, copied out of the slot
  /// First red-zone byte that changed: "y: 12 bytes after its end" …
  std::optional<std::string> red_zone;
  std::vector<std::string> modified_inputs;
  double kernel_us = 0;  // 0 unknown
  /// The worker died or was killed on this job, at least once; `end` tells whether it is believed.
  bool worker_lost = false;
};

/// Elements of an output that still hold the poison it was given.
std::vector<std::int64_t> unwritten_elements(const Tensor& output, bool second_poison);
/// SHA-256 over all output bytes.
std::string output_digest(const Outcome& outcome);

}  // namespace gate
