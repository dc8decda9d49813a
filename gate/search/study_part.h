// What a part of the study yields: figures for machines, tables and charts for people, and one raw
// line per run. Formats are written elsewhere, as pure functions of this.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "gate/search/study_run.h"

namespace gate {

struct StudyTable {
  std::string title;
  std::string text;  // above the table, may be empty
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

/// Grouped horizontal bars from 0 to 100 percent, with whiskers where low < high.
struct StudyBar {
  std::string label;
  double percent = 0, low = 0, high = 0;
  int series = 0;
};
struct StudyChart {
  std::string name;  // of the file
  std::string title;
  std::vector<std::string> series;
  std::vector<StudyBar> bars;
};

struct StudyPart {
  std::string name;
  std::string measured;  // how much, in words
  StudyJson data;
  std::vector<StudyTable> tables;
  std::vector<StudyChart> charts;
  std::vector<std::string> raw;  // JSON lines
  std::size_t missing = 0;       // units that the deadline left: nothing else here holds then
};
/// "N cases per kernel, column and strategy".
std::string measured_text(const StudyOptions& options);
StudyPart unfinished(std::string name, std::size_t missing);

/// A share with its Wilson score interval at 95 %.
struct Share {
  std::int64_t count = 0, of = 0;
  double value() const {
    return of == 0 ? 0 : static_cast<double>(count) / static_cast<double>(of);
  }
  double low() const;
  double high() const;
};
/// "12/80 15 % [9, 24]"; "-" of nothing.
std::string to_text(const Share& share);
StudyJson to_json(const Share& share);

/// What is counted over runs of one kernel or of several.
struct StudyCounts {
  std::int64_t cases = 0, red = 0, grey = 0, visible = 0, visible_anywhere = 0, missed = 0;
  std::int64_t detected = 0;        // red where the bug is visible
  std::vector<std::int64_t> rules;  // failures, by rule
  double largest_ratio = 0;

  void add(const StudyRun& run);
  void add(const StudyCounts& other);
  Share red_share() const { return {red, cases}; }
  Share ceiling() const { return {visible, cases}; }
};

std::string raw_line(const StudyUnit& unit, const StudyRun& run);

/// Parts, in the order a whole study has them.
struct StudyPartRow {
  std::string_view name, text;
  StudyPart (*run)(const StudyOptions& options);
};
const std::vector<StudyPartRow>& all_study_parts();

// One function per part; see the table in study_part.cpp.
StudyPart study_paper_shapes(const StudyOptions& options);
StudyPart study_special(const StudyOptions& options);
StudyPart study_strategies(const StudyOptions& options);
StudyPart study_suites(const StudyOptions& options);
StudyPart study_default_plan(const StudyOptions& options);
StudyPart study_fixed_shape(const StudyOptions& options);
StudyPart study_hidden_shapes(const StudyOptions& options);
StudyPart study_domains(const StudyOptions& options);

}  // namespace gate
