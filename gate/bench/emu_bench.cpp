// Speed of the emulator: threads a second of a kernel without barriers, of a block reduction and of
// a warp reduction, in ascending order and watched; and a small case through a real worker.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "gate/base/files.h"
#include "gate/device/emu/job.h"
#include "gate/worker/pool.h"

namespace gate {
namespace {

constexpr unsigned grid = 64, block = 256;
constexpr std::int64_t softmax_rows = 8, softmax_cols = 127;

// The include is put in front of it: a source of the house may not seem to need CUDA itself.
constexpr const char* code = R"(
__global__ void elementwise(const float* x, float* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  y[i] = 2.0f * x[i] + 1.0f;
}
__global__ void block_reduction(const float* x, float* y) {
  __shared__ float partial[256];
  partial[threadIdx.x] = x[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = partial[0];
}
__global__ void warp_reduction(const float* x, float* y) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = x[i];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (threadIdx.x % 32 == 0) y[i / 32] = sum;
}
__global__ void softmax(const __half* x, __half* y, int cols) {
  __shared__ float row[128];
  const int c = threadIdx.x;
  row[c] = c < cols ? __half2float(x[blockIdx.x * cols + c]) : -INFINITY;
  __syncthreads();
  float largest = -INFINITY, sum = 0;
  for (int i = 0; i < cols; ++i) largest = fmaxf(largest, row[i]);
  for (int i = 0; i < cols; ++i) sum += expf(row[i] - largest);
  if (c < cols) y[blockIdx.x * cols + c] = __float2half(expf(row[c] - largest) / sum);
}
)";

/// One source for all; each benchmark builds the entry it needs.
KernelSpec kernel_spec(const std::filesystem::path& source, const std::string& entry) {
  KernelSpec kernel;
  kernel.name = entry;
  kernel.source = source;
  kernel.entry["f16"] = entry;
  LaunchStep step;
  for (const char* name : {"x", "y"}) {
    LaunchArgument argument;
    argument.what = LaunchArgument::What::tensor;
    argument.name = name;
    step.arguments.push_back(argument);
  }
  if (entry == "softmax") {
    LaunchArgument argument;
    argument.value = *Expression::parse("cols");
    step.arguments.push_back(argument);
  }
  step.grid = {*Expression::parse("rows")};
  step.block = {*Expression::parse("128")};
  kernel.launch = {step};
  return kernel;
}

struct Built {
  explicit Built(const std::string& entry) : folder(*TemporaryFolder::create("gate-bench")) {
    const auto source = folder.path() / "kernels.cu";
    check(static_cast<bool>(write_file(source, std::string("#include <cuda_fp16.h>\n") + code)),
          "the source is written");
    outcome = build_kernel(OpSchema{}, kernel_spec(source, entry), "f16", "emu");
    check(outcome.kind == Kind::pass, outcome.text);
  }
  TemporaryFolder folder;
  BuildOutcome outcome;
};

/// The machine in this process: no worker, no slot.
void threads(benchmark::State& state, const char* entry, Schedule::Order order) {
  const Built built(entry);
  LoadedImage image;
  check(static_cast<bool>(image.open(built.outcome.image.path.string())), "the image loads");
  std::vector<float> x(std::size_t{grid} * block, 1.0f), y(x.size());
  ResolvedStep step;
  step.entry = entry;
  step.grid[0] = grid;
  step.block[0] = block;
  DeviceJob job;
  job.schedule = {order, 7};
  for (std::vector<float>* values : {&x, &y}) {
    auto* data = reinterpret_cast<std::byte*>(values->data());
    ResolvedArgument argument;
    argument.is_pointer = true;
    argument.pointer = data;
    argument.tensor = job.tensors.size();
    argument.dtype = DType::f32;
    step.arguments.push_back(argument);
    const View view = contiguous_view({static_cast<std::int64_t>(values->size())});
    job.tensors.push_back(
        {"x", Role::input, DType::f32, view, data, values->size() * sizeof(float)});
  }
  for (auto _ : state) {
    const DeviceReply reply = run_steps(image, {step}, job);
    check(reply.error == Kind::pass, reply.text);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations()) * grid * block);
}

Job softmax_job() {
  Job job;
  job.inputs.axes = {{"rows", softmax_rows}, {"cols", softmax_cols}};
  const View view = contiguous_view({softmax_rows, softmax_cols});
  Tensor x = make_tensor("x", Role::input, DType::f16, view);
  for (std::int64_t i = 0; i < x.elements(); ++i) x.set(i, static_cast<double>(i % 17) / 4);
  job.inputs.tensors = {std::move(x), make_tensor("y", Role::output, DType::f16, view)};
  job.journal_line = "softmax/f16 value rows=8 cols=127 x=contiguous,normal@1 key=0x1";
  return job;
}

/// Through gate-worker, everything included but the oracle; four slots busy.
void pipelined(benchmark::State& state, Schedule::Order order) {
  const Built built("softmax");
  SessionOptions options;
  options.journal = built.folder.path() / "journal";
  Session session(built.outcome.image, options);
  Job job = softmax_job();
  job.schedule = {order, 7};
  check(session.run(job).end == Kind::pass, "the kernel runs");
  session.stream(
      [&]() -> std::optional<Job> {
        if (!state.KeepRunning()) return {};
        return job;
      },
      [&](std::size_t, Outcome outcome) { check(outcome.end == Kind::pass, "the kernel runs"); });
}

using Order = Schedule::Order;
BENCHMARK_CAPTURE(threads, elementwise, "elementwise", Order::ascending);
BENCHMARK_CAPTURE(threads, block_reduction, "block_reduction", Order::ascending);
BENCHMARK_CAPTURE(threads, block_reduction_watched, "block_reduction", Order::shuffled);
BENCHMARK_CAPTURE(threads, warp_reduction, "warp_reduction", Order::ascending);
BENCHMARK_CAPTURE(threads, warp_reduction_watched, "warp_reduction", Order::shuffled);
BENCHMARK_CAPTURE(pipelined, softmax_f16_8x127, Order::ascending)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pipelined, softmax_f16_8x127_watched, Order::shuffled)
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace gate

BENCHMARK_MAIN();
