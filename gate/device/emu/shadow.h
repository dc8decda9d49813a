// Cells of the watch: who touched which bytes last. One reserved mapping, kept from job to job, so
// that nothing has to be cleared: marks of earlier jobs are older than the job's first segment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace gate {

/// An access somebody made: when, and where in the code.
struct Mark {
  std::uint32_t segment = 0;  // 0: none
  std::uint32_t place = 0;    // offset in the image, or an index of known sites
};
/// The last accesses of some bytes: the write, and reads by two different threads.
struct Cell {
  Mark write, read, other_read;
};

class ShadowMemory {
 public:
  ShadowMemory();
  ~ShadowMemory();
  ShadowMemory(const ShadowMemory&) = delete;
  ShadowMemory& operator=(const ShadowMemory&) = delete;

  /// Cells for the next bytes; null if there are no more.
  Cell* take(std::size_t cells);
  /// Gives cells back, down to the first `used` ones; their contents stay.
  void release(std::size_t used) { used_ = used; }
  std::size_t used() const { return used_; }
  /// Forgets all marks and returns the memory to the machine.
  void clear();
  /// True where so much is touched that it should not be kept.
  bool is_large() const;

 private:
  Cell* cells_ = nullptr;
  std::size_t used_ = 0, touched_ = 0;
};

}  // namespace gate
