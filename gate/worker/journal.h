// The journal of begun cases: one line per job, written before the job is sent, so that a run that
// was killed still tells what it was doing. No fsync: it guards against our death, not the
// machine's. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string_view>

namespace gate {

class Journal {
 public:
  /// Appends to `path`; an empty path makes a journal that keeps nothing.
  explicit Journal(const std::filesystem::path& path);
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&& other) noexcept;
  ~Journal();
  /// One write call per line, so that lines of several sessions do not mix.
  void write(std::string_view line);

 private:
  int file_ = -1;
};

}  // namespace gate
