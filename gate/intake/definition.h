// flashinfer-bench Definition, Solution, Workload and Trace files: read with places, turned into
// drafts of our own files.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "gate/intake/guess_op.h"
#include "gate/intake/json_source.h"

namespace gate {

/// What one JSON value is, by its keys.
enum class Imported { definition, solution, workload, trace, unknown };
Imported kind_of(const nlohmann::ordered_json& value);

/// Scalars of workloads, by name: they become values of attributes.
using ScalarValues = std::map<std::string, std::set<double>>;

struct Definition {
  OpDraft op;
  std::string reference;            // Python text with `run`
  std::vector<std::string> inputs;  // in the order of `run`'s parameters, scalars among them
  std::vector<std::string> notes;   // what was not taken over, and why
};
/// Constant axes are fixed, variable ones go from 1 to `var_max` or the largest traced size;
/// constraints over axes are the op's; those over tensors are noted.
Result<Definition> read_definition(const JsonSource& source, const ScalarValues& scalars,
                                   const std::map<std::string, std::int64_t>& largest);

struct Workload {
  std::string definition;  // empty: a bare workload
  JsonSource source;
  std::map<std::string, std::int64_t> axes;
  std::map<std::string, double> scalars;
};
Result<Workload> read_workload(const JsonSource& source);

struct Solution {
  std::string name, definition, author, language, symbol;
  std::string entry_file;
  bool returns = false;                                    // not in destination passing style
  std::vector<std::pair<std::string, std::string>> files;  // file name, text
};
Result<Solution> read_solution(const JsonSource& source);

}  // namespace gate
