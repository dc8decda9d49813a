// The table of answers and steps, row by row.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/publish/retry.h"

namespace gate {
namespace {

using Step = RetryDecision::Step;

constexpr std::int64_t now = 1'700'000'000;

Answer answer(int status, std::map<std::string, std::string> headers = {}, std::string body = {}) {
  return {status, std::move(headers), std::move(body), {}, false};
}

RetryDecision first(const Answer& value) {
  RetryHistory history;
  return decide(value, history, now, 0);
}

TEST(Retry, SuccessAndRedirectsAreDone) {
  for (const int status : {200, 201, 202, 204, 302}) {
    EXPECT_EQ(first(answer(status)).step, Step::done);
  }
}

TEST(Retry, RetryAfterIsObeyed) {
  for (const int status : {403, 429}) {
    const RetryDecision decision = first(answer(status, {{"retry-after", "17"}}));
    EXPECT_EQ(decision.step, Step::again);
    EXPECT_EQ(decision.wait_ms, 17'000);
  }
  EXPECT_EQ(first(answer(429, {{"retry-after", "901"}})).step, Step::give_up);
  EXPECT_EQ(first(answer(429, {{"retry-after", "999999999999"}})).step, Step::give_up);
}

TEST(Retry, AnExhaustedLimitWaitsForItsReset) {
  const RetryDecision decision = first(answer(
      403, {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", std::to_string(now + 30)}}));
  EXPECT_EQ(decision.step, Step::again);
  EXPECT_EQ(decision.wait_ms, 31'000);
  const Answer late = answer(
      403, {{"x-ratelimit-remaining", "0"}, {"x-ratelimit-reset", std::to_string(now + 3600)}});
  EXPECT_EQ(first(late).step, Step::give_up);
}

TEST(Retry, SecondaryLimitsWaitAMinuteThenLonger) {
  RetryHistory history;
  const Answer secondary =
      answer(403, {}, R"({"message": "You have exceeded a secondary rate limit."})");
  EXPECT_EQ(decide(secondary, history, now, 0).wait_ms, 60'000);
  EXPECT_EQ(decide(secondary, history, now, 0).wait_ms, 120'000);
  history.waited_ms = 180'000;
  EXPECT_EQ(decide(secondary, history, now, 0).wait_ms, 240'000);
  history.waited_ms = 420'000;
  EXPECT_EQ(decide(secondary, history, now, 0).wait_ms, 480'000);
  history.waited_ms = retry_budget_ms;
  EXPECT_EQ(decide(secondary, history, now, 0).step, Step::give_up);
  EXPECT_EQ(first(answer(429)).wait_ms, 60'000);
}

TEST(Retry, DenialsAreTriedOnceMore) {
  for (const int status : {401, 403, 404}) {
    RetryHistory history;
    const RetryDecision again = decide(answer(status), history, now, 0);
    EXPECT_EQ(again.step, Step::again);
    EXPECT_EQ(again.wait_ms, 2000);
    EXPECT_EQ(decide(answer(status), history, now, 0).step, Step::give_up);
  }
}

TEST(Retry, NoAnswerIsTriedFiveTimes) {
  for (const int status : {0, 500, 502, 503, 504}) {
    RetryHistory history;
    for (const std::int64_t wait : {3000, 4500, 6750, 10125}) {
      const RetryDecision decision = decide(answer(status), history, now, 0);
      EXPECT_EQ(decision.step, Step::again);
      EXPECT_EQ(decision.wait_ms, wait);
      EXPECT_TRUE(decision.perhaps_done);
    }
    EXPECT_EQ(decide(answer(status), history, now, 0).step, Step::give_up);
  }
}

TEST(Retry, JitterAddsLessThanASecond) {
  RetryHistory history;
  EXPECT_EQ(decide(answer(500), history, now, 0.999).wait_ms, 3999);
}

TEST(Retry, OurOwnMistakesAreNeverRepeated) {
  for (const int status : {400, 409, 410, 422, 451}) {
    EXPECT_EQ(first(answer(status)).step, Step::give_up) << status;
  }
  Answer large = answer(0);
  large.too_large = true;
  EXPECT_EQ(first(large).step, Step::give_up);
}

}  // namespace
}  // namespace gate
