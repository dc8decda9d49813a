// The first 16 entries of a plan meet the triggers of every class of bug, in 99 of 100 run seeds.
// Triggers are conjunctions over sizes, values, attributes and layouts, as public bugs need them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "gate/cases/inputs.h"
#include "gate/test/unit/cases_fixture.h"

namespace gate {
namespace {

using namespace cases_test;

constexpr int seeds = 100;
constexpr std::size_t opening_entries = 16;

struct Trigger {
  const char* name;
  std::function<bool(const Case&)> met;
};

std::int64_t axis(const Case& value, const char* name) { return value.axes.at(name); }

std::string profile(const Case& value, const char* tensor) {
  const std::string& text = value.tensors.at(tensor).profile;
  return text.substr(0, text.find('@'));
}

bool power_of_two(std::int64_t size) { return (size & (size - 1)) == 0; }

/// Values that show structural faults: not constant, not nearly all zero.
bool telling(const Case& value, const char* tensor) {
  const std::string name = profile(value, tensor);
  return name != "zeros" && name != "constant" && name != "impulse";
}

/// How many of 100 run seeds meet each trigger in the opening of their plan.
void expect_met(const OpSchema& op, const KernelSpec& kernel,
                const std::vector<Trigger>& triggers) {
  std::vector<int> met(triggers.size(), 0);
  for (int seed = 0; seed < seeds; ++seed) {
    const auto plan = make_plan(op, kernel, op.columns.front(),
                                options_of(static_cast<std::uint64_t>(seed) * 7919 + 1));
    const auto end = plan.begin() + static_cast<std::ptrdiff_t>(opening_entries);
    for (std::size_t i = 0; i < triggers.size(); ++i)
      met[i] += std::any_of(plan.begin(), end,
                            [&](const Entry& entry) { return triggers[i].met(entry.test_case); });
  }
  for (std::size_t i = 0; i < triggers.size(); ++i) EXPECT_GE(met[i], 99) << triggers[i].name;
}

TEST(Opening, RowTriggersAreMet) {
  const OpSchema op = row_op();
  KernelSpec kernel = kernel_of(op);
  kernel.tiles = {128};
  const auto cols = [](const Case& c) { return axis(c, "cols"); };
  expect_met(
      op, kernel,
      {
          {"padded lanes: no power of two, telling values",
           [&](const Case& c) { return !power_of_two(cols(c)) && telling(c, "x"); }},
          {"second tile, telling values",
           [&](const Case& c) { return cols(c) > 128 && telling(c, "x"); }},
          {"partial last tile after a whole one",
           [&](const Case& c) { return cols(c) > 128 && cols(c) % 128 != 0 && telling(c, "x"); }},
          {"several rows, several columns",
           [&](const Case& c) { return axis(c, "rows") > 1 && cols(c) > 1 && telling(c, "x"); }},
          {"single column", [&](const Case& c) { return cols(c) == 1; }},
          {"masked leading element",
           [&](const Case& c) { return profile(c, "x") == "neg_inf_holes" && cols(c) > 1; }},
          {"NaN", [&](const Case& c) { return profile(c, "x") == "nan"; }},
          {"pitched output",
           [&](const Case& c) {
             return c.tensors.at("y").layout == "row_pitch" && axis(c, "rows") > 1 &&
                    telling(c, "x");
           }},
          {"input that is not contiguous",
           [&](const Case& c) {
             return c.tensors.at("x").layout != "contiguous" && axis(c, "rows") > 1 &&
                    cols(c) > 1 && telling(c, "x");
           }},
          {"attribute: one of four specialisations",
           [&](const Case& c) {
             return std::get<std::int64_t>(c.attributes.at("mode")) == 2 && cols(c) > 1 &&
                    telling(c, "x");
           }},
      });
}

TEST(Opening, CoupledAxesAndAttributesAreMet) {
  const OpSchema op = heads_op();
  KernelSpec kernel = kernel_of(op);
  kernel.tiles = {32};
  const auto causal = [](const Case& c) {
    return std::get<std::int64_t>(c.attributes.at("causal")) != 0;
  };
  expect_met(op, kernel,
             {
                 {"causal rectangle",
                  [&](const Case& c) {
                    return causal(c) && axis(c, "lq") != axis(c, "lk") && telling(c, "k");
                  }},
                 {"more than one group of heads, not square",
                  [&](const Case& c) {
                    const std::int64_t ratio = axis(c, "hq") / axis(c, "hkv");
                    return axis(c, "hkv") > 1 && ratio != axis(c, "hkv") && telling(c, "k");
                  }},
                 {"keys beyond one tile with several queries",
                  [&](const Case& c) {
                    return axis(c, "lk") > 48 && axis(c, "lq") > 2 && telling(c, "k");
                  }},
             });
}

TEST(Opening, IndexCardinalitiesAreMet) {
  const OpSchema op = index_op();
  expect_met(op, kernel_of(op),
             {
                 {"colliding indices",
                  [&](const Case& c) {
                    return c.tensors.at("index").profile != "uniform@1" && axis(c, "m") > 8;
                  }},
                 {"the last legal index",
                  [&](const Case& c) {
                    const std::string name = profile(c, "index");
                    return (name == "highest" || name == "edges") && axis(c, "n") > 1;
                  }},
             });
}

TEST(Opening, EveryProfileIsUsedBeforeAnyComesBack) {
  const OpSchema op = row_op();
  for (int seed = 0; seed < 20; ++seed) {
    std::map<std::string, int> uses;
    const auto plan =
        make_plan(op, kernel_of(op), "f32", options_of(static_cast<std::uint64_t>(seed)));
    for (const Entry& entry : plan)
      if (entry.strategy != "exact") ++uses[profile(entry.test_case, "x")];
    int least = 1000, most = 0;
    for (const std::string& name : op.inputs.front().profiles) {
      if (name == "normal" || find_profile(name)->special) continue;
      least = std::min(least, uses[name]);
      most = std::max(most, uses[name]);
    }
    EXPECT_LE(most - least, 2) << "seed " << seed;
    EXPECT_GE(least, 2) << "seed " << seed;
  }
}

TEST(Opening, SizesGoThroughEveryMagnitude) {
  const OpSchema op = row_op();
  for (int seed = 0; seed < 20; ++seed) {
    std::set<int> magnitudes;
    const auto plan =
        make_plan(op, kernel_of(op), "f32", options_of(static_cast<std::uint64_t>(seed)));
    for (const Entry& entry : plan) {
      int magnitude = 0;
      for (std::int64_t size = entry.test_case.axes.at("cols"); size > 1; size /= 4) ++magnitude;
      magnitudes.insert(magnitude);
    }
    EXPECT_GE(magnitudes.size(), 7u) << "seed " << seed;
  }
}

}  // namespace
}  // namespace gate
