// The cache of built images. A build is looked up by what is known before it (source, flags,
// compiler) and by the contents of every file that it turned out to include.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "gate/worker/requests.h"

namespace gate {

/// A finished build as the cache keeps it.
struct CachedBuild {
  std::filesystem::path image;
  bool uses_shared_or_atomics = false;
  std::vector<std::string> files;  // what it was made of, as the compiler named them
};

class BuildCache {
 public:
  /// `root`: cache_folder(). The folder is made when something is stored.
  explicit BuildCache(std::filesystem::path root) : root_(std::move(root)) {}

  /// `key`: everything known beforehand, as text. Nothing if it was never built or a file changed.
  std::optional<CachedBuild> find(const std::string& key) const;
  /// A path in the cache for a build to write to, private to the caller.
  Result<std::filesystem::path> new_file(const std::string& key) const;
  /// Takes a finished build over: moves `built` to its place. `files`: what it included.
  Result<CachedBuild> store(const std::string& key, const std::filesystem::path& built,
                            const std::vector<std::string>& files, bool uses_shared_or_atomics);

 private:
  std::filesystem::path manifest(const std::string& key) const;
  std::filesystem::path root_;
};

/// Identity of a file for the key: contents, or for the system's own headers size and time.
std::string file_identity(const std::filesystem::path& file);
/// Size and time of last change only.
std::string stat_identity(const std::filesystem::path& file);

}  // namespace gate
