// Names and folders.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/archive.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <system_error>

#include "gate/base/files.h"
#include "gate/base/text.h"

namespace gate {
namespace {

constexpr std::size_t parts_max = 8;
constexpr std::size_t part_bytes_max = 100;

bool is_plain_part(std::string_view part) {
  return !part.empty() && part.size() <= part_bytes_max && part != "." && part != ".." &&
         std::all_of(part.begin(), part.end(), [](char letter) {
           return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '.' ||
                  letter == '_' || letter == '-';
         });
}

/// Reads without following a link in the last part; the folders above were walked without links.
Result<std::string> read_no_link(const std::filesystem::path& path, std::size_t bytes_max) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (descriptor < 0) return user_failure("cannot open a file of the results");
  struct stat state {};
  const bool regular = ::fstat(descriptor, &state) == 0 && S_ISREG(state.st_mode);
  Result<std::string> content = user_failure("a file of the results is not a regular file");
  if (regular) content = read_file("/proc/self/fd/" + std::to_string(descriptor), bytes_max);
  ::close(descriptor);
  return content;
}

struct Walk {
  std::size_t files = 0, bytes = 0;
  std::vector<std::filesystem::path> found;
};

Result<Done> add_entry(const std::filesystem::directory_entry& entry, std::string_view name,
                       const ArchiveCaps& caps, Walk& walk) {
  std::error_code error;
  const auto status = entry.symlink_status(error);
  const std::string own = entry.path().filename().string();
  if (error || !is_plain_part(own)) {
    return user_failure("the results hold an odd name: " + clean_text(own, 100));
  }
  if (std::filesystem::is_directory(status)) return Done{};
  if (!std::filesystem::is_regular_file(status)) {
    return user_failure("the results hold a link or a special file: " + own);
  }
  const auto size = entry.file_size(error);
  walk.bytes += error ? caps.bytes_max : static_cast<std::size_t>(size);
  if (++walk.files > caps.files_max || walk.bytes > caps.unpacked_bytes_max) {
    return user_failure(fmt::format("the results hold more than {} files or {} bytes",
                                    caps.files_max, caps.unpacked_bytes_max));
  }
  if (own == name) walk.found.push_back(entry.path());
  return Done{};
}

}  // namespace

bool is_plain_member(std::string_view name) {
  const std::vector<std::string> parts = split(name, '/');
  return parts.size() <= parts_max &&
         std::all_of(parts.begin(), parts.end(),
                     [](const std::string& part) { return is_plain_part(part); });
}

Result<std::string> file_in_folder(const std::filesystem::path& folder, std::string_view name,
                                   const ArchiveCaps& caps) {
  Walk walk;
  std::error_code error;
  std::filesystem::recursive_directory_iterator entry(folder, error);
  const std::filesystem::recursive_directory_iterator end;
  for (; !error && entry != end; entry.increment(error)) {
    if (entry.depth() >= static_cast<int>(parts_max)) {
      return user_failure("the results are nested too deeply");
    }
    const Result<Done> added = add_entry(*entry, name, caps, walk);
    if (!added) return added.failure();
  }
  if (error) return user_failure("cannot read the results: " + error.message());
  if (walk.found.size() != 1) {
    return user_failure(
        fmt::format("the results hold {} files named {}, not one", walk.found.size(), name));
  }
  return read_no_link(walk.found.front(), caps.unpacked_bytes_max);
}

}  // namespace gate
