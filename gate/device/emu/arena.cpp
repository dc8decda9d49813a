// Shared memory: layout, poison, red zones.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/arena.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "gate/base/check.h"

namespace gate {
namespace {

constexpr std::size_t zone_bytes = 256;
constexpr std::size_t dynamic_align = 128;
/// All ones is NaN in every float format and −1 as an integer: what uninitialised reads give.
constexpr int poison_byte = 0xFF;
/// Red zones differ from poison, so that storing poison into them is seen; NaN as well.
constexpr std::uint16_t zone_word = 0xFFFE;

void fill_zone(std::byte* from, std::byte* to) {
  for (std::byte* at = from; at < to; ++at) {
    const auto low = reinterpret_cast<std::uintptr_t>(at) % 2 == 0;
    *at = static_cast<std::byte>(low ? zone_word & 0xFF : zone_word >> 8);
  }
}

const std::byte* first_damage(const std::byte* from, const std::byte* to) {
  for (const std::byte* at = from; at < to;) {
    const auto address = reinterpret_cast<std::uintptr_t>(at);
    if (address % 8 == 0 && to - at >= 8) {
      std::uint64_t word = 0;
      std::memcpy(&word, at, 8);
      if (word == 0xFFFEFFFEFFFEFFFEull) {
        at += 8;
        continue;
      }
    }
    const auto low = address % 2 == 0;
    if (*at != static_cast<std::byte>(low ? zone_word & 0xFF : zone_word >> 8)) return at;
    ++at;
  }
  return nullptr;
}

std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace

Arena::Arena() {
  void* map = mmap(nullptr, map_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  check(map != MAP_FAILED, "shared memory arena can be mapped");
  map_ = static_cast<std::byte*>(map);
  dynamic_end_ = map_ + 2 * guard_bytes + static_area + dynamic_area;
  dynamic_begin_ = dynamic_end_;
  mprotect(map_, guard_bytes, PROT_NONE);
  mprotect(map_ + guard_bytes + static_area, guard_bytes, PROT_NONE);
  mprotect(dynamic_end_, guard_bytes, PROT_NONE);
}

Arena::~Arena() { munmap(map_, map_bytes); }

void Arena::begin_launch(std::size_t dynamic_bytes) {
  arrays_.clear();
  used_ = zone_bytes;
  static_bytes_ = 0;
  dynamic_bytes_ = dynamic_bytes;
  dynamic_begin_ = dynamic_end_ - round_up(dynamic_bytes, dynamic_align);
  std::byte* statics = map_ + guard_bytes;
  fill_zone(statics, statics + zone_bytes);
  const std::byte* low = dynamic_end_ - dynamic_area;
  fill_zone(std::max(dynamic_begin_ - zone_bytes, const_cast<std::byte*>(low)), dynamic_begin_);
  fill_zone(dynamic_begin_ + dynamic_bytes, dynamic_end_);
  std::memset(dynamic_begin_, poison_byte, dynamic_bytes);
}

std::byte* Arena::place(const gate_emu::SharedSite& site) {
  if (site.bytes == 0) {
    arrays_.push_back({&site, dynamic_begin_, dynamic_bytes_});
    return dynamic_begin_;
  }
  const std::size_t begin = round_up(used_, std::max<std::size_t>(site.align, 16));
  const std::size_t end = begin + site.bytes;
  if (end + zone_bytes > static_area) return nullptr;
  std::byte* statics = map_ + guard_bytes;
  fill_zone(statics + used_, statics + begin);
  std::memset(statics + begin, poison_byte, site.bytes);
  fill_zone(statics + end, statics + end + zone_bytes);
  used_ = end + zone_bytes;
  static_bytes_ = round_up(static_bytes_, site.align) + site.bytes;
  arrays_.push_back({&site, statics + begin, site.bytes});
  return statics + begin;
}

void Arena::begin_block() {
  for (const SharedArray& array : arrays_) std::memset(array.begin, poison_byte, array.bytes);
  std::memset(dynamic_begin_, poison_byte, dynamic_bytes_);
}

std::optional<std::string> Arena::damage() const {
  const std::byte* statics = map_ + guard_bytes;
  const std::byte* from = statics;
  for (const SharedArray& array : arrays_) {
    if (array.site->bytes == 0) continue;
    if (const std::byte* at = first_damage(from, array.begin)) return describe(at);
    from = array.begin + array.bytes;
  }
  if (const std::byte* at = first_damage(from, statics + used_)) return describe(at);
  if (dynamic_bytes_ == 0) return std::nullopt;
  const std::byte* low =
      std::max<const std::byte*>(dynamic_begin_ - zone_bytes, dynamic_end_ - dynamic_area);
  if (const std::byte* at = first_damage(low, dynamic_begin_)) return describe(at);
  if (const std::byte* at = first_damage(dynamic_begin_ + dynamic_bytes_, dynamic_end_)) {
    return describe(at);
  }
  return std::nullopt;
}

void Arena::save(SavedShared& to) const {
  const std::byte* statics = map_ + guard_bytes;
  to.statics.assign(statics, statics + used_);
  to.dynamic.assign(dynamic_begin_, dynamic_begin_ + dynamic_bytes_);
}

void Arena::bring_back(const SavedShared& from) {
  begin_block();  // arrays placed since then are untouched by this block
  std::memcpy(map_ + guard_bytes, from.statics.data(), from.statics.size());
  std::memcpy(dynamic_begin_, from.dynamic.data(), from.dynamic.size());
}

std::string Arena::describe(const void* address) const {
  const auto* at = static_cast<const std::byte*>(address);
  const SharedArray* best = nullptr;
  std::ptrdiff_t best_distance = 0;
  const auto consider = [&](const SharedArray& array) {
    const std::ptrdiff_t after = at - (array.begin + array.bytes) + 1;
    const std::ptrdiff_t before = array.begin - at;
    const std::ptrdiff_t distance = std::max<std::ptrdiff_t>({after, before, 0});
    if (best == nullptr || distance < best_distance) {
      best = &array;
      best_distance = distance;
    }
  };
  for (const SharedArray& array : arrays_) consider(array);
  if (best == nullptr) return "shared memory";
  const std::string place =
      fmt::format("{}:{}", std::filesystem::path(best->site->site.file).filename().string(),
                  best->site->site.line);
  return fmt::format("shared array `{}` ({} bytes, {}), {} bytes {}", best->site->name, best->bytes,
                     place, best_distance == 0 ? at - best->begin : best_distance,
                     best_distance == 0 ? "into it"
                     : at < best->begin ? "before its start"
                                        : "past its end");
}

}  // namespace gate
