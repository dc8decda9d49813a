// Signatures of C++ and Python sources, words of names, drafts as TOML.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/intake/draft.h"
#include "gate/intake/guess_op.h"
#include "gate/intake/names.h"
#include "gate/intake/recognise.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

SourceReading read(const std::string& text, const std::string& file = "a.cu") {
  auto reading = read_source(text, file);
  EXPECT_TRUE(reading) << (reading ? "" : to_text(reading.failure()));
  return reading ? *std::move(reading) : SourceReading{};
}

TEST(IntakeSource, reads_a_kernel_with_templates_bounds_and_qualifiers) {
  const SourceReading source = read(
      "#include <cuda_fp16.h>\n"
      "namespace mine {\n"
      "__device__ float part(const float* x) { return x[0]; }\n"
      "template <typename T, int BLOCK = 128>\n"
      "__global__ void __launch_bounds__(BLOCK)\n"
      "rows(const T* __restrict__ x, T* y, int64_t cols, float eps = 1e-5f) {\n"
      "  int i = blockIdx.x * BLOCK + threadIdx.x;\n"
      "  if (i < cols) y[i] = x[i];\n"
      "}\n}\n");
  ASSERT_EQ(source.functions.size(), 1u);
  const SourceFunction& function = source.functions.front();
  EXPECT_EQ(function.name, "rows");
  EXPECT_EQ(function.line, 6);
  EXPECT_EQ(function.launch_bounds, 128);
  ASSERT_EQ(function.templates.size(), 2u);
  EXPECT_TRUE(function.templates[0].is_type);
  EXPECT_EQ(function.templates[1].fallback, 128);
  ASSERT_EQ(function.parameters.size(), 4u);
  EXPECT_TRUE(function.parameters[0].pointer && function.parameters[0].constant);
  EXPECT_FALSE(function.parameters[0].dtype);
  EXPECT_FALSE(function.parameters[1].constant);
  EXPECT_EQ(function.parameters[2].dtype, DType::i64);
  EXPECT_EQ(function.parameters[3].dtype, DType::f32);
  EXPECT_TRUE(function.geometry.element_index);
  EXPECT_EQ(function.geometry.mask_line, 8);
}

TEST(IntakeSource, a_launcher_goes_before_the_kernel_it_launches) {
  const SourceReading source = read(
      "__global__ void k(const float4* x, float* y) {}\n"
      "void not_an_entry(const float* x) {}\n"
      "extern \"C\" {\n"
      "int run_f32(const float* x, float* y, unsigned long long n, cudaStream_t s) { return 0; }\n"
      "int run_f16(const __half* x, __half* y, unsigned long long n, cudaStream_t s) { return 0; "
      "}\n"
      "}\n");
  ASSERT_EQ(source.functions.size(), 3u);
  EXPECT_EQ(source.functions[0].parameters[0].lanes, 4);
  const auto entries = entries_of(source);
  ASSERT_EQ(entries.size(), 1u);
  EXPECT_EQ(entries[0]->name, "run_f32");
  EXPECT_TRUE(entries[0]->parameters[3].stream);
  EXPECT_TRUE(is_sibling(source.functions[1], source.functions[2]));
}

TEST(IntakeSource, mistakes_name_their_line) {
  const auto text = [](const std::string& code, const std::string& file) {
    const auto reading = read_source(code, file);
    return reading ? std::string("no failure") : to_text(reading.failure());
  };
  EXPECT_NE(text("\n\n__global__ void k(const float* x, int) {}\n", "a.cu").find("a.cu:3"),
            std::string::npos);
  EXPECT_NE(text("\n__global__ void k(const float* x {\n", "a.cu").find("a.cu:2"),
            std::string::npos);
  EXPECT_NE(text("int f() { return 1; }\n", "a.cu").find("no __global__"), std::string::npos);
  EXPECT_NE(text("import triton\n@triton.jit\ndef k(x): pass\n", "a.py").find("a.py:3"),
            std::string::npos);
  EXPECT_NE(text("x = 1\n", "a.py").find("no top-level function"), std::string::npos);
}

TEST(IntakeSource, reads_python_functions_triton_kernels_and_modules) {
  const SourceReading source = read(
      "import triton\n"
      "@triton.jit\n"
      "def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr = 128):\n"
      "    tl.store(y_ptr, 1, mask=n < 3)\n"
      "def helper(n):\n    return n\n"
      "def scale(x: torch.Tensor,\n          eps=1e-5):\n"
      "    kernel[(1,)](x, x, 1)\n"
      "def last(x): pass\n",
      "a.py");
  ASSERT_EQ(source.functions.size(), 4u);
  EXPECT_EQ(source.functions[0].what, SourceFunction::What::triton);
  EXPECT_TRUE(source.functions[0].parameters[3].compile_time);
  EXPECT_EQ(source.functions[0].geometry.mask_line, 4);
  ASSERT_EQ(source.functions[2].parameters.size(), 2u);
  EXPECT_TRUE(source.functions[2].parameters[1].optional);
  ASSERT_EQ(entries_of(source).size(), 1u);
  EXPECT_EQ(entries_of(source)[0]->name, "scale");
  const SourceReading module =
      read("class ModelNew(nn.Module):\n    def forward(self, a, b):\n        return a\n", "m.py");
  EXPECT_EQ(module.functions[0].what, SourceFunction::What::module);
  EXPECT_EQ(module.functions[0].parameters.size(), 2u);
}

TEST(IntakeNames, words_and_what_they_share) {
  EXPECT_EQ(words_of("fastRowSum_kernel_f32"), (std::vector<std::string>{"row", "sum"}));
  EXPECT_EQ(likeness("x", "x"), 3);
  EXPECT_EQ(likeness("input", "x"), 1);
  EXPECT_EQ(likeness("n_rows", "rows"), 2);
  EXPECT_EQ(likeness("eps", "cols"), 0);
  const std::vector<std::string> right = {"layernorm"}, wrong = {"embedding"};
  EXPECT_GT(name_fit({right, "layer_norm", "norm"}).score, 1.5);
  EXPECT_LT(name_fit({wrong, "layer_norm", "norm"}).score, 0.1);
  // "max" inside of "softmax" is a hint at most, however much the summary shares.
  const std::vector<std::string> softmax = words_of("row_softmax");
  EXPECT_GT(name_fit({softmax, "softmax", "over the last axis"}).score,
            1.0 + name_fit({softmax, "max", "of a row"}).score);
  EXPECT_GT(name_fit({words_of("rmsnormalize"), "rmsnorm", ""}).score, 0.4);
}

TEST(IntakeDraft, an_unknown_op_reads_back_and_can_be_called) {
  const SourceReading source = read(
      "__global__ void mix(const float* x, const float* bias, float* out, int rows, int cols,\n"
      "                    float gain) {\n"
      "  int i = blockIdx.x * 64 + threadIdx.x;\n  if (i < rows * cols) out[i] = x[i];\n}\n");
  const auto guess = guess_op(source, source.functions.front());
  ASSERT_TRUE(guess);
  const auto op = parse_op(to_toml(*guess, {"a"}), "op.toml");
  ASSERT_TRUE(op) << to_text(op.failure());
  EXPECT_EQ(op->name, "mix");
  EXPECT_EQ(find_tensor(*op, "bias")->shape.size(), 1u);
  EXPECT_EQ(find_tensor(*op, "out")->shape.size(), 2u);
  const auto drafts = draft_kernels({source, source.functions.front(), *op, 24});
  ASSERT_FALSE(drafts.empty());
  EXPECT_EQ(drafts[0].arguments,
            (std::vector<std::string>{"x", "bias", "out", "rows", "cols", "gain"}));
  EXPECT_EQ(drafts[0].grid.size(), 1u);
  EXPECT_NE(reference_stub(*guess, {}).find("reference not written yet"), std::string::npos);
}

}  // namespace
}  // namespace gate
