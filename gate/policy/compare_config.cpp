// gate.toml on both sides: where things are, how much is checked.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/policy/compare.h"

namespace gate {
namespace {

void compare_count(std::int64_t base, std::int64_t head, const std::string& path,
                   const std::string& key, SidedFile& file) {
  if (base == head) return;
  const std::string text = fmt::format("{}.{} is changed from {} to {}", path, key, base, head);
  if (head > base) return file.change(text, key);
  file.loosening(text, "what the cases left out would show", key);
}

void compare_caps(const DeviceCaps& base, const DeviceCaps& head, const std::string& path,
                  SidedFile& file) {
  compare_count(base.elements_max, head.elements_max, path, "elements_max", file);
  compare_count(base.operations_max, head.operations_max, path, "operations_max", file);
  if (base.case_timeout_ms == head.case_timeout_ms) return;
  const std::string text = fmt::format("{}.case_timeout_ms is changed from {} to {}", path,
                                       base.case_timeout_ms, head.case_timeout_ms);
  if (head.case_timeout_ms < base.case_timeout_ms) return file.change(text, "case_timeout_ms");
  file.loosening(text, "kernels that hang for that long", "case_timeout_ms");
}

void compare_profiles(const Profile& base, const Profile& head, const std::string& path,
                      SidedFile& file) {
  compare_count(base.entries, head.entries, path, "entries", file);
  compare_count(base.huge_entries, head.huge_entries, path, "huge_entries", file);
  compare_count(base.schedules, head.schedules, path, "schedules", file);
  compare_count(base.confirm_runs, head.confirm_runs, path, "confirm_runs", file);
  if (base.shrink_executions != head.shrink_executions) {
    file.change(fmt::format("{}.shrink_executions is changed from {} to {}", path,
                            base.shrink_executions, head.shrink_executions),
                "shrink_executions");
  }
  if (base.strategy_entries != head.strategy_entries) {
    file.loosening(path + ".strategies is changed", "what the strategies with less would show",
                   "strategies");
  }
  for (const auto& [device, caps] : base.caps) {
    const auto at = head.caps.find(device);
    const std::string name = path + ".caps." + device;
    if (at != head.caps.end()) compare_caps(caps, at->second, name, file);
  }
}

void compare_place(const std::string& base, const std::string& head, const std::string& key,
                   const std::string& excuse, SidedFile& file) {
  if (base == head) return;
  file.loosening(fmt::format("paths.{} is changed from \"{}\" to \"{}\"", key, base, head), excuse,
                 key);
}

}  // namespace

void compare_configs(const Config& base, const Config& head, SidedFile& file) {
  for (const std::string& folder : base.ops) {
    if (std::find(head.ops.begin(), head.ops.end(), folder) != head.ops.end()) continue;
    file.loosening("paths.ops leaves out " + folder, "every kernel below it", "ops");
  }
  for (const std::string& folder : head.ops) {
    if (std::find(base.ops.begin(), base.ops.end(), folder) != base.ops.end()) continue;
    file.new_contract("paths.ops has a new folder " + folder, "ops");
  }
  compare_place(base.tolerances, head.tolerances, "tolerances", "errors that other rows admit",
                file);
  compare_place(base.seeds, head.seeds, "seeds", "the committed seeds", file);
  for (const auto& [name, profile] : base.profiles) {
    compare_profiles(profile, head.profiles.at(name), "profiles." + name, file);
  }
}

}  // namespace gate
