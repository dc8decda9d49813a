// Test support of the device tests, and the first thing it must do: run a kernel.
// SPDX-License-Identifier: Apache-2.0
#include "gate/test/device/emulation.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>

#include "gate/base/check.h"
#include "gate/device/emu/build.h"
#include "gate/device/emu/faults.h"
#include "gate/device/emu/job.h"

namespace gate {

namespace {
constexpr std::byte zone{0xC7};
}

EmulatedSource emulate_file(const std::filesystem::path& path, const SourceOptions& options) {
  EmulatedSource source;
  auto folder = TemporaryFolder::create("gate-emulation");
  check(static_cast<bool>(folder), "a temporary folder can be made");
  source.folder = std::make_shared<TemporaryFolder>(std::move(*folder));
  BuildRequest request;
  request.source = path.string();
  request.output = (source.folder->path() / "image.so").string();
  request.dependencies = (source.folder->path() / "image.d").string();
  request.entries = options.entries;
  request.entries_are_kernels = !options.launchers;
  request.defines = options.defines;
  source.reply = build_emu_image(request);
  if (source.reply.kind != Kind::pass) return source;
  catch_signals();
  source.image = std::make_shared<LoadedImage>();
  const auto opened = source.image->open(request.output);
  if (!opened) source.reply = {Kind::environment, to_text(opened.failure()), false};
  return source;
}

EmulatedSource emulate_text(const std::string& text, const SourceOptions& options) {
  auto folder = TemporaryFolder::create("gate-emulated-text");
  check(static_cast<bool>(folder), "a temporary folder can be made");
  const auto path = folder->path() / "kernel.cu";
  check(static_cast<bool>(write_file(path, text)), "a source can be written");
  return emulate_file(path, options);
}

Buffer::Buffer(std::size_t bytes, int fill) : storage_(bytes + 2 * red_zone_bytes, zone) {
  std::fill_n(data(), bytes, static_cast<std::byte>(fill));
}

bool Buffer::intact() const {
  const auto is_zone = [](std::byte b) { return b == zone; };
  return std::all_of(storage_.begin(), storage_.begin() + red_zone_bytes, is_zone) &&
         std::all_of(storage_.end() - red_zone_bytes, storage_.end(), is_zone);
}

ResolvedArgument pointer_to(Buffer& buffer, DType dtype) {
  ResolvedArgument argument;
  argument.is_pointer = true;
  argument.pointer = buffer.data();
  argument.tensor = ~std::size_t{0};
  argument.dtype = dtype;
  return argument;
}

ResolvedArgument scalar_of(std::int32_t value) {
  ResolvedArgument argument;
  argument.dtype = DType::i32;
  argument.bits = static_cast<std::uint32_t>(value);
  return argument;
}

ResolvedArgument scalar_of(float value) {
  ResolvedArgument argument;
  argument.dtype = DType::f32;
  argument.bits = std::bit_cast<std::uint32_t>(value);
  return argument;
}

DeviceReply run_emulated(const EmulatedSource& source, const LaunchOf& launch,
                         const Schedule& schedule) {
  check(source.ready(), "only built sources are run");
  ResolvedStep step;
  step.entry = launch.entry;
  step.host_launcher = launch.launcher;
  std::copy(launch.grid.begin(), launch.grid.end(), step.grid);
  std::copy(launch.block.begin(), launch.block.end(), step.block);
  step.shared_bytes = launch.shared;
  step.arguments = launch.arguments;
  DeviceJob job;
  job.schedule = schedule;
  return run_steps(*source.image, {step}, job);
}

constexpr const char* total_code = R"(
template <typename T, int n>
__global__ void total(const T* x, T* y) {
  __shared__ T partial[n / 32];
  T v = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x == 0) {
    T sum = 0;
    for (int w = 0; w < n / 32; ++w) sum += partial[w];
    y[0] = sum;
  }
}
)";

class Total : public testing::Test {
 protected:
  Total()
      : source_(emulate_text(
            total_code, {.entries = {"total<float, 128>"}, .launchers = false, .defines = {}})) {
    for (int i = 0; i < 128; ++i) x_.as<float>()[i] = static_cast<float>(i);
  }

  void expect_right(const Schedule& schedule) {
    *y_.as<float>() = 0;
    const DeviceReply reply = run_emulated(source_,
                                           {.entry = "total<float, 128>",
                                            .block = {128},
                                            .arguments = {pointer_to(x_), pointer_to(y_)}},
                                           schedule);
    EXPECT_EQ(reply.error, Kind::pass) << reply.text;
    EXPECT_EQ(*y_.as<float>(), 8128.0f) << "schedule " << schedule.key;
    EXPECT_TRUE(y_.intact());
  }

  EmulatedSource source_;
  Buffer x_{128 * 4}, y_{4};
};

TEST_F(Total, runs_with_shared_memory_barriers_and_shuffles) {
  ASSERT_EQ(source_.reply.kind, Kind::pass) << source_.reply.text;
  EXPECT_TRUE(source_.reply.uses_shared_or_atomics);
  for (const auto order :
       {Schedule::Order::ascending, Schedule::Order::descending, Schedule::Order::shuffled}) {
    expect_right({order, 7});
  }
}

/// Preempted anywhere: a shared array is placed once, though two threads may look for it at a time.
TEST_F(Total, is_right_under_many_schedules) {
  ASSERT_EQ(source_.reply.kind, Kind::pass) << source_.reply.text;
  for (std::uint64_t key = 0; key < 1000 && !HasFailure(); ++key) {
    expect_right({Schedule::Order::shuffled, key});
  }
}

}  // namespace gate
