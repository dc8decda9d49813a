// validate: what a case may not be, each with its own message.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <functional>

#include "gate/cases/inputs.h"
#include "gate/test/unit/cases_fixture.h"

namespace gate {
namespace {

using namespace cases_test;

struct Wrong {
  const char* message;
  std::function<void(Case&)> change;
};

std::string problem_after(const OpSchema& op, Case value, const KernelSpec* kernel,
                          const std::function<void(Case&)>& change) {
  change(value);
  const auto result = validate(value, op, kernel);
  return result ? "" : to_text(result.failure());
}

TEST(Validate, NamesWhatIsWrong) {
  const OpSchema op = row_op();
  const Case good = plain_case(op, {{"rows", 2}, {"cols", 8}});
  ASSERT_TRUE(validate(good, op, nullptr));
  const std::vector<Wrong> wrongs = {
      {"expected 'rows'", [](Case& c) { c.op = "columns"; }},
      {"unknown column 'f64'", [](Case& c) { c.column = "f64"; }},
      {"axis rows = 0", [](Case& c) { c.axes["rows"] = 0; }},
      {"axis 'cols' has no size", [](Case& c) { c.axes.erase("cols"); }},
      {"unknown axis 'depth'", [](Case& c) { c.axes["depth"] = 1; }},
      {"unknown attribute 'gain'", [](Case& c) { c.attributes["gain"] = 1.0; }},
      {"'mode' has a value", [](Case& c) { c.attributes["mode"] = std::int64_t{9}; }},
      {"unknown tensor 'z'", [](Case& c) { c.tensors["z"] = {}; }},
      {"layout 'strided' is not one", [](Case& c) { c.tensors["y"].layout = "strided"; }},
      {"padding 0", [](Case& c) { c.tensors["x"].layout = "row_pitch"; }},
      {"unknown value profile", [](Case& c) { c.tensors["x"].profile = "gaussian@1"; }},
      {"not one of its own", [](Case& c) { c.tensors["x"].profile = "saturating@1"; }},
      {"not one of its own", [](Case& c) { c.tensors["x"].profile = "uniform@1"; }},
      {"belongs to the property", [](Case& c) { c.tensors["x"].profile = "nan@1"; }},
      {"element 16",
       [](Case& c) {
         c.tensors["x"].elements = {{16, 0}};
       }},
      {"out of range or order",
       [](Case& c) {
         c.tensors["x"].elements = {{3, 0}, {3, 0}};
       }},
      {"it has no values", [](Case& c) { c.tensors["y"].profile = "normal@1"; }},
  };
  for (const Wrong& wrong : wrongs)
    EXPECT_NE(problem_after(op, good, nullptr, wrong.change).find(wrong.message), std::string::npos)
        << wrong.message << ": " << problem_after(op, good, nullptr, wrong.change);
}

TEST(Validate, SpecialValuesHaveTheirOwnProperty) {
  const OpSchema op = row_op();
  Case value = plain_case(op, {{"rows", 2}, {"cols", 8}});
  value.property = "special";
  value.tensors["x"].profile = "nan@1";
  EXPECT_TRUE(validate(value, op, nullptr));
}

TEST(Validate, KernelsNarrowTheirDomain) {
  const OpSchema op = row_op();
  KernelSpec kernel = kernel_of(op);
  kernel.constraints = {expression("cols % 4 == 0"), expression("x.stride(1) == 1")};
  kernel.alignment = 16;
  const Case good = plain_case(op, {{"rows", 2}, {"cols", 8}});
  ASSERT_TRUE(validate(good, op, &kernel));
  const auto none = [](Case&) {};
  EXPECT_EQ(problem_after(op, good, &kernel, none), "");
  EXPECT_NE(problem_after(op, good, &kernel, [](Case& c) { c.axes["cols"] = 6; }), "");
  EXPECT_NE(problem_after(op, good, &kernel, [](Case& c) { c.tensors["x"].layout = "transposed"; }),
            "");
  EXPECT_NE(problem_after(op, good, &kernel,
                          [](Case& c) {
                            c.tensors["x"].layout = "offset";
                            c.tensors["x"].offset = 1;
                          }),
            "");
}

TEST(Validate, ConstraintsOfTheOpHold) {
  const OpSchema op = heads_op();
  EXPECT_TRUE(validate(plain_case(op, {{"hq", 8}, {"hkv", 2}, {"lq", 3}, {"lk", 3}}), op, nullptr));
  EXPECT_FALSE(
      validate(plain_case(op, {{"hq", 8}, {"hkv", 3}, {"lq", 3}, {"lk", 3}}), op, nullptr));
  EXPECT_FALSE(
      validate(plain_case(op, {{"hq", 8}, {"hkv", 2}, {"lq", 4}, {"lk", 3}}), op, nullptr));
}

}  // namespace
}  // namespace gate
