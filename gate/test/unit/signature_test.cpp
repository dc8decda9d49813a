// Entry functions read out of sources, and launches guessed from them.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/signature.h"

#include <gtest/gtest.h>

#include "gate/cli/guess_launch.h"

namespace gate {
namespace {

OpSchema row_op() {
  OpSchema op;
  op.name = "rows";
  op.axes = {{"rows", 1, 8, {}}, {"cols", 1, 8, {}}};
  op.columns = {"f32", "f16"};
  op.dtypes = {{"f32", {{"x", DType::f32}, {"y", DType::f32}}},
               {"f16", {{"x", DType::f16}, {"y", DType::f16}}}};
  TensorSchema x, y;
  x.name = "x";
  y.name = "y";
  op.inputs = {x};
  op.outputs = {y};
  Attribute eps;
  eps.name = "eps";
  op.attributes = {eps};
  return op;
}

std::vector<std::string> arguments_of(const std::string& source, const std::string& extension) {
  const std::vector<Signature> found = entry_candidates(source, extension);
  if (found.size() != 1) return {"found " + std::to_string(found.size())};
  const auto guessed = guess_arguments(found[0], row_op());
  return guessed ? *guessed : std::vector<std::string>{guessed.failure().problems[0].text};
}

using Texts = std::vector<std::string>;

TEST(Signature, names_decide_before_positions) {
  EXPECT_EQ(arguments_of("extern \"C\" void run(float* y, const float* x, int cols, long rows,"
                         " float eps) {}",
                         ".cpp"),
            (Texts{"y", "x", "cols", "rows:i64", "eps"}));
}

TEST(Signature, unknown_names_are_taken_in_the_op_s_order) {
  EXPECT_EQ(arguments_of("extern \"C\" {\nvoid run(const float* __restrict__ in, float *out, int m,"
                         "\n int n, float e) { if (m) {} }\n}",
                         ".cpp"),
            (Texts{"x", "y", "rows", "cols", "eps"}));
}

TEST(Signature, a_launcher_hides_its_kernel_and_comments_do_not_count) {
  const std::string source =
      "// extern \"C\" void old(float* x);\n"
      "template <typename T>\n__global__ void __launch_bounds__(256) kernel(const T* x, T* y) {}\n"
      "extern \"C\" void launch(const float* x, float* y, int rows, int cols, cudaStream_t s) {}\n";
  const std::vector<Signature> found = entry_candidates(source, ".cu");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].name, "launch");
  EXPECT_FALSE(found[0].is_kernel);
  EXPECT_EQ(found[1].name, "kernel");
  EXPECT_TRUE(found[1].is_kernel);
  EXPECT_TRUE(found[1].is_template);
  EXPECT_EQ(*guess_arguments(found[0], row_op()), (Texts{"x", "y", "rows", "cols", "stream"}));
  EXPECT_EQ(guess_columns(found[0], row_op()), Texts{"f32"});
  EXPECT_EQ(guess_columns(found[1], row_op()), (Texts{"f32", "f16"}));
  EXPECT_EQ(entry_of(found[1], row_op(), "f16"), "kernel<__half>");
}

TEST(Signature, a_kernel_with_c_linkage_is_a_kernel) {
  const auto found = entry_candidates("extern \"C\" __global__ void k(float* x) {}", ".cu");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_TRUE(found[0].is_kernel);
}

TEST(Signature, python_functions_but_no_device_code) {
  const std::string source =
      "import triton\n\n@triton.jit\ndef _k(x, y):\n    pass\n\n\ndef softmax(x, y):\n    pass\n";
  EXPECT_EQ(source_extension(source), ".py");
  EXPECT_EQ(arguments_of(source, ".py"), (Texts{"x", "y"}));
}

TEST(Signature, what_cannot_be_told_is_asked_for) {
  const Texts told = arguments_of("extern \"C\" void run(float* a, float* b, float* c) {}", ".cpp");
  EXPECT_EQ(told, Texts{"run: cannot tell what these parameters are: c"});
}

TEST(Signature, language_of_a_source) {
  EXPECT_EQ(source_extension("__global__ void k() {}"), ".cu");
  EXPECT_EQ(source_extension("extern \"C\" void k() {}"), ".cpp");
}

}  // namespace
}  // namespace gate
