// Files of other tools: places in JSON, what a definition may say, traced sizes in plans.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "gate/base/files.h"
#include "gate/cases/plan.h"
#include "gate/intake/definition.h"
#include "gate/spec/read.h"
#include "gate/spec/traced.h"

namespace gate {
namespace {

const char* const nested = R"({"a": [1, {"b\"c": "x, ]"},
        [2, {"d": {"e": null}}]],
 "f": -1.5e3, "g": true})";

TEST(JsonSource, every_value_has_its_place) {
  const auto source = read_json_source(nested, "n.json", 10);
  ASSERT_TRUE(source);
  const auto at = [&](const JsonPath& path) {
    const Place place = source->place(path);
    return std::pair(place.line, place.column);
  };
  EXPECT_EQ(at({}), (std::pair{10, 1}));
  EXPECT_EQ(at({"a", "1"}), (std::pair{10, 11}));
  EXPECT_EQ(at({"a", "2", "1", "d", "e"}), (std::pair{11, 25}));
  EXPECT_EQ(at({"f"}), (std::pair{12, 7}));
  EXPECT_EQ(at({"g"}), (std::pair{12, 20}));
  EXPECT_EQ(at({"a", "7"}), at({"a"})) << "the nearest one around it";
}

TEST(JsonSource, damaged_text_says_where) {
  for (const auto& [text, line, column] :
       {std::tuple{"{\n \"a\": 1,,", 2, 9}, {"", 1, 1}, {"[1, 2", 1, 6}}) {
    const auto source = read_json_source(text, "n.json");
    ASSERT_FALSE(source);
    EXPECT_EQ(source.failure().problems[0].place.line, line) << text;
    EXPECT_EQ(source.failure().problems[0].place.column, column) << text;
  }
}

TEST(Definition, constraints_over_tensors_are_noted_and_scalars_come_from_workloads) {
  const auto source = read_json_source(
      R"j({"name": "d", "axes": {"n": {"type": "var"}, "m": {"type": "const", "value": 6}},
          "constraints": ["n == p[-1].item()", "n // 2 >= m and n % 2 == 0"],
          "inputs": {"p": {"shape": ["n"], "dtype": "int32"}, "s": {"shape": null, "dtype":
          "float32"}}, "outputs": {"y": {"shape": ["n", "m"], "dtype": "bfloat16"}},
          "reference": "def run(p, s):\n    return p"})j",
      "d.json");
ASSERT_TRUE(source);
const auto read = read_definition(*source, {{"s", {0.125, 2}}}, {{"n", 9000}});
ASSERT_TRUE(read) << to_text(read.failure());
EXPECT_EQ(read->op.constraints, (std::vector<std::string>{"n / 2 >= m and n % 2 == 0"}));
EXPECT_EQ(read->op.attributes[0].values, "0.125, 2.0");
EXPECT_EQ(read->op.axes[0].max, 9000);
EXPECT_EQ(read->op.columns, (std::vector<std::string>{"bf16"}));
ASSERT_EQ(read->notes.size(), 2u);
EXPECT_NE(read->notes[1].find("p[-1]"), std::string::npos);
EXPECT_TRUE(parse_op(to_toml(read->op, {}), "op.toml"));
}

constexpr const char* traced_schema = R"([op]
name = "t"
summary = "t"
[axes]
rows = { min = 1, max = 64 }
cols = 16
[columns]
f32 = { x = "f32", y = "f32" }
[inputs.x]
shape = ["rows", "cols"]
values = ["normal"]
[outputs.y]
shape = ["rows", "cols"]
[contract]
constraints = ["rows % 3 == 0"]
[attributes]
eps = { type = "f32", default = 1e-5, values = [1e-6, 1e-5] }
[fixed_shape]
rows = 6
cols = 16
)";

TEST(Traced, says_what_the_op_excludes_and_reads_back) {
  const auto op = parse_op(traced_schema, "op.toml");
  ASSERT_TRUE(op);
  const auto fine = parse_traced("[[workload]]\nrows = 9\neps = 1e-6\n", "traced.toml", *op);
  ASSERT_TRUE(fine) << to_text(fine.failure());
  EXPECT_EQ(fine->front().axes, (IntegerValues{{"rows", 9}, {"cols", 16}}));
  const auto again = parse_traced(to_toml(*fine), "traced.toml", *op);
  ASSERT_TRUE(again) << to_text(again.failure());
  EXPECT_EQ(*again, *fine);
  for (const auto& [text, said] :
       {std::pair{"[[workload]]\nrows = 99\n", "traced.toml:2:8: error: rows = 99 is not legal"},
        {"[[workload]]\nrows = 8\n", "does not meet the op's constraint rows % 3 == 0"},
        {"[[workload]]\nrows = 9\neps = 0.5\n", "a value that op.toml does not list"},
        {"[[workload]]\nrows = 9\nrow = 1\n", "row"},
        {"[[workload]]\n", "rows"}}) {
    const auto read = parse_traced(text, "traced.toml", *op);
    ASSERT_FALSE(read) << text;
    EXPECT_NE(to_text(read.failure()).find(said), std::string::npos) << to_text(read.failure());
  }
}

TEST(Traced, plans_draw_cases_at_traced_sizes_within_the_caps) {
  auto folder = TemporaryFolder::create("traced-");
  ASSERT_TRUE(folder);
  auto op = parse_op(traced_schema, "op.toml");
  ASSERT_TRUE(op);
  op->folder = folder->path();
  KernelSpec kernel;
  kernel.name = "k";
  kernel.entry["f32"] = "k";
  PlanOptions options{1, "host", {}};
  options.profile.entries = 40;
  options.profile.caps["host"].elements_max = 500;
  const auto strategies = [&] { return applicable_strategies(*op, kernel, "f32", options); };
  const auto has = [&] {
    const auto names = strategies();
    return std::find(names.begin(), names.end(), "traced") != names.end();
  };
  EXPECT_FALSE(has());
  ASSERT_TRUE(write_file(folder->path() / traced_file_name,
                         "[[workload]]\nrows = 21\n[[workload]]\nrows = 60\n"
                         "[[workload]]\nrows = 12\neps = 1e-6\n"));
  EXPECT_TRUE(has());
  std::map<std::int64_t, int> sizes;
  for (const Entry& entry : make_plan(*op, kernel, "f32", options)) {
    if (entry.strategy == "traced") ++sizes[entry.test_case.axes.at("rows")];
  }
  EXPECT_GT(sizes[21], 0);
  EXPECT_GT(sizes[12], 0);
  EXPECT_EQ(sizes.size(), 2u) << "60 x 16 is beyond the caps";
}

}  // namespace
}  // namespace gate
