// gate seeds: the committed seeds, and the way in and out of them.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/seeds_change.h"
#include "gate/cli/verbs.h"
#include "gate/spec/words.h"

namespace gate {
namespace {

struct SeedsAction {
  std::string_view name;
  int (*run)(const SeedsFlags& flags, const Invocation& invocation);
};

constexpr SeedsAction actions[] = {{"list", list_seeds},
                                   {"add", add_seeds},
                                   {"accept", accept_seeds},
                                   {"prune", prune_seeds},
                                   {"diff", diff_seeds}};

std::string seed_line(const Seed& seed) {
  const std::string number = seed.number > 1 ? "-" + std::to_string(seed.number) : "";
  std::string line = fmt::format("{:<6} {:<16} {}/{} {} {}{} {}", name(seed.status),
                                 name(seed.kind), seed.test_case.op, seed.kernel,
                                 seed.test_case.column, seed.fingerprint, number, seed.found_on);
  if (seed.status == Seed::Status::known) {
    line +=
        fmt::format(" (until {}, {}: {})", seed.expires.empty() ? "further notice" : seed.expires,
                    seed.owner, seed.reason);
  }
  return line + "\n";
}

Result<SeedsFlags> parse_flags(const std::vector<std::string>& arguments) {
  SeedsFlags flags;
  Arguments parser;
  parser.positional("WHAT", flags.words);
  parser.option("--root", flags.root);
  parser.option("--to", flags.to);
  parser.option("--status", flags.status);
  parser.option("--reason", flags.reason);
  parser.option("--owner", flags.owner);
  parser.option("--expires", flags.expires);
  parser.option("--today", flags.today);
  parser.flag("--write", flags.write);
  const Result<Done> parsed = parser.parse(arguments);
  if (!parsed) return parsed.failure();
  if (!flags.today.empty() && !is_date(flags.today)) {
    return user_failure("--today is not a date: " + clean_text(flags.today, 100), "YYYY-MM-DD");
  }
  return flags;
}

}  // namespace

int list_seeds(const SeedsFlags& flags, const Invocation& invocation) {
  std::vector<std::filesystem::path> paths(flags.words.begin(), flags.words.end());
  if (paths.empty()) paths.emplace_back(flags.root);
  const Result<Catalogue> catalogue = open_catalogue(paths, false);
  if (!catalogue) return report_failure(catalogue.failure(), invocation.err);
  for (const Seed& seed : catalogue->seeds) invocation.out << seed_line(seed);
  invocation.out << fmt::format("{} seed{}\n", catalogue->seeds.size(),
                                catalogue->seeds.size() == 1 ? "" : "s");
  return 0;
}

int seeds_verb(const Invocation& invocation) {
  Result<SeedsFlags> flags = parse_flags(invocation.arguments);
  if (!flags) return report_failure(flags.failure(), invocation.err);
  const std::string what = flags->words.empty() ? "" : flags->words.front();
  for (const SeedsAction& action : actions) {
    if (action.name != what) continue;
    flags->words.erase(flags->words.begin());
    return action.run(*flags, invocation);
  }
  return report_failure(user_failure("seeds is followed by what to do: list, add, accept, prune "
                                     "or diff"),
                        invocation.err);
}

}  // namespace gate
