// Softmax, log-softmax and attention primitives: closed forms written out once more, masks, NaN.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/test/unit/reference_fixture.h"

namespace gate {
namespace {

using reference_test::entry;
using reference_test::ReferenceTrial;
using reference_test::row_trial;

constexpr double u = 0x1p-24;

struct Softmax {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    c.output("y").set_row(softmax(c, row), 0);
    if (fully_masked(row)) c.output("y").leave_row_open(0);
  }
};
struct LogSoftmax {
  template <class S>
  void operator()(const Context<S>& c) const {
    c.output("y").set_row(log_softmax(c, c.input("x").row(0)), 0);
  }
};
struct Attention {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto k = c.input("k"), v = c.input("v");
    AttentionKeys<S> keys;
    keys.count = k.shape(0);
    keys.key = [&](std::int64_t j) { return k.row(j); };
    keys.value = [&](std::int64_t j) { return v.row(j); };
    keys.scale = 0.5;
    c.output("y").set_row(attention(c, c.input("q").row(0), keys), 0);
  }
};

TEST(SoftmaxReference, IsTheClosedForm) {
  const std::vector<double> x = {1.5, -2.25, 3.125};
  const auto y = row_trial(x).run(entry<Tracked, Softmax>);
  double total = 0, weighted = 0;
  for (const double v : x) total += std::exp(v - 3.125);
  for (const double v : x) weighted += std::exp(v - 3.125) / total * (std::abs(v) + 3.125 + 4);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double value = std::exp(x[i] - 3.125) / total;
    const double r = u * (1.5 * (std::abs(x[i]) + 3.125 + 4) + 1.5 * weighted) + 3 * u + 4 * u;
    EXPECT_DOUBLE_EQ(y.value[i], value);
    EXPECT_NEAR(y.envelope[i], value * r, 1e-9 * value * r);
  }
}

TEST(SoftmaxReference, MasksWeighExactlyNothing) {
  const auto y = row_trial({-infinity, 0, 0, -infinity}).run(entry<Tracked, Softmax>);
  EXPECT_EQ(y.value[0], 0);
  EXPECT_EQ(y.envelope[0], 0);
  EXPECT_EQ(y.value[1], 0.5);
  const auto open = row_trial({-infinity, -infinity}).run(entry<Tracked, Softmax>);
  EXPECT_EQ(open.free[0], 1);
  EXPECT_EQ(open.free[1], 1);
}

TEST(SoftmaxReference, OneNaNOrInfinitySpreadsOverTheRow) {
  for (const double bad : {std::nan(""), infinity}) {
    const auto y = row_trial({0, bad, 1}).run(entry<Tracked, Softmax>);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_TRUE(std::isnan(y.value[i]));
      EXPECT_EQ(y.free[i], 0);
    }
  }
}

TEST(LogSoftmaxReference, IsTheClosedForm) {
  const std::vector<double> x = {1.5, -2.25, 3.125};
  const auto y = row_trial(x).run(entry<Tracked, LogSoftmax>);
  double total = 0, weighted = 0;
  for (const double v : x) total += std::exp(v - 3.125);
  for (const double v : x) weighted += std::exp(v - 3.125) / total * (std::abs(v) + 3.125 + 4);
  const double l = std::log(total), lse = 3.125 + l;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double envelope =
        u * (std::abs(x[i]) + 3.125 + std::abs(lse) + 2 * std::abs(l)) + 1.5 * u * weighted + 3 * u;
    EXPECT_NEAR(y.value[i], x[i] - lse, 1e-14);
    EXPECT_NEAR(y.envelope[i], envelope, 1e-9 * envelope);
  }
}

ReferenceTrial attention_trial() {
  ReferenceTrial trial;
  trial.inputs = {{"q", {1, 2}, {0.3, -1.7}},
                  {"k", {3, 2}, {0.9, 0.1, -0.6, 0.7, 1.1, -1.3}},
                  {"v", {3, 2}, {0.2, 5.5, -3.3, 0.7, 0.9, -1.1}}};
  trial.output_shape = {1, 2};
  return trial;
}

/// The envelope of oracle.md, 4, one output column.
double attention_envelope(const ReferenceTrial& trial, std::size_t column) {
  const auto& q = trial.inputs[0].values;
  const auto& k = trial.inputs[1].values;
  const auto& v = trial.inputs[2].values;
  const double scale = 0.5, ad = 2 * u, an = 3 * u;
  double s[3], e[3], p[3], m = -infinity, l = 0, e_max = 0;
  for (int j = 0; j < 3; ++j) {
    s[j] = scale * (q[0] * k[2 * j] + q[1] * k[2 * j + 1]);
    e[j] = scale * ad * (std::abs(q[0] * k[2 * j]) + std::abs(q[1] * k[2 * j + 1])) +
           2 * u * std::abs(s[j]);
    if (s[j] > m) m = s[j], e_max = e[j];
  }
  for (const double score : s) l += std::exp(score - m);
  double spread = 0, size = 0, squares = 0, delta_sum = 0, value = 0;
  for (int j = 0; j < 3; ++j) {
    p[j] = std::exp(s[j] - m) / l;
    const double delta = e[j] + e_max + u * (std::abs(s[j]) + std::abs(m) + 4);
    const double x = v[2 * static_cast<std::size_t>(j) + column];
    value += p[j] * x;
    spread += p[j] * std::abs(x) * delta;
    size += p[j] * std::abs(x);
    squares += p[j] * p[j] * x * x;
    delta_sum += p[j] * delta;
  }
  const double stored = trial.arithmetic.stored_unit * std::min(size, 6 * std::sqrt(squares));
  return spread + stored + an * size + std::abs(value) * (delta_sum + an);
}

TEST(AttentionReference, IsTheClosedForm) {
  for (const double stored : {0.0, 0x1p-8}) {
    ReferenceTrial trial = attention_trial();
    trial.arithmetic.stored_unit = stored;
    const auto y = trial.run(entry<Tracked, Attention>);
    for (std::size_t d = 0; d < 2; ++d) {
      const double envelope = attention_envelope(trial, d);
      EXPECT_NEAR(y.envelope[d], envelope, 1e-5 * envelope);
    }
  }
}

TEST(AttentionReference, InfiniteValuesAreJudgedOnlyWhereTheirWeightIsSure) {
  ReferenceTrial trial = attention_trial();
  trial.inputs[2].values[1] = infinity;
  auto y = trial.run(entry<Tracked, Attention>);
  EXPECT_EQ(y.value[1], infinity);
  EXPECT_EQ(y.free[1], 0);
  EXPECT_TRUE(std::isfinite(y.envelope[0]));
  // A weight that underflows in f32: infinity here, NaN there.
  trial.inputs[1].values[0] = -2000;
  y = trial.run(entry<Tracked, Attention>);
  EXPECT_EQ(y.free[1], 1);
}

TEST(AttentionReference, LostScoresMakeTheRowUnknown) {
  ReferenceTrial trial = attention_trial();
  trial.inputs[0].values = {1e30, -1e30};
  trial.inputs[1].values[0] = 1e30;
  const auto y = trial.run(entry<Tracked, Attention>);
  EXPECT_EQ(y.envelope[0], infinity);
}

struct WrongName {
  template <class S>
  void operator()(const Context<S>& c) const {
    const S nothing = c.input("nothing")(0, 0);
    const S none = c.attribute("none");
    c.output("y")[0] = nothing + none + c.input("x")(0, 7);
  }
};
struct WrongIndex {
  template <class S>
  void operator()(const Context<S>& c) const {
    c.output("y")(0, 7) = c.input("x")(0, 0);
  }
};

TEST(ReferenceCode, MistakesAreTold) {
  auto trial = row_trial({1, 2});
  trial.run(entry<Tracked, WrongName>);
  EXPECT_EQ(trial.mistake, "no input 'nothing'");
  trial.run(entry<double, WrongIndex>);
  EXPECT_EQ(trial.mistake, "index outside of 'y'");
  trial.run(entry<double, Softmax>);
  EXPECT_EQ(trial.mistake, "");
}

}  // namespace
}  // namespace gate
