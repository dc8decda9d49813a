// What the gate generates for one kernel, as text: printed, and committed beside the kernel. The
// same on every machine: relative paths, a fixed run seed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "gate/spec/config.h"
#include "gate/spec/kernel_spec.h"
#include "gate/spec/op_schema.h"

namespace gate {

struct SchemaRequest {
  const OpSchema& op;
  const KernelSpec& kernel;
  std::string device;
  std::string profile_name;
  const Profile& profile;
};

/// Head (device and profile), tiles with their places, every size of every axis with its origin,
/// attributes, columns, layouts, value profiles, laws, strategies and what the plans cost.
std::string schema_text(const SchemaRequest& request);

/// kernels/<name>.schema, beside the toml.
std::filesystem::path schema_file(const KernelSpec& kernel);

/// Device and profile that a committed schema was written for; empty where its head says none.
struct SchemaHead {
  std::string device, profile;
};
SchemaHead schema_head(const std::string& text);

}  // namespace gate
