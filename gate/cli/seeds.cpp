// gate seeds: the committed seeds.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"

namespace gate {
namespace {

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

int list_seeds(const std::vector<std::string>& paths, const Invocation& invocation) {
  const Result<Catalogue> catalogue = open_catalogue({paths.begin(), paths.end()}, false);
  if (!catalogue) return report_failure(catalogue.failure(), invocation.err);
  for (const Seed& seed : catalogue->seeds) invocation.out << seed_line(seed);
  invocation.out << fmt::format("{} seed{}\n", catalogue->seeds.size(),
                                catalogue->seeds.size() == 1 ? "" : "s");
  return 0;
}

}  // namespace

int seeds_verb(const Invocation& invocation) {
  std::vector<std::string> words;
  Arguments flags;
  flags.positional("WHAT", words);
  const Result<Done> parsed = flags.parse(invocation.arguments);
  if (!parsed) return report_failure(parsed.failure(), invocation.err);
  if (words.empty() || words.front() != "list") {
    const Failure failure = user_failure("seeds is followed by what to do: list");
    return report_failure(failure, invocation.err);
  }
  words.erase(words.begin());
  if (words.empty()) words.emplace_back(".");
  return list_seeds(words, invocation);
}

}  // namespace gate
