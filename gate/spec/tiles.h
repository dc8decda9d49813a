// Tile sizes mined from a kernel's source: integer constants that can be a block or tile size, so
// that k·tile and its neighbours are tried as axis sizes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gate {

inline constexpr std::int64_t tile_min = 4;
inline constexpr std::int64_t tile_max = 4096;

struct MinedTile {
  std::int64_t value = 0;
  int line = 0;
  std::string text;  // "TILE = 32", "tile[32][33]": what a person looks for
  bool operator==(const MinedTile&) const = default;
};

/// Constants (constexpr, const, #define, enum), template arguments and defaults, array extents of
/// shared memory; in Python capitalised assignments and tl.constexpr. One per value, first line.
/// Works on tokens, so any text is fine; comments and strings are skipped.
std::vector<MinedTile> mine_tiles(std::string_view source);

/// Of PTX: .maxntid and .reqntid, shared arrays, immediates of index arithmetic; mine_tiles calls
/// it.
bool looks_like_ptx(std::string_view source);
std::vector<MinedTile> mine_ptx_tiles(std::string_view source);

}  // namespace gate
