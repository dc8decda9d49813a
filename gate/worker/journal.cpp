// Appending lines. A journal that cannot be written never stops a run.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <string>
#include <utility>

namespace gate {

Journal::Journal(const std::filesystem::path& path) {
  constexpr mode_t mode = 0644;
  if (path.empty()) return;
  file_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode);
}

Journal::Journal(Journal&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

Journal& Journal::operator=(Journal&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

void Journal::write(std::string_view line) {
  if (file_ < 0) return;
  std::string text(line);
  text += '\n';
  // A full disk loses lines of the journal, not of the report.
  [[maybe_unused]] const ssize_t written = ::write(file_, text.data(), text.size());
}

}  // namespace gate
