// gate.toml: where things are, how much is checked, what is written.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gate {

struct DeviceCaps {
  std::int64_t elements_max = 1 << 16;      // of the largest tensor of a case
  std::int64_t operations_max = 1 << 24;    // estimated multiply-adds of the reference
  std::int64_t case_timeout_ms = 10'000;
};

struct Profile {
  std::int64_t entries = 96;                // plan entries of one (kernel, column)
  std::map<std::string, std::int64_t> strategy_entries;  // explicit share of a strategy
  std::int64_t huge_entries = 0;
  std::int64_t schedules = 1;               // sibling schedules on emu
  std::int64_t shrink_executions = 400;
  std::int64_t confirm_runs = 10;
  std::map<std::string, DeviceCaps> caps;   // device -> caps
};

struct Config {
  std::filesystem::path file;               // empty: built-in defaults
  std::filesystem::path root;               // folder of gate.toml, or the given path
  std::vector<std::string> ops = {"testcases"};
  std::string tolerances = "tolerances";
  std::string seeds = "seeds";
  std::map<std::string, Profile> profiles;  // "pr", "nightly": always both
  std::string junit, json;                  // default report files, empty: none
};

}  // namespace gate
