// What a kernel is worth, in the few words that evaluators of many candidates compare: one object
// per kernel, and a table by op, author and outcome. Pure functions of the report.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <vector>

#include "gate/report/report.h"
#include "gate/report/strict_json.h"

namespace gate {

/// All columns of one kernel taken together; true means true of every column.
struct Score {
  std::string op, kernel, author, corpus;
  std::vector<std::string> columns, devices;
  bool compiled = true;  // no column failed to build
  bool ran = true;       // every column ran some case to its end
  bool fixed_shape_measured = true;
  bool fixed_shape_pass = true;  // KernelBench's current rule, under randn or U[0,1)
  bool checked = true;           // every planned case has a green or red verdict
  Class klass = Class::clean;    // worst of the columns: defect, illusion, unchecked, clean
  std::int64_t cases = 0, planned = 0;
  std::map<Kind, std::int64_t> findings;
};
/// In the order of the report's rows.
std::vector<Score> scores_of(const Report& report);
OrderedJson scores_json(const Report& report);
OrderedJson score_json(const Score& score);

/// Kernels of one op and author.
struct ScoreLine {
  std::string op, author;
  std::int64_t kernels = 0, compiled = 0, ran = 0, fixed_shape_pass = 0;
  std::map<Class, std::int64_t> classes;
  std::map<Kind, std::int64_t> findings;  // kernels with a finding of the kind
};
/// By op and author, sorted; then one line per author over all ops (op empty), if there are several
/// ops.
std::vector<ScoreLine> score_table(const Report& report);
/// The table as text; empty where no kernel has an author.
std::string score_table_text(const Report& report);
/// {"version": 1, "scores": [...], "table": [...]}
std::string to_scores(const Report& report);

}  // namespace gate
