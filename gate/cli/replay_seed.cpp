// Running a seed's case again: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/replay_seed.h"

#include <chrono>

#include "gate/explain/pattern.h"
#include "gate/search/sanitized.h"

namespace gate {
namespace {

/// A failure that depends on timing is given this many runs to show itself.
constexpr int nondeterministic_runs = 10;

SeedResult ended(const Seed& seed, SeedResult::End end, Kind kind, std::string text) {
  SeedResult result{seed, end, {}, 0};
  result.judged.strategy = "seed";
  result.judged.test_case = seed.test_case;
  result.judged.verdict.kind = kind;
  result.judged.verdict.property = seed.property;
  result.judged.verdict.text = std::move(text);
  return result;
}

SeedResult::End end_of(const Seed& seed, const Verdict& verdict) {
  switch (colour(verdict.kind)) {
    case Colour::green:
      return SeedResult::End::passes;
    case Colour::grey:
      return SeedResult::End::unchecked;
    case Colour::red:
      break;
  }
  const bool same = verdict.kind == seed.kind && verdict.property == seed.property &&
                    (seed.pattern.empty() || pattern_holds(verdict, seed.pattern));
  return same ? SeedResult::End::reproduces : SeedResult::End::fails_otherwise;
}

SeedResult run_seed_case(Executor& executor, const Seed& seed) {
  const Target& target = executor.target();
  const Result<Done> valid = validate(seed.test_case, *target.op, target.kernel);
  if (!valid) {
    return ended(seed, SeedResult::End::invalid_case, Kind::not_checked,
                 "the seed's case is not legal any more: " + valid.failure().problems.front().text);
  }
  const std::string digest = input_digest(executor.inputs_of(seed.test_case));
  if (!seed.input_digest.empty() && digest != seed.input_digest) {
    return ended(seed, SeedResult::End::digest_differs, Kind::not_checked,
                 "the input bytes differ from the seed's: SHA-256 " + digest + ", recorded " +
                     seed.input_digest);
  }
  SeedResult result{seed, SeedResult::End::unchecked, {}, 0};
  result.judged.strategy = "seed";
  result.judged.test_case = seed.test_case;
  const int runs = seed.kind == Kind::nondeterministic ? nondeterministic_runs : 1;
  for (int run = 0; run < runs; ++run) {
    if (run > 0) executor.restart();
    result.judged.verdict = executor.execute_again(seed.test_case);
    if (result.judged.verdict.kind == Kind::pass && seed.property == property_memory) {
      const auto reports =
          sanitize_cases(executor, {}, {seed.test_case});  // what found it, perhaps
      if (auto verdict = sanitizer_verdict(reports, seed.test_case)) {
        result.judged.verdict = std::move(*verdict);
      }
    }
    result.end = end_of(seed, result.judged.verdict);
    if (result.end != SeedResult::End::passes) break;
  }
  return result;
}

}  // namespace

SeedResult replay_seed(Executor& executor, const Seed& seed) {
  const auto begin = std::chrono::steady_clock::now();
  SeedResult result = run_seed_case(executor, seed);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return result;
}

SeedResult replay_unbuilt(const Seed& seed, const BuildOutcome& build) {
  if (colour(build.kind) == Colour::grey) {
    return ended(seed, SeedResult::End::unchecked, build.kind, build.text);
  }
  const bool same = seed.kind == build.kind;
  SeedResult result =
      ended(seed, same ? SeedResult::End::reproduces : SeedResult::End::fails_otherwise, build.kind,
            build.text);
  result.judged.verdict.property = std::string(property_build);
  return result;
}

}  // namespace gate
