// Tile sizes in PTX: block sizes it was compiled for, shared arrays, immediates of index
// arithmetic. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "gate/base/text.h"
#include "gate/spec/tiles.h"

namespace gate {
namespace {

constexpr std::int64_t shift_max = 12;  // 2^12 is tile_max

/// The number between `open` and `close` behind `from`.
std::optional<std::int64_t> number_in(std::string_view line, std::size_t from, char open,
                                      char close) {
  const std::size_t begin = line.find(open, from);
  const std::size_t end = line.find(close, begin == std::string_view::npos ? begin : begin + 1);
  if (begin == std::string_view::npos || end == std::string_view::npos) return std::nullopt;
  return parse_integer(trim(line.substr(begin + 1, end - begin - 1)));
}

class PtxMiner {
 public:
  std::vector<MinedTile> run(std::string_view text) {
    for (const std::string& raw : split(text, '\n')) {
      ++line_;
      const std::string_view line = trim(std::string_view(raw).substr(0, raw.find("//")));
      if (line.starts_with(".maxntid") || line.starts_with(".reqntid")) {
        block(line);
      } else if (line.find(".shared") != std::string_view::npos) {
        shared(line);
      } else {
        instruction(line);
      }
    }
    std::stable_sort(tiles_.begin(), tiles_.end(),
                     [](const MinedTile& a, const MinedTile& b) { return a.value < b.value; });
    return std::move(tiles_);
  }

 private:
  void add(std::int64_t value, const std::string& text) {
    const bool known = std::any_of(tiles_.begin(), tiles_.end(),
                                   [&](const MinedTile& tile) { return tile.value == value; });
    if (value < tile_min || value > tile_max || known) return;
    tiles_.push_back({value, line_, text});
  }

  void block(std::string_view line) {
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == std::string_view::npos) return;
    for (const std::string& part : split(line.substr(blank), ',')) {
      if (const auto size = parse_integer(trim(part))) add(*size, std::string(line));
    }
  }

  /// .shared .align 4 .b8 tile[1024]: bytes, of elements as wide as their alignment
  void shared(std::string_view line) {
    const auto bytes = number_in(line, 0, '[', ']');
    const std::size_t align = line.find(".align ");
    if (!bytes || align == std::string_view::npos) return;
    const auto width = number_in(line, align + 6, ' ', ' ').value_or(1);
    if (width > 0) add(*bytes / width, fmt::format("shared {} bytes by {}", *bytes, width));
  }

  /// mul.lo.s32 %r3, %r1, 96: the last operand that is a number, as what the instruction makes of
  /// it
  void instruction(std::string_view line) {
    const std::size_t blank = line.find_first_of(" \t");
    if (blank == std::string_view::npos) return;
    const std::string_view name = line.substr(0, std::min(blank, line.find('.')));
    std::optional<std::int64_t> immediate;
    std::string_view operands = line.substr(blank);
    operands = operands.substr(0, operands.find(';'));
    for (const std::string& operand : split(operands, ',')) {
      if (const auto number = parse_integer(trim(operand))) immediate = number;
    }
    if (!immediate) return;
    const std::string text(line.substr(0, line.find(';')));
    const std::int64_t value = *immediate;
    if (name == "shl" || name == "shr") {
      if (value > 0 && value <= shift_max) add(std::int64_t{1} << value, text);
    } else if (name == "and") {
      if (((value + 1) & value) == 0) add(value + 1, text);
    } else if (name == "mul" || name == "mad" || name == "div" || name == "rem") {
      add(value, text);
    }
  }

  std::vector<MinedTile> tiles_;
  int line_ = 0;
};

}  // namespace

bool looks_like_ptx(std::string_view source) {
  return source.find(".version ") != std::string_view::npos &&
         source.find(".target ") != std::string_view::npos;
}

std::vector<MinedTile> mine_ptx_tiles(std::string_view source) { return PtxMiner().run(source); }

}  // namespace gate
