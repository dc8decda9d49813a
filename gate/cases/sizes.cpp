// Enumerates boundary sizes; see sizes.h.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/sizes.h"

#include <algorithm>
#include <map>

#include "gate/cases/cost.h"

namespace gate {
namespace {

constexpr std::int64_t snap_distance = 512;  // how far a legal neighbour is looked for

class Collector {
 public:
  Collector(const Axis& axis, const std::vector<Expression>& constraints) : axis_(axis) {
    for (const Expression& expression : constraints) {
      const auto names = expression.names();
      if (names.size() == 1 && names.front() == axis.name) own_.push_back(expression);
    }
  }

  void add(std::int64_t size, SizeSource source, const std::string& origin,
           std::int64_t tile = 0) {
    if (size < axis_.min || size > axis_.max) return;
    if (legal(size)) return keep({size, source, origin, tile});
    if (!axis_.values.empty()) return;
    for (const int direction : {1, -1}) {
      for (std::int64_t d = 1; d <= snap_distance; ++d) {
        const std::int64_t near = size + direction * d;
        if (near < axis_.min || near > axis_.max) break;
        if (!legal(near)) continue;
        keep({near, source, origin + ", next legal", tile});
        break;
      }
    }
  }

  std::vector<SizeCandidate> take() {
    std::vector<SizeCandidate> list;
    for (auto& [size, candidate] : found_) list.push_back(std::move(candidate));
    return list;
  }

 private:
  bool legal(std::int64_t size) const {
    if (!legal_size(axis_, size)) return false;
    return std::all_of(own_.begin(), own_.end(), [&](const Expression& expression) {
      const auto truth = expression.value({{axis_.name, size}});
      return truth && *truth != 0;
    });
  }

  void keep(SizeCandidate candidate) {
    const auto [known, fresh] = found_.try_emplace(candidate.size, candidate);
    if (!fresh && candidate.source < known->second.source) known->second = std::move(candidate);
  }

  const Axis& axis_;
  std::vector<Expression> own_;
  std::map<std::int64_t, SizeCandidate> found_;
};

std::string offset_text(std::int64_t offset) {
  return offset == 0 ? "" : (offset > 0 ? "+" : "") + std::to_string(offset);
}

void add_powers(Collector& sizes, std::int64_t max) {
  for (int k = 1; k < 62 && (std::int64_t{1} << k) - 1 <= max; ++k) {
    const std::int64_t power = std::int64_t{1} << k;
    const std::string text = "2^" + std::to_string(k);
    sizes.add(power, SizeSource::power, text);
    if (k >= 2) sizes.add(power - 1, SizeSource::power_minus, text + "-1");
    sizes.add(power + 1, SizeSource::power_plus, text + "+1");
  }
}

void add_cofactors(Collector& sizes) {
  for (const std::int64_t base : {8, 16, 32, 64, 128, 256})
    for (const std::int64_t odd : {3, 5, 7, 9, 11})
      sizes.add(base * odd, SizeSource::cofactor, std::to_string(odd) + "*" + std::to_string(base));
}

void add_tiles(Collector& sizes, const KernelSpec* kernel) {
  for (const std::int64_t tile : tiles_of(kernel)) {
    const auto& declared = kernel->tiles;
    const bool by_hand = std::find(declared.begin(), declared.end(), tile) != declared.end();
    const std::string text =
        "tile " + std::to_string(tile) + (by_hand ? " (declared)" : " (mined)");
    for (const std::int64_t half : {1, 2, 3, 4, 6, 8}) {  // in half tiles
      if (half % 2 != 0 && tile % 2 != 0) continue;
      const std::int64_t size = tile * half / 2;
      const std::string times = half == 2 ? "" : "*" + std::to_string(half) + "/2";
      for (const std::int64_t offset : {1, -1, 0})
        sizes.add(size + offset, offset == 0 ? SizeSource::tile : SizeSource::tile_edge,
                  text + times + offset_text(offset), tile);
    }
  }
}

void add_launch_limits(Collector& sizes, std::int64_t max) {
  for (const std::int64_t k : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    if (launch_limit * k > max) break;
    const std::string text = std::to_string(launch_limit) + "*" + std::to_string(k);
    sizes.add(launch_limit * k, SizeSource::launch, text);
    sizes.add(launch_limit * k + 1, SizeSource::launch, text + "+1");
  }
}

}  // namespace

std::vector<std::int64_t> tiles_of(const KernelSpec* kernel) {
  std::vector<std::int64_t> tiles;
  if (kernel == nullptr) return tiles;
  for (const auto* list : {&kernel->tiles, &kernel->mined_tiles})
    for (const std::int64_t tile : *list)
      if (tile >= 4 && tile <= (1 << 20)) tiles.push_back(tile);
  std::sort(tiles.begin(), tiles.end());
  tiles.erase(std::unique(tiles.begin(), tiles.end()), tiles.end());
  return tiles;
}

std::vector<SizeCandidate> size_candidates(const Axis& axis, const KernelSpec* kernel,
                                           const std::vector<Expression>& constraints) {
  std::vector<Expression> all = constraints;
  if (kernel != nullptr)
    all.insert(all.end(), kernel->constraints.begin(), kernel->constraints.end());
  Collector sizes(axis, all);
  for (const std::int64_t size : axis.values) sizes.add(size, SizeSource::end, "listed");
  sizes.add(axis.min, SizeSource::end, "axis min");
  sizes.add(axis.max, SizeSource::end, "axis max");
  sizes.add(1, SizeSource::end, "one");
  add_powers(sizes, axis.max);
  add_cofactors(sizes);
  add_tiles(sizes, kernel);
  add_launch_limits(sizes, axis.max);
  for (const std::int64_t prime :
       {2,   3,   5,   7,   11,  13,  19,   23,   29,   41,   53,   61,   83,   101,
        149, 211, 307, 419, 601, 839, 1201, 1709, 2411, 3407, 4801, 9601, 19207})
    sizes.add(prime, SizeSource::prime, "prime");
  return sizes.take();
}

std::vector<SizeCandidate> size_candidates(const Axis& axis, const KernelSpec* kernel) {
  return size_candidates(axis, kernel, {});
}

std::vector<BoundarySize> boundary_sizes(const Axis& axis, const KernelSpec* kernel) {
  std::vector<BoundarySize> list;
  for (SizeCandidate& candidate : size_candidates(axis, kernel))
    list.push_back({candidate.size, std::move(candidate.origin)});
  return list;
}

int draw_weight(SizeSource source) {
  switch (source) {
    case SizeSource::tile_edge:
      return 4;
    case SizeSource::power_plus:
      return 4;
    case SizeSource::end:
      return 3;
    case SizeSource::tile:
      return 2;
    case SizeSource::power_minus:
      return 2;
    case SizeSource::cofactor:
      return 2;
    case SizeSource::prime:
      return 2;
    case SizeSource::power:
      return 1;
    case SizeSource::launch:
      return 0;  // drawn on purpose only: with tiny other axes
  }
  return 1;
}

bool is_regular(SizeSource source) {
  return source == SizeSource::power || source == SizeSource::tile ||
         source == SizeSource::cofactor;
}

}  // namespace gate
