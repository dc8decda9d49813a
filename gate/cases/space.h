// The space of cases of one (op, kernel, column, device): everything drawing needs, looked up once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/cases/inputs.h"
#include "gate/cases/sizes.h"
#include "gate/spec/traced.h"

namespace gate {

/// Sizes of one order of magnitude, or around tiles: the strata that decks go through.
struct SizeGroup {
  std::int64_t low = 0, high = 0;
  std::vector<std::int64_t> boundary;  // each as often as it shall be drawn
  std::vector<std::int64_t> regular;
};

struct AxisSpace {
  const Axis* axis = nullptr;
  std::vector<SizeGroup> groups;     // none empty of boundary sizes
  std::vector<std::size_t> tickets;  // group numbers, the tile group more than once
  std::vector<std::int64_t> launch;  // 65535*k+{0,1} and the largest size within the caps
  std::vector<std::int64_t> all;     // every candidate, ascending
};

struct TensorSpace {
  const TensorSchema* schema = nullptr;
  DType dtype = DType::f32;
  bool input = false;
  std::vector<std::string> plain, exact, special;  // profile names; inputs only
  std::string generic;                             // the profile of inputs not in focus
  std::vector<std::string> layouts;                // usable ones besides contiguous
  std::int64_t unit = 1;                           // paddings and offsets are multiples
};

struct CaseSpace {
  const OpSchema* op = nullptr;
  const KernelSpec* kernel = nullptr;
  std::string column;
  std::string device;
  DeviceCaps caps;
  std::vector<AxisSpace> axes;
  std::vector<TensorSpace> tensors;     // inputs, then outputs
  std::vector<const Attribute*> swept;  // attributes with a choice
  std::vector<TracedWorkload> traced;   // those within the caps

  bool has_special() const;
  bool can_be_exact() const;
};

CaseSpace make_space(const OpSchema& op, const KernelSpec& kernel, const std::string& column,
                     const PlanOptions& options);

/// Limits on one case: the device's caps, or a share of them for quick cases.
struct Budget {
  std::int64_t elements = 0, operations = 0, threads = 0;
};
Budget budget_of(const CaseSpace& space, int level);  // 0 small, 1 medium, 2 the caps
inline constexpr int budget_levels = 3;
bool within(const Case& value, const CaseSpace& space, const Budget& budget);

}  // namespace gate
