// Confirming the failures of one column where workers are slow to open: which runs meet a fresh
// one. SPDX-License-Identifier: Apache-2.0
#include "gate/search/confirm.h"

#include <gtest/gtest.h>

#include "gate/test/integration/target_fixture.h"

namespace gate {
namespace {

class ConfirmTest : public HostTargets {
 protected:
  /// A softmax in NumPy.
  std::optional<Target> python_target(const std::string& body) {
    kernel_ = from_text("softmax", "");
    kernel_.source.replace_extension(".py");
    kernel_.launch.front().arguments.resize(1);  // x; the output is returned
    EXPECT_TRUE(
        write_file(kernel_.source, "import numpy\nfirst = None\n\ndef kernel(x):\n" + body));
    if (not_selected_reason(kernel_, "python")) return std::nullopt;
    Target target;
    target.op = find_op(catalogue(), "softmax");
    target.kernel = &kernel_;
    target.column = "f32";
    target.device = "python";
    target.tolerance = catalogue().tolerances.at("softmax").rows.at("f32");
    return target;
  }

  static RawFailure wrong(std::int64_t cols) {
    RawFailure failure;
    failure.first.test_case = softmax_case(2, cols);
    failure.first.verdict.kind = Kind::wrong;
    failure.first.verdict.property = "value";
    failure.shrunk = failure.first;
    return failure;
  }

  KernelSpec kernel_;
};

/// Whether a width is the first that a process meets decides whether it is doubled.
std::string doubled_where(const std::string& condition) {
  return R"(
    global first
    first = first or x.shape[1]
    top = numpy.exp(x - x.max(axis=1, keepdims=True))
    y = top / top.sum(axis=1, keepdims=True)
    return (y * 2 if )" +
         condition + R"( else y).astype(x.dtype)
)";
}

TEST_F(ConfirmTest, workers_are_kept_while_they_confirm_and_ended_when_one_does_not) {
  const auto target = python_target(doubled_where("x.shape[1] == first"));
  if (!target) GTEST_SKIP() << "no Python with NumPy here";
  Executor executor(*target, build_kernel(*target->op, kernel_, "f32", "python"), {}, profile());
  Confirmers confirmers(executor, {}, profile());
  const auto confirmed = [&](std::int64_t cols) {
    RawFailure failure = wrong(cols);
    confirmers.confirm(failure, 3);
    EXPECT_EQ(failure.attempts, 3);
    return failure.confirmed;
  };
  EXPECT_EQ(confirmed(5), 3);  // three fresh workers
  EXPECT_EQ(confirmed(6), 0);  // the same three: not their first width
  EXPECT_EQ(confirmed(7), 3);  // those did not confirm, so these are others
}

TEST_F(ConfirmTest, what_only_a_used_worker_shows_is_not_confirmed) {
  const auto target = python_target(doubled_where("x.shape[1] != first"));
  if (!target) GTEST_SKIP() << "no Python with NumPy here";
  Executor executor(*target, build_kernel(*target->op, kernel_, "f32", "python"), {}, profile());
  Confirmers confirmers(executor, {}, profile());
  for (const std::int64_t cols : {5, 6, 7}) {
    RawFailure failure = wrong(cols);
    confirmers.confirm(failure, 3);
    EXPECT_EQ(failure.confirmed, 0) << cols;
  }
}

}  // namespace
}  // namespace gate
