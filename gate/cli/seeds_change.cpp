// gate seeds add and accept: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/seeds_change.h"

#include <fmt/format.h>

#include <ostream>

#include "gate/base/text.h"
#include "gate/cli/catalogue.h"
#include "gate/cli/seeds_store.h"
#include "gate/spec/words.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

/// Where the committed seeds of a root stand.
Result<fs::path> seeds_folder(const std::string& root) {
  const Result<Config> config = config_of(root, known_names());
  if (!config) return config.failure();
  return config->root / config->seeds;
}

std::optional<Seed::Status> status_named(const std::string& word) {
  for (const Seed::Status status : {Seed::Status::open, Seed::Status::known, Seed::Status::fixed}) {
    if (name(status) == word) return status;
  }
  return std::nullopt;
}

Result<Done> check_status(const SeedsFlags& flags) {
  if (!status_named(flags.status)) {
    return user_failure("--status is not known: " + clean_text(flags.status, 100),
                        "one of: open known fixed");
  }
  const bool known = flags.status == "known";
  const bool complete = !flags.reason.empty() && !flags.owner.empty() && !flags.expires.empty();
  if (known && !complete) {
    return user_failure("a known seed needs --reason, --owner and --expires",
                        "until when somebody answers for it");
  }
  if (!known && !(flags.reason.empty() && flags.owner.empty() && flags.expires.empty())) {
    return user_failure("--reason, --owner and --expires belong to --status known");
  }
  if (known && !is_date(flags.expires)) {
    return user_failure("--expires is not a date: " + clean_text(flags.expires, 100),
                        "YYYY-MM-DD, e.g. 2026-01-31");
  }
  return Done{};
}

/// One seed into the committed ones; an equal one that is there keeps its number and gets the
/// status.
Result<fs::path> accept_one(const SeedsFlags& flags, Seed seed, const fs::path& folder,
                            std::vector<Seed>& committed) {
  const Seed* same = find_same(committed, seed);
  seed.number = same != nullptr ? same->number : free_seed_number(committed, seed.fingerprint);
  seed.status = *status_named(flags.status);
  seed.reason = flags.reason;
  seed.owner = flags.owner;
  seed.expires = flags.expires;
  Result<fs::path> file = write_seed(folder, seed);
  if (file && same == nullptr) committed.push_back(seed);
  return file;
}

}  // namespace

int add_seeds(const SeedsFlags& flags, const Invocation& invocation) {
  if (flags.words.empty()) {
    return report_failure(user_failure("seeds add takes tokens, seed files or folders of them"),
                          invocation.err);
  }
  const Result<std::vector<Seed>> seeds = read_seeds(flags.words);
  if (!seeds) return report_failure(seeds.failure(), invocation.err);
  const Result<fs::path> folder = seeds_folder(flags.root);
  if (!folder) return report_failure(folder.failure(), invocation.err);
  const Result<std::vector<Seed>> committed = read_seed_folder(*folder);
  if (!committed) return report_failure(committed.failure(), invocation.err);
  Result<std::vector<Seed>> staged = read_seed_folder(flags.to);
  if (!staged) return report_failure(staged.failure(), invocation.err);
  for (Seed seed : *seeds) {
    if (const Seed* same = find_same(*committed, seed)) {
      invocation.out << fmt::format("committed already ({}): {}\n", name(same->status),
                                    shown_path(same->file).string());
      continue;
    }
    if (const Seed* same = find_same(*staged, seed)) {
      invocation.out << "staged already: " << same->file.string() << "\n";
      continue;
    }
    seed.number = free_seed_number(*staged, seed.fingerprint);
    const Result<fs::path> file = write_seed(flags.to, seed);
    if (!file) return report_failure(file.failure(), invocation.err);
    seed.file = *file;
    staged->push_back(seed);
    invocation.out << "staged: " << file->string() << "\n";
  }
  invocation.out << "gate replay FILE runs one; gate seeds accept FILE commits it\n";
  return 0;
}

int accept_seeds(const SeedsFlags& flags, const Invocation& invocation) {
  if (flags.words.empty()) {
    return report_failure(user_failure("seeds accept takes tokens, seed files or folders of them"),
                          invocation.err);
  }
  const Result<Done> valid = check_status(flags);
  if (!valid) return report_failure(valid.failure(), invocation.err);
  const Result<std::vector<Seed>> seeds = read_seeds(flags.words);
  if (!seeds) return report_failure(seeds.failure(), invocation.err);
  if (seeds->empty()) {
    return report_failure(user_failure("there is no seed in what was given"), invocation.err);
  }
  const Result<fs::path> folder = seeds_folder(flags.root);
  if (!folder) return report_failure(folder.failure(), invocation.err);
  Result<std::vector<Seed>> committed = read_seed_folder(*folder);
  if (!committed) return report_failure(committed.failure(), invocation.err);
  for (const Seed& seed : *seeds) {
    const Result<fs::path> file = accept_one(flags, seed, *folder, *committed);
    if (!file) return report_failure(file.failure(), invocation.err);
    invocation.out << fmt::format("{}: {}\n", flags.status, shown_path(*file).string());
  }
  return 0;
}

}  // namespace gate
