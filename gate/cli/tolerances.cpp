// gate tolerances init: default rows for columns that have none. A default is a starting point, not
// a measurement: it says so in its provenance.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/report_files.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/policy/effective.h"

namespace gate {
namespace {

/// Adds the rows that kernels of `op` need; their columns are returned.
std::vector<std::string> add_rows(const Catalogue& catalogue, const OpSchema& op,
                                  ToleranceTable& table) {
  std::vector<std::string> added;
  for (const KernelSpec& kernel : catalogue.kernels) {
    if (kernel.op != op.name) continue;
    for (const std::string& column : ordered_columns(op, kernel)) {
      if (!table.rows.emplace(column, default_tolerance(op, column)).second) continue;
      added.push_back(column);
    }
  }
  return added;
}

int init_tolerances(const std::vector<std::string>& paths, const Invocation& invocation) {
  const Result<Catalogue> catalogue = open_catalogue({paths.begin(), paths.end()}, false);
  if (!catalogue) return report_failure(catalogue.failure(), invocation.err);
  const Config& config = catalogue->config;
  bool wrote = false;
  for (const OpSchema& op : catalogue->ops) {
    ToleranceTable table{op.name, config.root / config.tolerances / (op.name + ".toml"), {}};
    if (const auto at = catalogue->tolerances.find(op.name); at != catalogue->tolerances.end()) {
      table = at->second;
    }
    for (const std::string& column : add_rows(*catalogue, op, table)) {
      invocation.out << fmt::format("{}: {} c = {}\n", table.file.string(), column,
                                    table.rows[column].c);
    }
    const auto before = catalogue->tolerances.find(op.name);
    const std::size_t rows = before == catalogue->tolerances.end() ? 0 : before->second.rows.size();
    if (table.rows.size() == rows) continue;
    const Result<Done> written = write_output("tolerances init", table.file, to_toml(table));
    if (!written) return report_failure(written.failure(), invocation.err);
    wrote = true;
  }
  if (wrote) return 0;
  invocation.out
      << (catalogue->kernels.empty()
              ? "nothing to write: no kernel implements a column yet (`gate init` writes "
                "a kernel's toml)\n"
              : "nothing to write: every column that a kernel implements has its row\n");
  return 0;
}

}  // namespace

int tolerances_verb(const Invocation& invocation) {
  std::vector<std::string> words;
  Arguments flags;
  flags.positional("WHAT", words);
  const Result<Done> parsed = flags.parse(invocation.arguments);
  if (!parsed) return report_failure(parsed.failure(), invocation.err);
  if (words.empty() || words.front() != "init") {
    const Failure failure = user_failure("tolerances is followed by what to do: init");
    return report_failure(failure, invocation.err);
  }
  words.erase(words.begin());
  if (words.empty()) words.emplace_back(".");
  return init_tolerances(words, invocation);
}

}  // namespace gate
