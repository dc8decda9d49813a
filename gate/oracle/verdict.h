// Outcome + Expected + Tolerance -> Verdict. Laws, null kernels and fixed-shape oracles have
// headers of their own: laws.h, null_kernels.h, fixed_shape.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gate/cases/profiles.h"
#include "gate/oracle/comparison.h"
#include "gate/spec/case.h"
#include "gate/spec/kind.h"
#include "gate/worker/outcome.h"

namespace gate {

struct Verdict {
  Kind kind = Kind::pass;
  std::string property = "value";
  std::string text;                     // one line: what
  std::vector<Comparison> comparisons;  // per output, of the job that decided
  std::vector<std::int64_t> unwritten;  // elements, of the first output that has any
  bool discriminating = true;           // some element would reject zeros
  std::int64_t unjudgeable = 0;
  std::string input_digest, output_digest;
  Schedule schedule;  // of the job that decided
};

/// What every judgement of one case needs besides outcomes.
struct Judging {
  const OpSchema& op;
  const std::string& column;
  const Tolerance& tolerance;
  const Case& test_case;
  const Expected& expected;
};

/// Everything the judge reads about one run of one input.
struct JudgeInput {
  const Judging& judging;
  const Outcome& outcome;
  const Outcome* second_poison = nullptr;  // same job, other poison: for `unwritten`
};
/// Precedence: what the device said; red zones and gaps; inputs modified; unwritten; nonfinite;
/// wrong; nothing judgeable (not_checked); pass.
Verdict judge(const JudgeInput& input);
/// Whether `unwritten` hangs on a second run with the other poison.
bool needs_second_poison(const JudgeInput& input);
/// Facts of the profile a tensor was filled by (its parameter left aside); null without one.
const ProfileFacts* profile_facts(const TensorChoice& choice);
/// special where the case carries NaN or infinities, whatever it was drawn for; else value.
std::string property_of(const Case& value, const OpSchema& op);

/// Two runs on the same bytes: differing bits where the contract forbids them.
std::optional<std::string> difference(const Outcome& first, const Outcome& second,
                                      const Judging& judging);

}  // namespace gate
