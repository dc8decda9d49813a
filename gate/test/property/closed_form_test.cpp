// Closed forms beside the propagation of every single operation, and the two instantiations of
// every bundled reference beside each other.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>

#include "gate/base/random.h"
#include "gate/reference/glue.h"
#include "gate/test/property/bundled_op.h"
#include "gate/test/property/correct_sums.h"
#include "gate/test/unit/reference_fixture.h"

namespace gate {
namespace {

using reference_test::entry;
using reference_test::row_trial;

std::vector<double> drawn_row(std::uint64_t key, std::size_t count, double offset) {
  RandomStream random(key, count);
  std::vector<double> row;
  for (std::size_t i = 0; i < count; ++i) {
    row.push_back(static_cast<float>(offset + 4 * random.unit() - 2));
  }
  return row;
}

/// A plain sum in order: each addition tracked by itself.
template <class S, class Row, class Term>
S propagated_sum(const Row& row, Term term) {
  S total = term(row[0]);
  for (std::int64_t i = 1; i < row.size(); ++i) total = total + term(row[i]);
  return total;
}

struct SoftmaxClosed {
  template <class S>
  void operator()(const Context<S>& c) const {
    c.output("y").set_row(softmax(c, c.input("x").row(0)), 0);
  }
};
struct SoftmaxPropagated {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    S largest = row[0];
    for (std::int64_t i = 1; i < row.size(); ++i) largest = gate::max(largest, row[i]);
    const auto term = [&](const S& x) { return gate::exp(x - largest); };
    const S total = propagated_sum<S>(row, term);
    for (std::int64_t i = 0; i < row.size(); ++i) c.output("y")[i] = term(row[i]) / total;
  }
};
struct LayerNormClosed {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    const Moments<S> m = moments(c, row, 1e-5);
    for (std::int64_t i = 0; i < row.size(); ++i) c.output("y")[i] = (row[i] - m.mean) * m.scale;
  }
};
struct LayerNormPropagated {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    const S count = static_cast<double>(row.size());
    const S mean = propagated_sum<S>(row, [](const S& x) { return x; }) / count;
    const S squares = propagated_sum<S>(row, [&](const S& x) { return (x - mean) * (x - mean); });
    const S scale = gate::rsqrt(squares / count + S(1e-5));
    for (std::int64_t i = 0; i < row.size(); ++i) c.output("y")[i] = (row[i] - mean) * scale;
  }
};
struct RmsNormClosed {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    const S scale = rms_scale(c, row, 1e-5);
    for (std::int64_t i = 0; i < row.size(); ++i) c.output("y")[i] = row[i] * scale;
  }
};
struct RmsNormPropagated {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    const S count = static_cast<double>(row.size());
    const S squares = propagated_sum<S>(row, [](const S& x) { return x * x; });
    const S scale = gate::rsqrt(squares / count + S(1e-5));
    for (std::int64_t i = 0; i < row.size(); ++i) c.output("y")[i] = row[i] * scale;
  }
};
struct DotClosed {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    for (std::int64_t i = 0; i < row.size(); ++i) c.output("y")[i] = dot(c, row, row);
  }
};
struct DotPropagated {
  template <class S>
  void operator()(const Context<S>& c) const {
    const auto row = c.input("x").row(0);
    const S total = propagated_sum<S>(row, [](const S& x) { return x * x; });
    for (std::int64_t i = 0; i < row.size(); ++i) c.output("y")[i] = total;
  }
};

struct Pair {
  const char* name;
  PluginEntry closed, propagated;
};
const Pair pairs[] = {
    {"softmax", entry<Tracked, SoftmaxClosed>, entry<Tracked, SoftmaxPropagated>},
    {"layernorm", entry<Tracked, LayerNormClosed>, entry<Tracked, LayerNormPropagated>},
    {"rmsnorm", entry<Tracked, RmsNormClosed>, entry<Tracked, RmsNormPropagated>},
    {"dot", entry<Tracked, DotClosed>, entry<Tracked, DotPropagated>},
};

TEST(ClosedForms, AgreeWithPropagationOnShortRows) {
  for (const Pair& pair : pairs) {
    for (const std::size_t count : {3u, 17u}) {
      const auto row = drawn_row(count, count, 0);
      const auto closed = row_trial(row).run(pair.closed);
      const auto propagated = row_trial(row).run(pair.propagated);
      for (std::size_t i = 0; i < count; ++i) {
        EXPECT_NEAR(closed.value[i], propagated.value[i], 1e-13);
        const double ratio = closed.envelope[i] / propagated.envelope[i];
        EXPECT_LT(ratio, 8) << pair.name << ' ' << count;
        EXPECT_GT(ratio, 0.2) << pair.name << ' ' << count;
      }
    }
  }
}

TEST(ClosedForms, GrowWithTheRootOfTheLengthWherePropagationGrowsWithIt) {
  for (const Pair& pair : pairs) {
    const auto row = drawn_row(9, 4096, 1);
    const double closed = row_trial(row).run(pair.closed).envelope[5];
    const double propagated = row_trial(row).run(pair.propagated).envelope[5];
    EXPECT_LT(closed, propagated / 4) << pair.name;
  }
}

TEST(Instantiations, AgreeInValueOnEveryBundledOp) {
  for (const ReferenceRow* row : reference_table()) {
    const OpSchema op = bundled_op(row->op);
    for (const std::string& column : op.columns) {
      for (const Case& value : sample_cases(op, column, {2, 33, 5})) {
        const Result<Done> valid = validate(value, op, nullptr);
        ASSERT_TRUE(valid) << to_text(value) << "\n" << (valid ? "" : to_text(valid.failure()));
        const Inputs inputs = make_inputs(value, op, nullptr);
        const Expected tracked = row->tracked(inputs, op, column);
        const Expected plain = row->plain(inputs, op, column);
        ASSERT_EQ(tracked.outputs.size(), plain.outputs.size());
        for (std::size_t k = 0; k < plain.outputs.size(); ++k) {
          const auto& a = tracked.outputs[k].value;
          const auto& b = plain.outputs[k].value;
          ASSERT_EQ(a.size(), b.size());
          for (std::size_t i = 0; i < a.size(); ++i) {
            ASSERT_TRUE(a[i] == b[i] || (std::isnan(a[i]) && std::isnan(b[i])))
                << to_text(value) << " element " << i << ": " << a[i] << " and " << b[i];
            ASSERT_EQ(plain.outputs[k].envelope[i], 0);
            ASSERT_GE(tracked.outputs[k].envelope[i], 0);
          }
        }
      }
    }
  }
}

struct SumOnly {
  template <class S>
  void operator()(const Context<S>& c) const {
    c.output("y")[0] = sum(c, c.input("x").row(0));
  }
};

/// Long sums of one sign bias every addition the same way: the root law must still hold.
TEST(LongReductions, SameSignSerialSumsStayWithinTheEnvelope) {
  for (const std::size_t count : {40'000u, 400'000u}) {
    RandomStream random(3, count);
    std::vector<double> row;
    std::vector<float> terms;
    for (std::size_t i = 0; i < count; ++i) {
      row.push_back(static_cast<float>(random.unit()));
      terms.push_back(static_cast<float>(row.back()));
    }
    auto trial = row_trial(row);
    trial.output_shape = {1};
    const auto y = trial.run(entry<Tracked, SumOnly>);
    for (const correct::Adding adding : correct::all_addings) {
      const double got = correct::add_up(adding, terms);
      EXPECT_LE(std::abs(got - y.value[0]), y.envelope[0] + 0x1p-24 * y.value[0])
          << correct::name(adding) << ' ' << count;
    }
  }
}

}  // namespace
}  // namespace gate
