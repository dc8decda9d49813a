// gate.toml: its defaults, its reader, and the search for the nearest one.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/spec/read.h"
#include "gate/spec/toml_reader.h"

namespace gate {
namespace {

const std::vector<std::string> device_names = {"cuda", "emu", "host", "python"};
constexpr std::int64_t count_max = 10'000'000;

/// Relative to the root and inside of it: gate.toml may come with a pull request.
bool is_inside(const std::string& path) {
  const std::filesystem::path parts(path);
  return !path.empty() && !parts.is_absolute() &&
         std::none_of(parts.begin(), parts.end(), [](const auto& part) { return part == ".."; });
}

void read_path(Problems& problems, TableReader& table, const std::string& key, std::string& path) {
  const auto text = table.required_text(key);
  if (!text) return;
  path = *text;
  if (!is_inside(path)) {
    problems.add(*table.find(key), fmt::format("{} must stay below the folder of gate.toml; it is "
                                               "\"{}\"",
                                               table.name_of(key), path));
  }
}

void read_paths(Problems& problems, TableReader& root, Config& config) {
  const TomlValue* value = root.table("paths");
  if (!value) return;
  TableReader table(problems, *value, "paths");
  if (const TomlValue* ops = table.find("ops")) {
    config.ops = table.texts("ops");
    if (as_array(*ops) && config.ops.empty())
      problems.add(*ops, "paths.ops must name at least one folder");
    for (const std::string& path : config.ops) {
      if (is_inside(path)) continue;
      problems.add(*ops, fmt::format("paths.ops must stay below the folder of gate.toml; one is "
                                     "\"{}\"",
                                     path));
    }
  }
  if (table.find("tolerances")) read_path(problems, table, "tolerances", config.tolerances);
  if (table.find("seeds")) read_path(problems, table, "seeds", config.seeds);
  table.finish();
}

void read_report(Problems& problems, TableReader& root, Config& config) {
  const TomlValue* value = root.table("report");
  if (!value) return;
  TableReader table(problems, *value, "report");
  config.junit = table.text("junit").value_or("");
  config.json = table.text("json").value_or("");
  for (const auto& [key, path] :
       {std::pair{"junit", config.junit}, std::pair{"json", config.json}}) {
    if (path.empty() || is_inside(path)) continue;
    problems.add(*table.find(key), fmt::format("{} must stay below the folder of gate.toml; it is "
                                               "\"{}\"",
                                               table.name_of(key), path));
  }
  table.finish();
}

void read_caps(Problems& problems, TableReader& profile_table, Profile& profile) {
  const TomlValue* value = profile_table.table("caps");
  if (!value) return;
  TableReader devices(problems, *value, profile_table.name_of("caps"));
  for (const std::string& device : device_names) {
    const TomlValue* own = devices.table(device);
    if (!own) continue;
    TableReader table(problems, *own, devices.name_of(device));
    DeviceCaps& caps = profile.caps[device];
    constexpr std::int64_t amount_max = std::int64_t{1} << 50;
    constexpr std::int64_t hour_ms = 3'600'000;
    caps.elements_max = table.integer("elements_max", {1, amount_max}).value_or(caps.elements_max);
    caps.operations_max =
        table.integer("operations_max", {1, amount_max}).value_or(caps.operations_max);
    caps.case_timeout_ms =
        table.integer("case_timeout_ms", {1, hour_ms}).value_or(caps.case_timeout_ms);
    table.finish();
  }
  devices.finish();
}

void read_strategies(Problems& problems, TableReader& profile_table, Profile& profile,
                     const KnownNames& known) {
  const TomlValue* value = profile_table.table("strategies");
  if (!value) return;
  TableReader table(problems, *value, profile_table.name_of("strategies"));
  for (const TomlEntry& entry : table.entries()) {
    const auto& names = known.strategies;
    if (!is_identifier(entry.key) ||
        (!names.empty() && std::find(names.begin(), names.end(), entry.key) == names.end())) {
      problems.add(Place{problems.file(), entry.line, entry.column},
                   fmt::format("there is no strategy {}", entry.key), word_hint(entry.key, names));
      continue;
    }
    if (const auto count = table.integer(entry.key, {0, count_max})) {
      profile.strategy_entries[entry.key] = *count;
    }
  }
}

void read_profile(Problems& problems, const TomlValue& value, const std::string& path,
                  Profile& profile, const KnownNames& known) {
  TableReader table(problems, value, path);
  const struct {
    const char* key;
    std::int64_t& field;
    std::int64_t low, high;
  } counts[] = {{"entries", profile.entries, 1, count_max},
                {"huge_entries", profile.huge_entries, 0, count_max},
                {"schedules", profile.schedules, 0, 1000},
                {"shrink_executions", profile.shrink_executions, 0, count_max},
                {"confirm_runs", profile.confirm_runs, 1, 1000}};
  for (const auto& count : counts) {
    count.field = table.integer(count.key, {count.low, count.high}).value_or(count.field);
  }
  read_strategies(problems, table, profile, known);
  read_caps(problems, table, profile);
  table.finish();
}

}  // namespace

std::filesystem::path shown_path(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path relative = path.lexically_relative(here);
  return error || relative.empty() || *relative.begin() == ".." ? path : relative;
}

Config default_config(const std::filesystem::path& root) {
  // The reference and, but for a GPU, the kernel run on the CPU: cases stay small, those that a
  // person waits for most of all.
  const DeviceCaps quick{1 << 16, 1 << 19, 10'000};
  const DeviceCaps small{1 << 16, 1 << 21, 10'000};
  const DeviceCaps large{1 << 18, 1 << 22, 10'000};
  Profile profile;
  profile.confirm_runs = 3;  // each in a fresh worker: on a GPU a second and more
  profile.caps = {{"emu", quick}, {"host", small}, {"cuda", large}, {"python", large}};
  Config config;
  config.root = root;
  config.profiles["pr"] = profile;
  profile.entries = 2000;
  profile.huge_entries = 10;
  profile.schedules = 3;
  profile.confirm_runs = 10;
  profile.shrink_executions = 2000;
  profile.caps["emu"] = small;
  config.profiles["nightly"] = profile;
  return config;
}

Result<Config> parse_config(const std::string& text, const std::filesystem::path& file,
                            const KnownNames& known) {
  const auto document = parse_toml(text, file);
  if (!document) return document.failure();
  Problems problems(file);
  Config config = default_config(std::filesystem::absolute(file).parent_path());
  config.file = file;
  TableReader root(problems, *document, "");
  read_paths(problems, root, config);
  read_report(problems, root, config);
  if (const TomlValue* profiles = root.table("profiles")) {
    TableReader table(problems, *profiles, "profiles");
    for (auto& [name, profile] : config.profiles) {
      const TomlValue* value = table.find(name);
      if (value) read_profile(problems, *value, "profiles." + name, profile, known);
    }
    table.finish();
  }
  root.finish();
  if (!problems.empty()) return problems.failure();
  return config;
}

Result<Config> load_config(const std::filesystem::path& path, const KnownNames& known,
                           const std::filesystem::path& stop) {
  std::error_code error;
  const std::filesystem::path start = std::filesystem::weakly_canonical(path, error);
  if (error || !std::filesystem::exists(start, error)) {
    return user_failure("there is no such file or folder", "", Place{path.string(), 0, 0});
  }
  const bool folder = std::filesystem::is_directory(start, error);
  const std::filesystem::path first = folder ? start : start.parent_path();
  for (std::filesystem::path at = first;; at = at.parent_path()) {
    const std::filesystem::path file = at / "gate.toml";
    if (std::filesystem::is_regular_file(file, error)) {
      const auto text = read_file(file);
      return text ? parse_config(*text, shown_path(file), known) : Result<Config>(text.failure());
    }
    if (at == at.parent_path() || at == stop) break;
  }
  return default_config(first);
}

}  // namespace gate
