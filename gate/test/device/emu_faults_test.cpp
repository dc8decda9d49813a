// Faults of kernels, each with the kind and the words it must end with.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/test/device/emulation.h"

namespace gate {
namespace {

struct FaultCase {
  const char* name;
  Kind kind;
  const char* words;                       // part of the message
  const char* source;                      // a kernel `k(float* y)`
  std::uint64_t threads = 64;
  std::uint64_t shared = 0;
  Schedule schedule = {};
};

constexpr Schedule shuffled{Schedule::Order::shuffled, 11};

const FaultCase cases[] = {
    {"divergent_barrier", Kind::barrier, "kernel.cu:2", R"(__global__ void k(float* y) {
  if (threadIdx.x < 32) __syncthreads();
  else
    __syncthreads();
  y[threadIdx.x] = 1;
})"},
    {"barrier_some_never_reach", Kind::barrier, "kernel.cu:4", R"(__global__ void k(float* y) {
  float v = 0;
  if (threadIdx.x < 40) __syncthreads();
  else v = __shfl_sync(0xffffffffu, v, 0);
  y[threadIdx.x] = v;
})"},
    {"collective_that_cannot_complete", Kind::barrier, "mask 0xffffffff",
     R"(__global__ void k(float* y) {
  float v = 1;
  if (threadIdx.x % 2 == 0) v = __shfl_down_sync(0xffffffffu, v, 2);
  __syncthreads();
  y[threadIdx.x] = v;
})"},
    {"write_past_static_shared", Kind::out_of_bounds, "`s`", R"(__global__ void k(float* y) {
  __shared__ float s[64];
  s[threadIdx.x + 1] = 1;
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x];
})"},
    {"write_past_dynamic_shared", Kind::out_of_bounds, "`s`", R"(__global__ void k(float* y) {
  extern __shared__ float s[];
  s[threadIdx.x + 1] = 1;
  y[threadIdx.x] = 1;
})", 64, 256},
    {"dynamic_shared_far_away", Kind::out_of_bounds, "`s`", R"(__global__ void k(float* y) {
  extern __shared__ float s[];
  s[threadIdx.x + 4096] = 1;
  y[threadIdx.x] = 1;
})", 64, 256},
    {"read_past_static_shared", Kind::out_of_bounds, "kernel.cu:5", R"(__global__ void k(float* y) {
  __shared__ float s[64];
  s[threadIdx.x] = 1;
  __syncthreads();
  y[threadIdx.x] = s[threadIdx.x + 1];
})", 64, 0, shuffled},
    {"shared_race", Kind::nondeterministic, "kernel.cu:4", R"(__global__ void k(float* y) {
  __shared__ float s[64];
  s[threadIdx.x] = threadIdx.x;
  y[threadIdx.x] = s[(threadIdx.x + 1) % 64];
})", 64, 0, shuffled},
    {"missing_syncwarp", Kind::nondeterministic, "`s`", R"(__global__ void k(float* y) {
  __shared__ float s[32];
  s[threadIdx.x] = threadIdx.x;
  __syncwarp();
  if (threadIdx.x < 16) s[threadIdx.x] += s[threadIdx.x + 16];
  if (threadIdx.x < 8) s[threadIdx.x] += s[threadIdx.x + 8];
  y[threadIdx.x] = s[threadIdx.x];
})", 32, 0, shuffled},
    {"histogram_without_atomics", Kind::nondeterministic, "`h`", R"(__global__ void k(float* y) {
  __shared__ int h[4];
  if (threadIdx.x < 4) h[threadIdx.x] = 0;
  __syncthreads();
  h[threadIdx.x % 4]++;
  __syncthreads();
  y[threadIdx.x] = h[threadIdx.x % 4];
})", 64, 0, shuffled},
    {"misaligned_vector", Kind::crash, "misaligned address", R"(__global__ void k(float* y) {
  *reinterpret_cast<float4*>(y + 1) = make_float4(1, 2, 3, 4);
})", 1},
    {"device_assert", Kind::crash, "`y == nullptr` failed", R"(#include <cassert>
__global__ void k(float* y) { assert(y == nullptr); })"},
    {"trap", Kind::crash, "__trap", R"(__global__ void k(float* y) { __trap(); })"},
    {"null_pointer", Kind::crash, "illegal address", R"(__global__ void k(float* y) {
  float* p = nullptr;
  p[threadIdx.x] = 1;
})"},
    {"stack_overflow", Kind::crash, "stack overflow",
     R"(__device__ __noinline__ float deep(float* y, int n) {
  float v[64];
  for (int i = 0; i < 64; ++i) v[i] = y[0] + n;
  return n > 100000 ? v[n % 64] : deep(y, n + 1) + v[n % 64];
}
__global__ void k(float* y) { y[0] = deep(y, 0); })", 1},
    {"too_many_threads", Kind::launch_failed, "invalid configuration",
     R"(__global__ void k(float* y) { y[0] = 1; })", 1025},
    {"launch_bounds_exceeded", Kind::launch_failed, "__launch_bounds__(32)",
     R"(__global__ void __launch_bounds__(32) k(float* y) { y[0] = 1; })", 64},
    {"too_much_dynamic_shared", Kind::launch_failed, "dynamic shared memory",
     R"(__global__ void k(float* y) { y[0] = 1; })", 64, 228 * 1024},
    {"too_much_static_shared", Kind::launch_failed, "static shared memory",
     R"(__global__ void k(float* y) {
  __shared__ float s[12289];
  s[threadIdx.x] = 1;
  y[0] = s[0];
})"},
    {"spin_for_ever", Kind::timeout, "endless spin", R"(__global__ void k(float* y) {
  while (atomicAdd((int*)y, 0) != 77) {}
})"},
    {"volatile_spin_for_ever", Kind::timeout, "kernel.cu:2", R"(__global__ void k(float* y) {
  while (*(volatile int*)y != 77) {}
})"},
};

class EmuFaults : public testing::TestWithParam<FaultCase> {};

TEST_P(EmuFaults, ends_with_its_kind_and_says_where) {
  const FaultCase& fault = GetParam();
  const auto source =
      emulate_text(fault.source, {.entries = {"k"}, .launchers = false, .defines = {}});
  ASSERT_EQ(source.reply.kind, Kind::pass) << source.reply.text;
  Buffer y(4096 * 4);
  const DeviceReply reply = run_emulated(source,
                                         {.entry = "k",
                                          .block = {fault.threads},
                                          .shared = fault.shared,
                                          .arguments = {pointer_to(y)}},
                                         fault.schedule);
  EXPECT_EQ(name(reply.error), name(fault.kind)) << reply.text;
  EXPECT_NE(reply.text.find(fault.words), std::string::npos) << reply.text;
  RecordProperty("text", reply.text);
  std::cout << "    " << name(reply.error) << ": " << reply.text << "\n";
}

INSTANTIATE_TEST_SUITE_P(All, EmuFaults, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace gate
