// Which files an image is made of: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/policy/crossing.h"

#include "gate/base/runtime.h"
#include "gate/worker/builder.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

fs::path whole(const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error);
}

bool is_below(const fs::path& path, const fs::path& root) {
  const fs::path relative = path.lexically_relative(root);
  return !root.empty() && !relative.empty() && *relative.begin() != "..";
}

/// Of two nested roots the inner one has the file; what the gate itself brings is on neither side.
bool is_of_other(const fs::path& file, const SideRoots& roots) {
  const fs::path path = whole(file), own = whole(roots.own), other = whole(roots.other);
  for (const fs::path& ours : {runtime_folder(), cache_folder()}) {
    if (!ours.empty() && is_below(path, whole(ours))) return false;
  }
  const bool inner = is_below(path, own) && is_below(own, other);
  return is_below(path, other) && !inner;
}

}  // namespace

std::string file_of_other_side(const SideRoots& roots, const Target& target) {
  if (roots.other.empty()) return {};
  if (is_of_other(target.kernel->source, roots)) return target.kernel->source.string();
  const BuildRequest request = build_request(*target.op, *target.kernel, target.column);
  for (const std::string& file : build_image(target.device, request).files) {
    if (is_of_other(file, roots)) return file;
  }
  return {};
}

}  // namespace gate
