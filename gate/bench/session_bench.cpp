// Cost of one small job through a session on `host`: softmax f16 8x127, everything included but the
// oracle. Serial is latency; pipelined keeps four slots busy.
// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "gate/base/files.h"
#include "gate/worker/pool.h"
#include "gate/worker/slot.h"

namespace gate {
namespace {

constexpr std::int64_t rows = 8, cols = 127;

constexpr const char* softmax_code = R"(
#include <cmath>
extern "C" void softmax(const _Float16* x, _Float16* y, int rows, int cols) {
  static float row[65536];
  for (int r = 0; r < rows; ++r) {
    float largest = -INFINITY, sum = 0;
    for (int c = 0; c < cols; ++c) {
      row[c] = static_cast<float>(x[r * cols + c]);
      largest = row[c] > largest ? row[c] : largest;
    }
    for (int c = 0; c < cols; ++c) sum += row[c] = std::exp(row[c] - largest);
    for (int c = 0; c < cols; ++c) y[r * cols + c] = static_cast<_Float16>(row[c] / sum);
  }
}
extern "C" void nothing(const _Float16*, _Float16*, int, int) {}
)";

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
  for (const char* name : {"rows", "cols"}) {
    LaunchArgument argument;
    argument.value = *Expression::parse(name);
    step.arguments.push_back(argument);
  }
  kernel.launch = {step};
  return kernel;
}

Job softmax_job() {
  Job job;
  job.inputs.axes = {{"rows", rows}, {"cols", cols}};
  const View view = contiguous_view({rows, cols});
  Tensor x = make_tensor("x", Role::input, DType::f16, view);
  for (std::int64_t i = 0; i < x.elements(); ++i) x.set(i, static_cast<double>(i % 17) / 4);
  job.inputs.tensors = {std::move(x), make_tensor("y", Role::output, DType::f16, view)};
  job.journal_line = "softmax/f16 value rows=8 cols=127 x=contiguous,normal@1 key=0x1";
  return job;
}

/// Builds and opens a session with its journal in a temporary folder that lives as long.
struct Bench {
  explicit Bench(const std::string& entry) : folder(*TemporaryFolder::create("gate-bench")) {
    const auto source = folder.path() / "softmax.cpp";
    check(static_cast<bool>(write_file(source, softmax_code)), "the source is written");
    const BuildOutcome built = build_kernel(OpSchema{}, kernel_spec(source, entry), "f16", "host");
    check(built.kind == Kind::pass, built.text);
    SessionOptions options;
    options.journal = folder.path() / "journal";
    session = std::make_unique<Session>(built.image, options);
    check(session->run(softmax_job()).end == Kind::pass, "the kernel runs");
  }
  TemporaryFolder folder;
  std::unique_ptr<Session> session;
};

void serial(benchmark::State& state, const char* entry) {
  Bench bench(entry);
  const Job job = softmax_job();
  for (auto _ : state) {
    const Outcome outcome = bench.session->run(job);
    check(outcome.end == Kind::pass, "the kernel runs");
  }
}

void pipelined(benchmark::State& state, const char* entry) {
  Bench bench(entry);
  const Job job = softmax_job();
  std::int64_t answered = 0;
  bench.session->stream(
      [&]() -> std::optional<Job> {
        if (!state.KeepRunning()) return {};
        return job;
      },
      [&](std::size_t, Outcome outcome) {
        check(outcome.end == Kind::pass, "the kernel runs");
        ++answered;
      });
  check(answered == static_cast<std::int64_t>(state.iterations()), "every job is answered");
}

void slot_only(benchmark::State& state) {
  const Job job = softmax_job();
  const auto layout = *slot_layout(tensor_bytes(job.inputs), std::size_t{1} << 30);
  std::vector<std::byte> slot(layout.bytes);
  for (auto _ : state) {
    fill_slot(slot.data(), layout, job);
    Outcome outcome;
    read_slot(slot.data(), layout, job, outcome);
    benchmark::DoNotOptimize(outcome);
  }
}

void fresh_worker(benchmark::State& state) {
  Bench bench("nothing");
  const Job job = softmax_job();
  for (auto _ : state) {
    bench.session->restart();
    check(bench.session->run(job).end == Kind::pass, "the kernel runs");
  }
}

BENCHMARK_CAPTURE(serial, softmax_f16_8x127, "softmax")
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pipelined, softmax_f16_8x127, "softmax")
    ->UseRealTime()
    ->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(serial, empty_kernel, "nothing")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(pipelined, empty_kernel, "nothing")->UseRealTime()->Unit(benchmark::kMicrosecond);
BENCHMARK(slot_only)->Unit(benchmark::kMicrosecond);
BENCHMARK(fresh_worker)->UseRealTime()->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace gate

BENCHMARK_MAIN();
