// A reserved mapping of cells.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/shadow.h"

#include <sys/mman.h>

#include <algorithm>

namespace gate {

namespace {

constexpr std::size_t cells_max = std::size_t{1} << 26;
constexpr std::size_t cells_kept = std::size_t{1} << 21;
constexpr std::size_t map_bytes = cells_max * sizeof(Cell);

}  // namespace

ShadowMemory::ShadowMemory() {
  void* map = mmap(nullptr, map_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map != MAP_FAILED) cells_ = static_cast<Cell*>(map);
}

ShadowMemory::~ShadowMemory() {
  if (cells_ != nullptr) munmap(cells_, map_bytes);
}

Cell* ShadowMemory::take(std::size_t cells) {
  if (cells_ == nullptr || cells > cells_max - used_) return nullptr;
  Cell* first = cells_ + used_;
  used_ += cells;
  touched_ = std::max(touched_, used_);
  return first;
}

void ShadowMemory::clear() {
  if (touched_ > 0) madvise(cells_, touched_ * sizeof(Cell), MADV_DONTNEED);
  touched_ = used_ = 0;
}

bool ShadowMemory::is_large() const { return touched_ > cells_kept; }

}  // namespace gate
