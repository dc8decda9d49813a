// traced.toml of an op folder: sizes that the op was seen with in use. Plans try them first-hand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/spec/op_schema.h"

namespace gate {

inline constexpr const char* traced_file_name = "traced.toml";

/// Every axis has a size; attributes that are not named keep their default.
struct TracedWorkload {
  IntegerValues axes;
  std::map<std::string, Scalar> attributes;
  bool operator==(const TracedWorkload&) const = default;
};

/// [[workload]] tables with one key per axis or attribute; sizes that the op excludes, and values
/// that are none of an attribute's, are problems.
Result<std::vector<TracedWorkload>> parse_traced(const std::string& text,
                                                 const std::filesystem::path& file,
                                                 const OpSchema& op);
std::string to_toml(const std::vector<TracedWorkload>& workloads);

/// Of an op's folder: none where there is no file. A file with problems is one for the loader.
Result<std::vector<TracedWorkload>> traced_of(const OpSchema& op);

}  // namespace gate
