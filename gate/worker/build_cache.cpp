// One manifest per key: the last builds, each with the files it included and its image. All writes
// are renames, so that two gates may share a cache.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/build_cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <atomic>

#include "gate/base/files.h"
#include "gate/base/hash.h"
#include "gate/worker/json_reading.h"

namespace gate {

namespace {

constexpr std::size_t builds_max = 8;  // per manifest: a few revisions of a source
constexpr std::uint64_t manifest_bytes_max = 8u << 20;

/// Builds of a manifest, newest first; empty for one that is missing or damaged.
Json read_builds(const std::filesystem::path& manifest) {
  const auto text = read_file(manifest, manifest_bytes_max);
  if (!text) return Json::array();
  Json builds = Json::parse(*text, nullptr, false);
  return builds.is_array() ? builds : Json::array();
}

/// The build, if every file it included is as it was.
std::optional<CachedBuild> usable(const Json& build, const std::filesystem::path& root) {
  JsonReading reading;
  if (!reading.has_keys(build, {"image", "files", "uses_shared_or_atomics"})) return {};
  CachedBuild cached{
      root / reading.text(build, "image"), reading.boolean(build, "uses_shared_or_atomics"), {}};
  for (const Json& file : reading.array(build, "files")) {
    const std::string path = reading.text(file, "path");
    if (reading.failed() || reading.text(file, "identity") != file_identity(path)) return {};
    cached.files.push_back(path);
  }
  std::error_code error;
  if (reading.failed() || !std::filesystem::is_regular_file(cached.image, error)) return {};
  return cached;
}

}  // namespace

std::string stat_identity(const std::filesystem::path& file) {
  struct stat facts {};
  if (::stat(file.c_str(), &facts) != 0) return "absent";
  return "stat " + std::to_string(facts.st_size) + " " + std::to_string(facts.st_mtim.tv_sec) +
         "." + std::to_string(facts.st_mtim.tv_nsec);
}

std::string file_identity(const std::filesystem::path& file) {
  // System headers change with their packages only; hashing a few hundred for each look-up costs
  // more than the look-up saves.
  const std::string path = file.string();
  if (path.starts_with("/usr/") && !path.starts_with("/usr/local/")) return stat_identity(file);
  const auto text = read_file(file);
  return text ? "sha256 " + sha256_hex(*text) : "absent";
}

std::filesystem::path BuildCache::manifest(const std::string& key) const {
  return root_ / (sha256_hex(key) + ".json");
}

std::optional<CachedBuild> BuildCache::find(const std::string& key) const {
  for (const Json& build : read_builds(manifest(key))) {
    if (auto cached = usable(build, root_)) return cached;
  }
  return {};
}

Result<std::filesystem::path> BuildCache::new_file(const std::string& key) const {
  static std::atomic<unsigned> counter = 0;  // several threads of one process may build one key
  std::error_code error;
  std::filesystem::create_directories(root_, error);
  if (error || root_.empty()) return machine_failure("cannot make the build cache folder");
  return root_ / (sha256_hex(key).substr(0, 16) + "." + std::to_string(::getpid()) + "." +
                  std::to_string(counter++) + ".building");
}

Result<CachedBuild> BuildCache::store(const std::string& key, const std::filesystem::path& built,
                                      const std::vector<std::string>& files,
                                      bool uses_shared_or_atomics) {
  const auto image = read_file(built, file_bytes_max * 8);
  if (!image) return image.failure();
  const std::string name = sha256_hex(key + '\0' + *image) + ".image";
  std::error_code error;
  std::filesystem::permissions(built, std::filesystem::perms(0500), error);
  std::filesystem::rename(built, root_ / name, error);
  if (error) return machine_failure("cannot move an image into the cache: " + error.message());
  Json record = {{"image", name},
                 {"files", Json::array()},
                 {"uses_shared_or_atomics", uses_shared_or_atomics}};
  for (const std::string& file : files) {
    record["files"].push_back({{"path", file}, {"identity", file_identity(file)}});
  }
  Json builds = Json::array({std::move(record)});
  for (Json& older : read_builds(manifest(key))) {
    if (builds.size() < builds_max) builds.push_back(std::move(older));
  }
  const std::string text = builds.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (const auto written = write_file(manifest(key), text); !written) return written.failure();
  return CachedBuild{root_ / name, uses_shared_or_atomics, files};
}

}  // namespace gate
