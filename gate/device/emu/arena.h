// The shared memory of the block that runs: one fixed mapping. Static arrays lie apart with red
// zones between them; the dynamic array ends at a guard page. Other resident blocks' contents
// are saved and brought back when the scheduler changes blocks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gate/device/emu/include/gate_emu/abi.h"

namespace gate {

/// Contents of a block that is not running.
struct SavedShared {
  std::vector<std::byte> statics, dynamic;
};

/// Where an array of the current launch lies.
struct SharedArray {
  const gate_emu::SharedSite* site = nullptr;
  std::byte* begin = nullptr;
  std::size_t bytes = 0;
};

class Arena {
 public:
  Arena();
  ~Arena();
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  /// Starts a launch: no arrays yet, `dynamic_bytes` at the end.
  void begin_launch(std::size_t dynamic_bytes);
  /// Gives the site its address for this launch; its bytes are poisoned. Nothing if full.
  std::byte* place(const gate_emu::SharedSite& site);
  /// Poisons everything, as before every block.
  void begin_block();
  /// The first damaged red zone, in words.
  std::optional<std::string> damage() const;
  void save(SavedShared& to) const;
  void bring_back(const SavedShared& from);

  std::size_t static_bytes() const { return static_bytes_; }  // as the hardware counts them
  std::size_t dynamic_bytes() const { return dynamic_bytes_; }
  const std::vector<SharedArray>& arrays() const { return arrays_; }
  /// True if the address lies in the mapping (guards included).
  bool contains(const void* address) const {
    return static_cast<std::size_t>(static_cast<const std::byte*>(address) - map_) < map_bytes;
  }
  /// The array nearest to an address, with the distance, in words.
  std::string describe(const void* address) const;

 private:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t guard_bytes = 16 * page;  // reaches a loop that strides out
  static constexpr std::size_t static_area = 512 << 10;
  static constexpr std::size_t dynamic_area = 256 << 10;
  static constexpr std::size_t map_bytes = 3 * guard_bytes + static_area + dynamic_area;

  std::byte* map_ = nullptr;
  std::byte* dynamic_end_ = nullptr;
  std::byte* dynamic_begin_ = nullptr;
  std::size_t used_ = 0;  // of the static area, zones included
  std::size_t static_bytes_ = 0;
  std::size_t dynamic_bytes_ = 0;
  std::vector<SharedArray> arrays_;  // statics in order, and the dynamic one once named
};

}  // namespace gate
