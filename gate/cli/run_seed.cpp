// The run seed: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/run_seed.h"

#include "gate/base/process.h"
#include "gate/base/text.h"

namespace gate {
namespace {

constexpr std::uint64_t constant_run_seed = 0x67617465;  // "gate"
constexpr std::size_t hex_digits_max = 16;

/// Full hash, or nothing without git, outside a repository, or before the first commit.
std::string head_commit(const std::filesystem::path& folder) {
  // The runner that checked the repository out is often another user than ours; only reading.
  const auto ran = run_process({"git", "-c", "safe.directory=*", "-C", folder.string(), "rev-parse",
                                "--verify", "--quiet", "HEAD"},
                               ProcessOptions{.timeout_ms = 10'000});
  if (!ran || ran->exit_code != 0) return {};
  const std::string hash(trim(ran->output));
  const bool is_hash = hash.size() >= hex_digits_max &&
                       hash.find_first_not_of("0123456789abcdef") == std::string::npos;
  return is_hash ? hash : std::string();
}

}  // namespace

Result<RunSeed> choose_run_seed(const std::string& option, const std::filesystem::path& folder) {
  RunSeed seed;
  seed.revision = head_commit(folder);
  if (!option.empty()) {
    const auto value = parse_hex64(option);
    if (!value) {
      return user_failure("--run-seed is not a hexadecimal 64-bit number: " + option,
                          "e.g. --run-seed 1f, or leave it out: the head commit is used");
    }
    seed.value = *value;
  } else if (!seed.revision.empty()) {
    seed.value = *parse_hex64(seed.revision.substr(0, hex_digits_max));
  } else {
    seed.value = constant_run_seed;
  }
  return seed;
}

}  // namespace gate
