// Measuring, keeping and finding units.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/study_units.h"

#include <fmt/core.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <thread>

#include "gate/base/files.h"
#include "gate/base/hash.h"

namespace gate {
namespace {

void in_parallel(std::size_t count, int jobs, const std::function<void(std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::jthread> threads;
  const auto threads_wanted = std::min(count, static_cast<std::size_t>(std::max(jobs, 1)));
  for (std::size_t t = 0; t < threads_wanted; ++t) {
    threads.emplace_back([&] {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    });
  }
}

bool is_over(const UnitOptions& options) {
  return options.deadline && std::chrono::steady_clock::now() >= *options.deadline;
}

}  // namespace

std::filesystem::path UnitStore::file_of(const std::string& unit) const {
  return folder_ / (sha256_hex(unit).substr(0, 32) + ".json");
}

std::optional<StudyJson> UnitStore::find(const std::string& unit) const {
  std::error_code error;
  if (folder_.empty() || !std::filesystem::exists(file_of(unit), error)) return std::nullopt;
  const auto text = read_file(file_of(unit));
  if (!text) return std::nullopt;
  StudyJson kept = StudyJson::parse(*text, nullptr, false);
  if (!kept.is_object() || kept.value("unit", "") != unit || !kept.contains("result")) {
    return std::nullopt;
  }
  return kept["result"];
}

void UnitStore::keep(const std::string& unit, const StudyJson& result) const {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  const StudyJson kept = {{"unit", unit}, {"result", result}};
  (void)write_file(file_of(unit), kept.dump(-1, ' ', false, StudyJson::error_handler_t::replace));
}

TakenUnits take_units(const UnitOptions& options, const std::vector<std::string>& names,
                      const std::function<UnitResult(std::size_t)>& measure) {
  TakenUnits taken;
  taken.results.resize(names.size());
  std::mutex mutex;
  std::size_t done = 0;
  in_parallel(names.size(), options.jobs, [&](std::size_t i) {
    std::optional<StudyJson> kept = options.kept.find(names[i]);
    const bool fresh = !kept;
    if (fresh && is_over(options)) return;
    if (fresh) {
      UnitResult result = measure(i);
      if (result.lasting) options.kept.keep(names[i], result.json);
      kept = std::move(result.json);
    }
    taken.results[i] = std::move(*kept);
    const std::lock_guard lock(mutex);
    ++done;
    if (options.progress && fresh) {
      options.progress(fmt::format("{}/{} {}", done, names.size(), names[i]));
    }
  });
  taken.missing = names.size() - done;
  return taken;
}

StudyJson number_json(double number) {
  if (std::isfinite(number)) return number;
  return std::isnan(number) ? "nan" : number > 0 ? "inf" : "-inf";
}

double number_of(const StudyJson& json) {
  if (json.is_number()) return json.get<double>();
  const std::string word = json.get<std::string>();
  if (word == "nan") return std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  return word == "inf" ? infinity : -infinity;
}

}  // namespace gate
