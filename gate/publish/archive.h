// Results that arrive as files of somebody else's run: zip archives and folders, read under caps.
// Nothing is unpacked to disk; one file is taken out, and everything around it has to be harmless.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

#include "gate/base/result.h"

namespace gate {

struct ArchiveCaps {
  std::size_t bytes_max = 20u << 20;  // as sent
  std::size_t unpacked_bytes_max = 128u << 20;
  std::size_t ratio_max = 100;  // unpacked bytes per packed one, beyond 1 MiB
  std::size_t files_max = 256;
};

/// Parts of [A-Za-z0-9._-]{1,100}, none of them "." or "..", at most eight.
bool is_plain_member(std::string_view name);

/// The one member of that name (in any folder); refuses links, odd names, doubles, encryption,
/// bombs and damaged data anywhere in the archive.
Result<std::string> file_in_zip(std::string_view zip, std::string_view name,
                                const ArchiveCaps& caps = {});
/// The same for a folder on disk; links and special files anywhere in it are refused.
Result<std::string> file_in_folder(const std::filesystem::path& folder, std::string_view name,
                                   const ArchiveCaps& caps = {});

}  // namespace gate
