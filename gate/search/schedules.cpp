// Further schedules of a case: the plain orders first, then shuffles keyed by the input key.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/schedules.h"

#include "gate/base/random.h"

namespace gate {

bool has_schedules(const std::string& device) { return device == "emu"; }

std::vector<Schedule> further_schedules(const Case& value, std::size_t count) {
  std::vector<Schedule> result;
  const auto offer = [&](const Schedule& schedule) {
    if (result.size() < count && !(schedule == value.schedule)) result.push_back(schedule);
  };
  offer({Schedule::Order::ascending, 0});
  offer({Schedule::Order::descending, 0});
  for (std::uint64_t lane = 1; result.size() < count; ++lane) {
    offer({Schedule::Order::shuffled, mix(value.key, lane)});
  }
  return result;
}

}  // namespace gate
