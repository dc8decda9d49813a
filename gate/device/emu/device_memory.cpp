// Memory of host launchers.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/device_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstring>
#include <filesystem>

namespace gate {
namespace {

constexpr std::size_t zone_bytes = 4096;
constexpr std::size_t poisoned_max = 256u << 20;  // larger ones stay untouched pages
constexpr std::size_t total_max = 141ull << 30;   // what an H200 has
constexpr int zone_byte = 0xC7;
constexpr int poison_byte = 0xFF;

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

void* DeviceMemory::allocate(std::size_t bytes, gate_emu::Site site) {
  if (bytes > total_max || total_ + bytes > total_max) return nullptr;
  Piece piece{bytes, site, nullptr, round_up(bytes + 2 * zone_bytes, zone_bytes)};
  void* map = mmap(nullptr, piece.map_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) return nullptr;
  piece.map = static_cast<std::byte*>(map);
  std::byte* begin = piece.map + zone_bytes;
  std::memset(piece.map, zone_byte, zone_bytes);
  std::memset(begin + bytes, zone_byte, piece.map_bytes - zone_bytes - bytes);
  if (bytes <= poisoned_max) std::memset(begin, poison_byte, bytes);
  total_ += bytes;
  pieces_[begin] = piece;
  return begin;
}

std::optional<std::string> DeviceMemory::damage_of(const std::byte* begin, const Piece& piece) {
  const auto words = [&](const char* side) {
    return fmt::format("allocation of {} bytes ({}:{}) written {}", piece.bytes,
                       std::filesystem::path(piece.site.file).filename().string(), piece.site.line,
                       side);
  };
  for (const std::byte* at = piece.map; at < begin; ++at) {
    if (*at != static_cast<std::byte>(zone_byte)) return words("before its start");
  }
  for (const std::byte* at = begin + piece.bytes; at < piece.map + piece.map_bytes; ++at) {
    if (*at != static_cast<std::byte>(zone_byte)) return words("past its end");
  }
  return std::nullopt;
}

bool DeviceMemory::release(void* pointer) {
  const auto found = pieces_.find(static_cast<std::byte*>(pointer));
  if (found == pieces_.end()) return false;
  if (!seen_) seen_ = damage_of(found->first, found->second);
  munmap(found->second.map, found->second.map_bytes);
  total_ -= found->second.bytes;
  pieces_.erase(found);
  return true;
}

std::optional<std::string> DeviceMemory::damage() const {
  if (seen_) return seen_;
  for (const auto& [begin, piece] : pieces_) {
    if (auto words = damage_of(begin, piece)) return words;
  }
  return std::nullopt;
}

const std::byte* DeviceMemory::find(const void* address, std::size_t& bytes) const {
  auto* at = static_cast<std::byte*>(const_cast<void*>(address));
  auto next = pieces_.upper_bound(at);
  if (next == pieces_.begin()) return nullptr;
  --next;
  if (at >= next->first + next->second.bytes) return nullptr;
  bytes = next->second.bytes;
  return next->first;
}

void DeviceMemory::clear() {
  for (const auto& [begin, piece] : pieces_) munmap(piece.map, piece.map_bytes);
  pieces_.clear();
  total_ = 0;
  seen_.reset();
}

}  // namespace gate
