// Small questions to a kernel spec.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/kernel_spec.h"

#include <algorithm>
#include <cctype>

namespace gate {

std::vector<std::string> columns_of(const KernelSpec& kernel) {
  std::vector<std::string> columns;
  for (const auto& [column, entry] : kernel.entry) columns.push_back(column);
  return columns;
}

std::string source_kind(const KernelSpec& kernel) {
  std::string extension = kernel.source.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return extension;
}

}  // namespace gate
