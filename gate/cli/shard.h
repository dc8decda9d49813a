// Shards: which part of the selection this process checks. A (kernel, column) belongs to the shard
// that a stable hash of its name gives, so that adding an op moves nothing else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gate/base/result.h"

namespace gate {

struct Shard {
  int index = 0;
  int total = 1;
};

/// What a test runner set in the environment; empty where it set nothing.
struct ShardEnvironment {
  std::string total, index, status_file;
};
ShardEnvironment shard_environment();

/// `option` ("I/N", I from 0) wins over the environment; nothing set is shard 0 of 1.
Result<Shard> choose_shard(const std::string& option, const ShardEnvironment& environment);
bool in_shard(const Shard& shard, const std::string& kernel_and_column);
/// "I/N", or nothing for the whole.
std::string to_text(const Shard& shard);

}  // namespace gate
