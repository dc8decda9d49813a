// Tests as somebody writes them for launchers and kernel files of their own.
// SPDX-License-Identifier: Apache-2.0
#include <gate/testing.h>

#include <cmath>
#include <cstdint>
#include <vector>

namespace {

/// Softmax of rows; `tail` leaves out what is behind the last whole 64 columns.
void softmax_rows(const gate::testing::Call& call, bool tail) {
  const auto* x = call.data<const float>("x");
  auto* y = call.data<float>("y");
  const std::int64_t rows = call.axis("rows"), cols = call.axis("cols");
  const std::int64_t summed = tail || cols < 64 ? cols : cols / 64 * 64;
  for (std::int64_t r = 0; r < rows; ++r) {
    const auto at = [&](std::int64_t c) {
      return x[r * call.stride("x", 0) + c * call.stride("x", 1)];
    };
    float top = -INFINITY, sum = 0;
    for (std::int64_t c = 0; c < cols; ++c) top = std::fmax(top, at(c));
    for (std::int64_t c = 0; c < cols; ++c) top = std::isnan(at(c)) ? NAN : top;
    for (std::int64_t c = 0; c < summed; ++c) sum += std::exp(at(c) - top);
    for (std::int64_t c = 0; c < cols; ++c) {
      y[r * call.stride("y", 0) + c * call.stride("y", 1)] = std::exp(at(c) - top) / sum;
    }
  }
}

gate::testing::Check softmax(bool tail) {
  gate::testing::Check check;
  check.op = "softmax";
  check.name = tail ? "softmax" : "softmax_no_tail";
  check.launcher = [tail](const gate::testing::Call& call) { softmax_rows(call, tail); };
  return check;
}

TEST(Softmax, launcher) { EXPECT_TRUE(gate::testing::holds(softmax(true))); }
TEST(Softmax, launcher_without_tail) { EXPECT_TRUE(gate::testing::holds(softmax(false))); }

TEST(Relu, writes_past_the_end) {
  gate::testing::Check check;
  check.op = "relu";
  check.contiguous = true;
  check.launcher = [](const gate::testing::Call& call) {
    const auto* x = call.data<const float>("x");
    auto* y = call.data<float>("y");
    const std::int64_t count = call.axis("rows") * call.axis("cols");
    for (std::int64_t i = 0; i < (count + 3) / 4 * 4; ++i) {
      y[i] = i >= count || x[i] < 0 ? 0 : x[i];  // whole vectors of 4
    }
  };
  EXPECT_TRUE(gate::testing::holds(check));
}

TEST(Relu, asks_for_a_tensor_that_is_not_there) {
  gate::testing::Check check;
  check.op = "relu";
  check.launcher = [](const gate::testing::Call& call) { call.data<float>("input"); };
  EXPECT_DEATH(gate::testing::holds(check), "what the op does not have: tensor input");
}

TEST(Relu, throws) {
  gate::testing::Check check;
  check.op = "relu";
  check.launcher = [](const gate::testing::Call&) { std::vector<int>().at(3); };
  EXPECT_TRUE(gate::testing::holds(check));
}

TEST(KernelFile, clean) {
  EXPECT_TRUE(gate::testing::kernel_is_clean(CONSUMER_FOLDER "/kernels/row_softmax.toml",
                                             "--device emu --cases 12"));
}
TEST(KernelFile, missing) { EXPECT_TRUE(gate::testing::kernel_is_clean("nowhere.toml")); }

}  // namespace
