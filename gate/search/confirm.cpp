// Confirming failures: k of N in fresh workers.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/confirm.h"

#include <utility>

#include "gate/search/shrink_core.h"
#include "gate/worker/worker_stock.h"

namespace gate {
namespace {

/// Whether what follows in the same worker is as good as in a fresh one.
bool leaves_worker_whole(Kind kind) {
  switch (kind) {
    case Kind::pass:
    case Kind::wrong:
    case Kind::nonfinite:
    case Kind::law_broken:
    case Kind::nondeterministic:
    case Kind::unwritten:
      return true;
    default:
      return false;
  }
}

}  // namespace

void confirm(Executor& executor, RawFailure& failure, int attempts) {
  confirm_all(executor, {&failure}, attempts);
}

void confirm_all(Executor& executor, const std::vector<RawFailure*>& failures, int attempts) {
  for (int i = 0; i < attempts; ++i) {
    executor.prepare_restarts(attempts - i);
    bool fresh = false;
    for (RawFailure* failure : failures) {
      if (!fresh) executor.restart();
      Judged again = failure->shrunk;
      again.verdict = executor.execute_again(failure->shrunk.test_case);
      ++failure->attempts;
      if (same_kind(again, failure->shrunk)) ++failure->confirmed;
      fresh = leaves_worker_whole(again.verdict.kind);
    }
  }
}

Confirmers::Confirmers(Executor& executor, SessionOptions options, Profile profile)
    : executor_(executor), options_(std::move(options)), profile_(std::move(profile)) {}

void Confirmers::confirm(RawFailure& failure, int attempts) {
  const bool worth_keeping =
      starts_slowly(executor_.target().device) && leaves_worker_whole(failure.shrunk.verdict.kind);
  if (!worth_keeping) return gate::confirm(executor_, failure, attempts);
  executor_.prepare_restarts(attempts - static_cast<int>(kept_.size()));
  bool as_good_as_fresh = true;
  for (int i = 0; i < attempts; ++i) {
    if (i == static_cast<int>(kept_.size())) {
      kept_.push_back(
          std::make_unique<Executor>(executor_.target(), executor_.build(), options_, profile_));
    }
    Judged again = failure.shrunk;
    again.verdict = kept_[static_cast<std::size_t>(i)]->execute_again(failure.shrunk.test_case);
    ++failure.attempts;
    const bool confirmed = same_kind(again, failure.shrunk);
    if (confirmed) ++failure.confirmed;
    as_good_as_fresh = as_good_as_fresh && confirmed;
  }
  if (!as_good_as_fresh) kept_.clear();
}

}  // namespace gate
