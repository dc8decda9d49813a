// Units of a study: measured side by side, each kept in a file, so that a long study can be taken
// in several calls and an ended one goes on where it was.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace gate {

using StudyJson = nlohmann::ordered_json;

/// Results by the name of their unit. The folder belongs to one state of everything that decides
/// the results: what is found there holds.
class UnitStore {
 public:
  UnitStore() = default;  // keeps nothing
  explicit UnitStore(std::filesystem::path folder) : folder_(std::move(folder)) {}
  std::optional<StudyJson> find(const std::string& unit) const;
  /// A result that cannot be written is only measured again by the next call.
  void keep(const std::string& unit, const StudyJson& result) const;

 private:
  std::filesystem::path file_of(const std::string& unit) const;
  std::filesystem::path folder_;
};

/// How units are taken.
struct UnitOptions {
  int jobs = 1;
  UnitStore kept;
  std::optional<std::chrono::steady_clock::time_point> deadline;  // none is begun after it
  std::function<void(const std::string&)> progress;
};

struct UnitResult {
  UnitResult(StudyJson value, bool may_be_kept = true)
      : json(std::move(value)), lasting(may_be_kept) {}
  StudyJson json;
  bool lasting = true;  // false: the next call measures it again
};

struct TakenUnits {
  std::vector<StudyJson> results;  // in the order of the names; null: not measured yet
  std::size_t missing = 0;
};

/// Every unit through its JSON, whether it was kept or is fresh: both give the same figures.
TakenUnits take_units(const UnitOptions& options, const std::vector<std::string>& names,
                      const std::function<UnitResult(std::size_t)>& measure);

/// Numbers that may be infinite or NaN, which JSON has no words for.
StudyJson number_json(double number);
double number_of(const StudyJson& json);

}  // namespace gate
