// gate seeds diff: what changed among the seeds of two revisions or folders.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <ostream>

#include "gate/cli/catalogue.h"
#include "gate/cli/seeds_change.h"
#include "gate/cli/seeds_store.h"
#include "gate/policy/base_tree.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

struct Side {
  std::vector<Seed> seeds;
};

/// The seeds below the root as a revision, or a folder that mirrors the repository, has them.
Result<Side> read_side(const std::string& from, const fs::path& root) {
  const fs::path repository = repository_root(root);
  const Result<BaseTree> tree = open_base(from, repository);
  if (!tree) return tree.failure();
  std::error_code error;
  const fs::path relative = fs::weakly_canonical(root, error).lexically_relative(repository);
  const fs::path place = relative == "." ? tree->folder : tree->folder / relative;
  if (!fs::exists(place, error)) return Side{};
  const Result<Config> config = config_of(place, known_names(), tree->folder);
  if (!config) return config.failure();
  Result<std::vector<Seed>> seeds = read_seed_folder(config->root / config->seeds);
  if (!seeds) return seeds.failure();
  return Side{std::move(*seeds)};
}

Result<Side> read_own_side(const fs::path& root) {
  const Result<Config> config = config_of(root, known_names());
  if (!config) return config.failure();
  Result<std::vector<Seed>> seeds = read_seed_folder(config->root / config->seeds);
  if (!seeds) return seeds.failure();
  return Side{std::move(*seeds)};
}

const Seed* counterpart(const std::vector<Seed>& seeds, const Seed& wanted) {
  for (const Seed& seed : seeds) {
    if (seed.fingerprint == wanted.fingerprint && seed.number == wanted.number) return &seed;
  }
  return nullptr;
}

std::string seed_text(const Seed& seed) {
  const std::string suffix = seed.number > 1 ? "-" + std::to_string(seed.number) : "";
  return fmt::format("{}/{} {} {} {}{}", seed.test_case.op, seed.kernel, seed.test_case.column,
                     name(seed.kind), seed.fingerprint, suffix);
}

/// What changed of a seed that both sides have, or nothing.
std::string change_text(const Seed& before, const Seed& after) {
  if (before.status != after.status) {
    return fmt::format("{} -> {}", name(before.status), name(after.status));
  }
  if (before.expires != after.expires) {
    return fmt::format("expires {} -> {}", before.expires, after.expires);
  }
  return to_toml(before) == to_toml(after) ? "" : "content";
}

std::size_t write_differences(const Side& before, const Side& after, std::ostream& out) {
  std::size_t count = 0;
  for (const Seed& seed : before.seeds) {
    const Seed* other = counterpart(after.seeds, seed);
    const std::string change = other == nullptr ? "" : change_text(seed, *other);
    if (other != nullptr && change.empty()) continue;
    ++count;
    if (other == nullptr) {
      out << fmt::format("deleted  {} (was {})\n", seed_text(seed), name(seed.status));
    } else {
      out << fmt::format("changed  {}: {}\n", seed_text(seed), change);
    }
  }
  for (const Seed& seed : after.seeds) {
    if (counterpart(before.seeds, seed) != nullptr) continue;
    ++count;
    out << fmt::format("added    {} ({})\n", seed_text(seed), name(seed.status));
  }
  return count;
}

}  // namespace

int diff_seeds(const SeedsFlags& flags, const Invocation& invocation) {
  if (flags.words.empty() || flags.words.size() > 2) {
    return report_failure(user_failure("seeds diff takes BASE and, if not the files as they are, "
                                       "HEAD: revisions, or folders starting with / or ./"),
                          invocation.err);
  }
  const Result<Side> before = read_side(flags.words[0], flags.root);
  if (!before) return report_failure(before.failure(), invocation.err);
  const Result<Side> after =
      flags.words.size() > 1 ? read_side(flags.words[1], flags.root) : read_own_side(flags.root);
  if (!after) return report_failure(after.failure(), invocation.err);
  const std::size_t count = write_differences(*before, *after, invocation.out);
  invocation.out << fmt::format("{} difference{}\n", count, count == 1 ? "" : "s");
  return 0;
}

}  // namespace gate
