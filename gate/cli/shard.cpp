// Shards: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/shard.h"

#include <cstdlib>

#include "gate/base/hash.h"
#include "gate/base/text.h"

namespace gate {
namespace {

constexpr std::int64_t shards_max = 10'000;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

Result<Shard> shard_of(const std::string& index, const std::string& total,
                       const std::string& what) {
  const auto i = parse_integer(index);
  const auto n = parse_integer(total);
  if (!i || !n || *n < 1 || *n > shards_max || *i < 0 || *i >= *n) {
    return user_failure("not a shard: " + what,
                        "shards are I/N with I from 0 to N-1, e.g. 0/4 to 3/4");
  }
  return Shard{static_cast<int>(*i), static_cast<int>(*n)};
}

}  // namespace

ShardEnvironment shard_environment() {
  return {variable("GTEST_TOTAL_SHARDS"), variable("GTEST_SHARD_INDEX"),
          variable("GTEST_SHARD_STATUS_FILE")};
}

Result<Shard> choose_shard(const std::string& option, const ShardEnvironment& environment) {
  if (!option.empty()) {
    const std::vector<std::string> parts = split(option, '/');
    if (parts.size() != 2) return shard_of("", "", option);
    return shard_of(parts[0], parts[1], option);
  }
  if (environment.total.empty() && environment.index.empty()) return Shard{};
  return shard_of(
      environment.index, environment.total,
      "GTEST_SHARD_INDEX=" + environment.index + " GTEST_TOTAL_SHARDS=" + environment.total);
}

bool in_shard(const Shard& shard, const std::string& kernel_and_column) {
  const auto total = static_cast<std::uint64_t>(shard.total);
  return stable_hash(kernel_and_column) % total == static_cast<std::uint64_t>(shard.index);
}

std::string to_text(const Shard& shard) {
  if (shard.total == 1) return {};
  return std::to_string(shard.index) + "/" + std::to_string(shard.total);
}

}  // namespace gate
