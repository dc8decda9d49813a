// What to do about an answer of GitHub, as its documentation asks: a pure function of the answer
// and of what happened before.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "gate/publish/transport.h"

namespace gate {

/// What happened to this request so far; `waited_ms` is shared by all requests of the program.
struct RetryHistory {
  int no_answers = 0;  // 5xx, time-outs, network
  int denials = 0;     // 401, 403, 404 without a limit
  int secondary = 0;   // secondary rate limits
  std::int64_t waited_ms = 0;
};

struct RetryDecision {
  enum class Step { done, again, give_up };
  Step step = Step::done;
  std::int64_t wait_ms = 0;
  bool perhaps_done = false;  // the server may have acted: look before creating once more
};

inline constexpr std::int64_t retry_budget_ms = 15 * 60 * 1000;
inline constexpr int no_answer_tries_max = 5;

/// Updates the history. `jitter` in [0, 1) spreads repeats of several clients.
RetryDecision decide(const Answer& answer, RetryHistory& history, std::int64_t unix_now,
                     double jitter);

}  // namespace gate
