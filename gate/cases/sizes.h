// Sizes of axes worth trying, with where each comes from: ends, powers of two and neighbours,
// odd cofactors, tiles of the kernel, launch limits.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gate/cases/plan.h"

namespace gate {

enum class SizeSource {
  tile_edge,
  tile,
  end,
  power_plus,
  power_minus,
  cofactor,
  launch,
  power,
  prime
};

/// Blocks of a grid in y and z.
inline constexpr std::int64_t launch_limit = 65535;

struct SizeCandidate {
  std::int64_t size = 0;
  SizeSource source = SizeSource::end;
  std::string origin;
  std::int64_t tile = 0;  // of tile and tile_edge
};

/// One per size, ascending. Sizes that the kernel's own constraints on this axis alone exclude are
/// replaced by their nearest legal neighbours on both sides.
std::vector<SizeCandidate> size_candidates(const Axis& axis, const KernelSpec* kernel);
/// The same with more single-axis constraints, e.g. the op's.
std::vector<SizeCandidate> size_candidates(const Axis& axis, const KernelSpec* kernel,
                                           const std::vector<Expression>& constraints);
/// How often a source is drawn beside the others: k*B+1 shows more damage than k*B-1.
int draw_weight(SizeSource source);
/// Powers of two, multiples of tiles and of 8: what fixed-shape tests use.
bool is_regular(SizeSource source);
/// Declared and mined tiles that make sense as tiles, without duplicates, ascending.
std::vector<std::int64_t> tiles_of(const KernelSpec* kernel);

}  // namespace gate
