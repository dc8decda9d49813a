// From a code address in an image to the user's source line, by the line table (DWARF 2 to 4)
// that the builder asks the compiler for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace gate {

class SourceLines {
 public:
  /// Reads the image's table; without one, nothing is ever found.
  static SourceLines of_image(const std::string& path);
  /// "file:line" of the instruction before `address` (an offset in the image); empty if unknown.
  /// Lines of the emulation headers give way to the line of the source before them.
  std::string find(std::uint64_t address) const;

 private:
  struct Row {
    std::uint64_t address = 0;
    std::uint32_t file = 0;  // index into files_
    std::uint32_t line = 0;
    bool ends = false;  // first address after a sequence
  };
  friend class LineProgram;
  std::vector<Row> rows_;
  std::vector<std::string> files_;
  std::vector<bool> is_header_;  // of the emulator or the system
};

}  // namespace gate
