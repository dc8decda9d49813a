// cudaMalloc and cudaFree of host launchers: host memory with red zones, poisoned.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

#include "gate/device/emu/include/gate_emu/abi.h"

namespace gate {

class DeviceMemory {
 public:
  DeviceMemory() = default;
  ~DeviceMemory() { clear(); }
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  /// Null if the emulated device has no room.
  void* allocate(std::size_t bytes, gate_emu::Site site);
  /// False if `pointer` is not an allocation.
  bool release(void* pointer);
  /// First allocation with a damaged red zone, in words; released ones were checked on release.
  std::optional<std::string> damage() const;
  /// The allocation around an address, or null.
  const std::byte* find(const void* address, std::size_t& bytes) const;
  /// Forgets damage already told; memory stays (launchers keep workspaces between calls).
  void begin_job() { seen_.reset(); }
  void clear();

 private:
  struct Piece {
    std::size_t bytes = 0;
    gate_emu::Site site{};
    std::byte* map = nullptr;
    std::size_t map_bytes = 0;
  };
  static std::optional<std::string> damage_of(const std::byte* begin, const Piece& piece);
  std::map<std::byte*, Piece> pieces_;  // by first usable byte
  std::size_t total_ = 0;
  std::optional<std::string> seen_;  // damage found on release
};

}  // namespace gate
