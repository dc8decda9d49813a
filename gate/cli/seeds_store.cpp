// Seeds as files: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/seeds_store.h"

#include <algorithm>
#include <set>

#include "gate/base/files.h"
#include "gate/cli/report_files.h"
#include "gate/report/token.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t comment_bytes_max = 16u << 20;

Result<Seed> read_seed_file(const fs::path& file) {
  const Result<std::string> text = read_file(file, comment_bytes_max);
  return text ? find_seed(*text, shown_path(file).string()) : text.failure();
}

/// Problems of all files together.
Result<std::vector<Seed>> read_files(const std::vector<fs::path>& files) {
  std::vector<Seed> seeds;
  Failure failure;
  for (const fs::path& file : files) {
    Result<Seed> seed = read_seed_file(file);
    if (seed) {
      seed->file = file;
      seeds.push_back(std::move(*seed));
      continue;
    }
    const auto& problems = seed.failure().problems;
    failure.problems.insert(failure.problems.end(), problems.begin(), problems.end());
  }
  if (!failure.problems.empty()) return failure;
  return seeds;
}

Result<std::vector<Seed>> read_source(const std::string& source) {
  if (source.starts_with("ig1:")) {
    Result<Seed> seed = parse_token(source);
    if (!seed) return seed.failure();
    return std::vector<Seed>{std::move(*seed)};
  }
  std::error_code error;
  if (fs::is_directory(source, error)) return read_seed_folder(source);
  return read_files({source});
}

}  // namespace

Result<std::vector<Seed>> read_seed_folder(const fs::path& folder) {
  return read_files(find_files(folder, ".toml"));
}

Result<std::vector<Seed>> read_seeds(const std::vector<std::string>& sources) {
  std::vector<Seed> seeds;
  for (const std::string& source : sources) {
    Result<std::vector<Seed>> more = read_source(source);
    if (!more) return more;
    seeds.insert(seeds.end(), more->begin(), more->end());
  }
  return seeds;
}

bool same_seed(const Seed& left, const Seed& right) {
  return left.fingerprint == right.fingerprint && left.test_case == right.test_case &&
         left.pattern == right.pattern;
}

const Seed* find_same(const std::vector<Seed>& seeds, const Seed& wanted) {
  const auto at = std::find_if(seeds.begin(), seeds.end(),
                               [&](const Seed& seed) { return same_seed(seed, wanted); });
  return at == seeds.end() ? nullptr : &*at;
}

int free_seed_number(const std::vector<Seed>& seeds, const std::string& fingerprint) {
  std::set<int> taken;
  for (const Seed& seed : seeds) {
    if (seed.fingerprint == fingerprint) taken.insert(seed.number);
  }
  int number = 1;
  while (taken.count(number) > 0) ++number;
  return number;
}

Result<fs::path> write_seed(const fs::path& folder, const Seed& seed) {
  const fs::path file = folder / seed.test_case.op / seed_file_name(seed);
  const Result<Done> written = write_output("seeds", file, to_toml(seed));
  if (!written) return written.failure();
  return file;
}

}  // namespace gate
