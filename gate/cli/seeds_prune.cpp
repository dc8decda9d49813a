// gate seeds prune: committed seeds that have outlived their use.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "gate/cli/catalogue.h"
#include "gate/cli/report_files.h"
#include "gate/cli/seeds_change.h"
#include "gate/cli/seeds_store.h"
#include "gate/cli/today.h"
#include "gate/policy/novelty.h"

namespace gate {
namespace {

struct Outlived {
  enum class What { remove, open_again };
  What what = What::remove;
  std::string why;
};

bool has_column(const Catalogue& catalogue, const Seed& seed) {
  return std::any_of(catalogue.kernels.begin(), catalogue.kernels.end(),
                     [&](const KernelSpec& kernel) {
                       return kernel.op == seed.test_case.op && kernel.name == seed.kernel &&
                              kernel.entry.count(seed.test_case.column) > 0;
                     });
}

/// A fixed seed answers for its failure; a later fixed one of the same smallest form adds nothing.
bool is_duplicate(const std::vector<Seed>& seeds, std::size_t index) {
  const Seed& seed = seeds[index];
  if (seed.status != Seed::Status::fixed) return false;
  return std::any_of(seeds.begin(), seeds.begin() + static_cast<std::ptrdiff_t>(index),
                     [&](const Seed& earlier) {
                       return earlier.status == Seed::Status::fixed && same_seed(earlier, seed);
                     });
}

std::optional<Outlived> outlived(const Catalogue& catalogue, const std::vector<Seed>& seeds,
                                 std::size_t index, const std::string& today) {
  const Seed& seed = seeds[index];
  if (!has_column(catalogue, seed)) {
    return Outlived{Outlived::What::remove,
                    fmt::format("there is no kernel {}/{} with column {}", seed.test_case.op,
                                seed.kernel, seed.test_case.column)};
  }
  if (is_duplicate(seeds, index)) {
    return Outlived{Outlived::What::remove, "an earlier fixed seed holds the same case"};
  }
  if (seed.status == Seed::Status::known && !is_excused(seed, today)) {
    return Outlived{Outlived::What::open_again,
                    fmt::format("known until {}, which is over: it becomes open", seed.expires)};
  }
  return std::nullopt;
}

Result<Done> apply(Seed seed, Outlived::What what) {
  std::error_code error;
  if (what == Outlived::What::remove) {
    if (std::filesystem::remove(seed.file, error)) return Done{};
    return machine_failure("cannot remove " + seed.file.string() + ": " + error.message());
  }
  seed.status = Seed::Status::open;
  seed.reason.clear();
  seed.owner.clear();
  seed.expires.clear();
  return write_output("seeds prune", seed.file, to_toml(seed));
}

}  // namespace

int prune_seeds(const SeedsFlags& flags, const Invocation& invocation) {
  const std::string root = flags.words.empty() ? flags.root : flags.words.front();
  const Result<Catalogue> catalogue = open_catalogue({root}, false);
  if (!catalogue) return report_failure(catalogue.failure(), invocation.err);
  const std::filesystem::path folder = catalogue->config.root / catalogue->config.seeds;
  const Result<std::vector<Seed>> seeds = read_seed_folder(folder);
  if (!seeds) return report_failure(seeds.failure(), invocation.err);
  const std::string today = flags.today.empty() ? utc_today() : flags.today;
  std::size_t count = 0;
  for (std::size_t i = 0; i < seeds->size(); ++i) {
    const std::optional<Outlived> found = outlived(*catalogue, *seeds, i, today);
    if (!found) continue;
    ++count;
    const std::string file = shown_path((*seeds)[i].file).string();
    invocation.out << fmt::format("{}: {}\n", file, found->why);
    if (!flags.write) continue;
    const Result<Done> applied = apply((*seeds)[i], found->what);
    if (!applied) return report_failure(applied.failure(), invocation.err);
  }
  invocation.out << fmt::format("{} of {} seeds {}\n", count, seeds->size(),
                                flags.write ? "pruned" : "to prune; --write does it");
  return 0;
}

}  // namespace gate
