// References of ops outside the source tree: built, loaded and asked in a worker of their own.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/plugin.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "gate/base/files.h"
#include "gate/cases/inputs.h"
#include "gate/spec/read.h"
#include "gate/test/property/bundled_op.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

/// A folder with an op.toml and a reference.cpp of its own.
struct OwnOp {
  TemporaryFolder folder;
  OpSchema op;
};

OwnOp own_op(const std::string& schema, const std::string& reference) {
  auto folder = TemporaryFolder::create("own-op");
  EXPECT_TRUE(folder);
  const fs::path own = folder->path() / "own";
  fs::create_directory(own);
  EXPECT_TRUE(write_file(own / "reference.cpp", reference));
  auto op = parse_op(schema, own / "op.toml");
  EXPECT_TRUE(op) << to_text(op.failure());
  op->folder = own;
  op->bundled = false;
  return {std::move(*folder), *op};
}

constexpr const char* schema_of_own = R"(
[op]
name = "own"
summary = "test"
[axes]
rows = { min = 1, max = 64 }
cols = { min = 1, max = 64 }
[columns]
f32 = { x = "f32", y = "f32", i = "i32" }
[inputs.x]
shape = ["rows", "cols"]
layout = ["contiguous", "row_pitch"]
values = ["normal", "ties", "nan"]
[outputs.y]
shape = ["rows", "cols"]
[outputs.i]
shape = ["rows"]
[attributes]
slope = { type = "f32", default = 0.1, values = [0.1, 0.25] }
upward = { type = "bool", default = true, values = [true, false] }
[contract]
nan = "parity"
[fixed_shape]
rows = 4
cols = 8
)";

constexpr const char* reference_of_own = R"(
#include "gate/reference/reference.h"
namespace {
template <class S>
void reference(const gate::Context<S>& c) {
  const auto x = c.input("x");
  const auto y = c.output("y");
  const auto index = c.output("i");
  for (long r = 0; r < c.axis("rows"); ++r) {
    long best = 0;
    for (long i = 0; i < c.axis("cols"); ++i) {
      y(r, i) = gate::exp(x(r, i) * S(c.attribute("slope")));
      if (gate::value_of(x(r, i)) > gate::value_of(x(r, best))) best = i;
    }
    index.set_integer(r, c.flag("upward") ? best : -best);
    if (r == 0 && c.axis("cols") > 1) index.also(r, 1234567890123);
    if (r == 1) index.leave_open(r);
  }
}
}
)";

Case own_case() {
  Case value;
  value.op = "own";
  value.column = "f32";
  value.axes = {{"rows", 3}, {"cols", 5}};
  value.attributes = {{"slope", 0.1}, {"upward", std::int64_t{0}}};
  value.tensors["x"].profile = "normal@1";
  value.tensors["x"].layout = "row_pitch";
  value.tensors["x"].padding = 3;
  value.tensors["y"] = {};
  value.tensors["i"] = {};
  value.key = 11;
  return value;
}

struct Answer {
  Outcome outcome;
  Result<Expected> expected = user_failure("not asked");
};

Answer ask(const OpSchema& op, const Case& value) {
  Answer answer;
  const BuildOutcome built = build_kernel(op, plugin_kernel(op), value.column, "reference");
  if (built.kind != Kind::pass) {
    answer.outcome.end = built.kind;
    answer.outcome.text = built.text;
    return answer;
  }
  Session session(built.image, {});
  Job job;
  job.inputs = plugin_inputs(make_inputs(value, op, nullptr), op, value.column);
  answer.outcome = session.run(job);
  if (answer.outcome.end == Kind::pass) {
    answer.expected = plugin_expected(answer.outcome.after, op);
  }
  return answer;
}

TEST(Plugin, AnswersAsTheSameReferenceCompiledIn) {
  for (const std::string name : {"softmax", "leaky_relu", "attention"}) {
    OpSchema op = bundled_op(name);
    const auto folder = TemporaryFolder::create("plugin");
    ASSERT_TRUE(folder);
    fs::copy_file(op.folder / "reference.cpp", folder->path() / "reference.cpp");
    OpSchema own = op;
    own.folder = folder->path();
    own.bundled = false;
    for (const std::string& column : op.columns) {
      const std::vector<Case> cases = sample_cases(op, column, {3, 17, 4});
      const Answer answer = ask(own, cases.front());
      ASSERT_EQ(answer.outcome.end, Kind::pass) << answer.outcome.text;
      ASSERT_TRUE(answer.expected);
      const Expected want = compute_expected(make_inputs(cases.front(), op, nullptr), op, column);
      EXPECT_EQ(answer.expected->outputs[0].value, want.outputs[0].value);
      EXPECT_EQ(answer.expected->outputs[0].envelope, want.outputs[0].envelope);
      EXPECT_EQ(answer.expected->outputs[0].free, want.outputs[0].free);
    }
  }
}

TEST(Plugin, CarriesIntegersTiesAndOpenElements) {
  const OwnOp own = own_op(schema_of_own, reference_of_own);
  const Answer answer = ask(own.op, own_case());
  ASSERT_EQ(answer.outcome.end, Kind::pass) << answer.outcome.text;
  ASSERT_TRUE(answer.expected);
  const Inputs inputs = make_inputs(own_case(), own.op, nullptr);
  const Tensor& x = *find_tensor(inputs, "x");
  const ExpectedTensor& y = answer.expected->outputs[0];
  const double slope = static_cast<float>(0.1);
  for (std::size_t i = 0; i < y.value.size(); ++i) {
    EXPECT_EQ(y.value[i], std::exp(x.at(static_cast<std::int64_t>(i)) * slope));
    EXPECT_GT(y.envelope[i], 0);
  }
  const ExpectedTensor& index = answer.expected->outputs[1];
  ASSERT_EQ(index.integers.size(), 3u);
  for (std::int64_t r = 0; r < 3; ++r) {
    std::int64_t best = 0;
    for (std::int64_t i = 1; i < 5; ++i) {
      if (x.at(r * 5 + i) > x.at(r * 5 + best)) best = i;
    }
    EXPECT_EQ(index.integers[static_cast<std::size_t>(r)], -best);
  }
  EXPECT_EQ(index.also.at(0), std::vector<std::int64_t>{1234567890123});
  EXPECT_EQ(index.also.size(), 1u);
  EXPECT_EQ(index.free, (std::vector<std::uint8_t>{0, 1, 0}));
}

TEST(Plugin, ShowsTheCompilersMessage) {
  const OwnOp own = own_op(schema_of_own, R"(
#include "gate/reference/reference.h"
namespace {
template <class S>
void reference(const gate::Context<S>& c) {
  c.output("y")(0, 0) = this_name_is_unknown;
}
})");
  const Answer answer = ask(own.op, own_case());
  EXPECT_EQ(answer.outcome.end, Kind::build_failed);
  EXPECT_NE(answer.outcome.text.find("this_name_is_unknown"), std::string::npos);
  EXPECT_NE(answer.outcome.text.find("reference.cpp:6"), std::string::npos) << answer.outcome.text;
}

std::string one_line_reference(const std::string& line) {
  return "#include \"gate/reference/reference.h\"\n#include <stdexcept>\nnamespace {\n"
         "template <class S>\nvoid reference(const gate::Context<S>& c) {\n  " +
         line + "\n}\n}\n";
}

TEST(Plugin, MistakesExceptionsAndCrashesAreTheReferencesOwn) {
  const OwnOp named = own_op(schema_of_own, one_line_reference("c.output(\"z\")(0, 0) = S(1);"));
  Answer answer = ask(named.op, own_case());
  EXPECT_EQ(answer.outcome.end, Kind::crash);
  EXPECT_NE(answer.outcome.text.find("no output 'z'"), std::string::npos) << answer.outcome.text;
  const OwnOp thrown =
      own_op(schema_of_own, one_line_reference("throw std::runtime_error(\"own words\");"));
  answer = ask(thrown.op, own_case());
  EXPECT_EQ(answer.outcome.end, Kind::crash);
  EXPECT_NE(answer.outcome.text.find("own words"), std::string::npos) << answer.outcome.text;
  const OwnOp killed = own_op(schema_of_own, one_line_reference("__builtin_trap();"));
  answer = ask(killed.op, own_case());
  EXPECT_EQ(answer.outcome.end, Kind::crash) << answer.outcome.text;
}

TEST(Plugin, AnswersMustBeWhole) {
  const OpSchema op = bundled_op("softmax");
  EXPECT_FALSE(plugin_expected({}, op));
}

TEST(Plugin, ArithmeticSurvivesTheWayThere) {
  Arithmetic a;
  a.unit = 0x1p-11;
  a.stored_unit = 0x1p-8;
  a.stored_underflow = 0x1p-25;
  a.input_rounding = 0x1p-11;
  a.flush = 0x1p-126;
  a.matrix_unit = MatrixUnit::tensor_core;
  a.fast_math = 1;
  std::map<std::string, Scalar> scalars;
  write_arithmetic(a, scalars);
  const Arithmetic b = read_arithmetic(scalars);
  EXPECT_EQ(b.unit, a.unit);
  EXPECT_EQ(b.largest, a.largest);
  EXPECT_EQ(b.underflow, a.underflow);
  EXPECT_EQ(b.flush, a.flush);
  EXPECT_EQ(b.stored_unit, a.stored_unit);
  EXPECT_EQ(b.stored_underflow, a.stored_underflow);
  EXPECT_EQ(b.input_rounding, a.input_rounding);
  EXPECT_EQ(b.matrix_unit, a.matrix_unit);
  EXPECT_EQ(b.fast_math, a.fast_math);
}

}  // namespace
}  // namespace gate
