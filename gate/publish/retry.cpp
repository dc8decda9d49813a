// The table of answers and steps.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/retry.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "gate/base/text.h"

namespace gate {
namespace {

using Step = RetryDecision::Step;

std::optional<std::int64_t> number_in(const Answer& answer, const std::string& header) {
  const auto at = answer.headers.find(header);
  return at == answer.headers.end() ? std::nullopt : parse_integer(trim(at->second));
}

bool says_secondary(const Answer& answer) {
  std::string body = answer.body.substr(0, 4096);
  std::transform(body.begin(), body.end(), body.begin(), [](char letter) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  });
  return body.find("secondary rate limit") != std::string::npos ||
         body.find("abuse detection") != std::string::npos;
}

/// Beyond the budget waiting helps nobody: the job would be cancelled first.
RetryDecision again_after(std::int64_t wait_ms, const RetryHistory& history) {
  if (wait_ms < 0 || wait_ms > retry_budget_ms - history.waited_ms)
    return {Step::give_up, 0, false};
  return {Step::again, wait_ms, false};
}

/// Milliseconds to wait if the answer is about a rate limit.
std::optional<std::int64_t> limit_wait(const Answer& answer, RetryHistory& history,
                                       std::int64_t unix_now) {
  constexpr std::int64_t seconds_max = 1'000'000;
  if (answer.status != 403 && answer.status != 429) return std::nullopt;
  if (const auto after = number_in(answer, "retry-after"); after && *after >= 0) {
    return std::min(*after, seconds_max) * 1000;
  }
  const auto reset = number_in(answer, "x-ratelimit-reset");
  if (number_in(answer, "x-ratelimit-remaining") == 0 && reset) {
    const std::int64_t left = std::clamp(*reset - unix_now, std::int64_t{0}, seconds_max);
    return (left + 1) * 1000;
  }
  if (answer.status == 429 || says_secondary(answer)) {
    const int doublings = std::min(history.secondary++, 10);
    return std::int64_t{60'000} << doublings;
  }
  return std::nullopt;
}

}  // namespace

RetryDecision decide(const Answer& answer, RetryHistory& history, std::int64_t unix_now,
                     double jitter) {
  if (answer.too_large) return {Step::give_up, 0, false};
  if (answer.status >= 200 && answer.status < 400) return {Step::done, 0, false};
  if (const auto wait = limit_wait(answer, history, unix_now)) return again_after(*wait, history);
  if (answer.status == 401 || answer.status == 403 || answer.status == 404) {
    if (++history.denials > 1) return {Step::give_up, 0, false};
    return again_after(2000, history);
  }
  if (answer.status == 0 || answer.status == 408 || answer.status >= 500) {
    if (++history.no_answers >= no_answer_tries_max) return {Step::give_up, 0, true};
    const double wait = 3000 * std::pow(1.5, history.no_answers - 1) + 1000 * jitter;
    RetryDecision decision = again_after(static_cast<std::int64_t>(wait), history);
    decision.perhaps_done = true;
    return decision;
  }
  return {Step::give_up, 0, false};
}

}  // namespace gate
