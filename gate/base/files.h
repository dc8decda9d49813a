// Reading and writing files without throwing, with size caps and atomic replacement.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "gate/base/result.h"

namespace gate {

inline constexpr std::uint64_t file_bytes_max = 64ull << 20;

/// Whole file as bytes; a missing, unreadable, non-regular or larger file is a user failure.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uint64_t bytes_max = file_bytes_max);
/// Writes a temporary beside `path`, fsyncs, renames: readers see the old or the new file.
Result<Done> write_file(const std::filesystem::path& path, std::string_view text);
/// Regular files below `root` whose name matches `suffix`, sorted by path; links not followed.
std::vector<std::filesystem::path> find_files(const std::filesystem::path& root,
                                              std::string_view suffix);
/// A fresh private folder (0700) below the system's temporary folder; removed with its contents
/// when the object dies.
class TemporaryFolder {
 public:
  static Result<TemporaryFolder> create(std::string_view prefix);
  TemporaryFolder(TemporaryFolder&&) noexcept;
  TemporaryFolder& operator=(TemporaryFolder&&) noexcept;
  ~TemporaryFolder();
  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TemporaryFolder(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
};

}  // namespace gate
