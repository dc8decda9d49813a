// The step summary: appended to the runner's file. One byte too many and GitHub drops it whole.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <fstream>

#include "gate/publish/modes.h"

namespace gate {
namespace {

constexpr std::size_t step_bytes_max = 1u << 20;

}  // namespace

Result<Published> publish_summary(const Publication& publication) {
  const std::string& file = publication.options.summary_file;
  if (file.empty()) {
    return user_failure("no file for the summary", "--summary-file, or GITHUB_STEP_SUMMARY");
  }
  std::error_code error;
  const auto present = std::filesystem::file_size(file, error);
  const std::size_t used = error ? 0 : static_cast<std::size_t>(present);
  constexpr std::size_t margin = 1024;
  if (used + margin * 4 > step_bytes_max) {
    return machine_failure("no room is left in the step summary");
  }
  const std::size_t room = std::min(summary_bytes_max, step_bytes_max - used - margin);
  const std::string text = to_step_summary(publication.report, publication.facts, room);
  std::ofstream stream(file, std::ios::app | std::ios::binary);
  stream << (used > 0 ? "\n" : "") << text << std::flush;
  if (!stream) return machine_failure("cannot write the step summary: " + file);
  return Published{fmt::format("summary written: {} bytes", text.size())};
}

}  // namespace gate
