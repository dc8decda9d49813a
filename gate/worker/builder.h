// Building images in a separate process: `gate-worker --build`, with a deadline and a cache.
// build_kernel of pool.h is made of this; reference plug-ins are built by it as well.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gate/spec/op_schema.h"
#include "gate/worker/requests.h"

namespace gate {

struct BuiltImage {
  Kind kind = Kind::pass;  // pass, build_failed, unsupported, environment
  std::string text;
  std::filesystem::path path;  // in the cache
  bool uses_shared_or_atomics = false;
  std::vector<std::string> files;  // what it was made of, as far as the compiler tells
};

/// What building a column of a kernel asks for.
BuildRequest build_request(const OpSchema& op, const KernelSpec& kernel, const std::string& column);

/// `request.output` and `request.dependencies` are chosen here. Never hangs.
BuiltImage build_image(const std::string& device, BuildRequest request);

}  // namespace gate
