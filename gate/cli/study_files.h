// The files of a study: parts (JSON, raw lines, charts) in a folder, and the whole made of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "gate/base/result.h"
#include "gate/search/study_part.h"

namespace gate {

struct StudySummary {
  std::string text;  // for the console
  std::int64_t control_red = 0, control_grey = 0;
};

class StudyFolder {
 public:
  explicit StudyFolder(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// parts/<name>.json, raw/<name>.jsonl and study-<chart>.svg.
  Result<Done> write_part(const StudyPart& part, const StudyOptions& options) const;
  /// study.json and study.md from every part in the folder, whenever it was taken.
  Result<StudySummary> write_whole() const;

 private:
  std::filesystem::path folder_;
};

/// What a part was measured with: counts, seed, device, compiler, versions of what it used.
StudyJson study_manifest(const StudyOptions& options);
/// A digest of everything that decides a unit's result: programs, op folders, tolerances, seed.
std::string study_state(const StudyOptions& options);
std::string study_svg(const StudyChart& chart);
/// The document of all parts; each is an object as write_part writes it.
std::string study_markdown(const std::vector<StudyJson>& parts);

}  // namespace gate
