// What the emulator must neither crash on nor guess: large local arrays, names of CUDA that it does
// not have, and plain mistakes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/device/emu/unsupported.h"
#include "gate/test/device/emulation.h"

namespace gate {
namespace {

EmulatedSource built(const std::string& text) {
  return emulate_text(text, {.entries = {"k"}, .launchers = false, .defines = {}});
}

TEST(EmuGaps, a_large_local_array_is_no_stack_overflow) {
  const auto source = built(R"(__global__ void k(float* y) {
  float v[64000];
  for (int i = 0; i < 64000; ++i) v[i] = static_cast<float>(i) + y[0];
  __syncthreads();
  y[threadIdx.x + 1] = v[63999 - threadIdx.x];
})");
  ASSERT_EQ(source.reply.kind, Kind::pass) << source.reply.text;
  Buffer y(4096 * 4, 0);
  const DeviceReply reply =
      run_emulated(source, {.entry = "k", .block = {64}, .arguments = {pointer_to(y)}});
  EXPECT_EQ(name(reply.error), name(Kind::pass)) << reply.text;
  EXPECT_EQ(y.as<float>()[1], 63999.0f);
  EXPECT_EQ(y.as<float>()[64], 63936.0f);
}

TEST(EmuGaps, a_name_of_cuda_is_unsupported_with_its_line) {
  const auto source = built(R"(__global__ void k(float* y) {
  y[0] = 1;
  y[1] = __nv_fp128_sqrt(y[0]);
})");
  EXPECT_EQ(name(source.reply.kind), name(Kind::unsupported)) << source.reply.text;
  EXPECT_EQ(source.reply.text, "__nv_fp128_sqrt at kernel.cu:3");
}

TEST(EmuGaps, a_mistake_stays_a_failed_build) {
  const auto source = built("__global__ void k(float* y) { y[0] = __syncthread(1); }");
  EXPECT_EQ(name(source.reply.kind), name(Kind::build_failed)) << source.reply.text;
}

TEST(EmuGaps, names_are_read_from_either_kind_of_quotes) {
  const std::vector<std::string> want = {"__vabsdiffs4 at a.cu:7"};
  const std::string words = "was not declared in this scope; did you mean";
  EXPECT_EQ(unsupported_names("/x/a.cu:7:3: error: '__vabsdiffs4' " + words), want);
  EXPECT_EQ(unsupported_names("/x/a.cu:7:3: error: \xE2\x80\x98__vabsdiffs4\xE2\x80\x99 " + words),
            want);
  EXPECT_TRUE(unsupported_names("/x/a.cu:7:3: error: 'mine' " + words).empty());
}

}  // namespace
}  // namespace gate
