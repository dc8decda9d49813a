// The plan: the ordered, finite list of entries of one (kernel, column), strategies interleaved.
// Generated through RapidCheck's Gen; nothing here depends on time or machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gate/spec/case.h"
#include "gate/spec/config.h"
#include "gate/spec/kernel_spec.h"
#include "gate/spec/op_schema.h"

namespace gate {

/// Name and purpose of a strategy, in the order plans interleave them.
struct StrategyFacts {
  /// exact boundary regular values layouts attributes mixed huge special laws
  std::string_view name;
  std::string_view purpose;
};
const std::vector<StrategyFacts>& all_strategies();

/// One input with its siblings (further schedules on emu, repeats elsewhere).
struct Entry {
  std::string strategy;
  Case test_case;
  std::vector<Schedule> siblings;  // besides test_case.schedule
};

struct PlanOptions {
  std::uint64_t run_seed = 0;
  std::string device;  // caps and siblings depend on it
  Profile profile;
  std::int64_t first = 0;  // only so many entries of the plan, from its beginning; 0: all
};

/// Strategies that can apply to this op, column and kernel (a law needs a declared law …).
std::vector<std::string> applicable_strategies(const OpSchema& op, const KernelSpec& kernel,
                                               const std::string& column,
                                               const PlanOptions& options);
/// Distinct by input digest and layout. Same arguments, same plan, on every machine.
std::vector<Entry> make_plan(const OpSchema& op, const KernelSpec& kernel,
                             const std::string& column, const PlanOptions& options);

/// Every boundary size of an axis and where it came from: for `gate schema` and the README.
struct BoundarySize {
  std::int64_t size = 0;
  std::string origin;  // "axis min", "prime", "2^7+1", "tile 256 (declared)+1" …
};
std::vector<BoundarySize> boundary_sizes(const Axis& axis, const KernelSpec* kernel);

}  // namespace gate
