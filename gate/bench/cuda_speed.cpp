// Wall time per small case on a GPU, softmax f16 8x127: the whole way through the gate, pipelined
// and serial, with one worker and with several on the same GPU, beside the floor (copies and launch
// alone). Workers are processes, and a GPU runs their contexts in turns. Prints JSON; a program of
// its own, since it runs on GPU machines that have no Google Benchmark.
// SPDX-License-Identifier: Apache-2.0
#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <thread>

#include "gate/base/files.h"
#include "gate/cli/catalogue.h"
#include "gate/device/cuda/image.h"
#include "gate/device/cuda/state.h"
#include "gate/search/search.h"

namespace gate {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t rows = 8, cols = 127;
constexpr std::size_t slot_bytes = 32u << 10;  // two tensors of 2 KiB, four red zones
constexpr int floor_rounds = 20'000;
constexpr int dumped_max = 3'000;
constexpr int cases_min = 2'000;  // of each worker, where several share the cases

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

Case softmax_case(std::uint64_t key) {
  Case value;
  value.op = "softmax";
  value.column = "f16";
  value.axes = {{"rows", rows}, {"cols", cols}};
  value.tensors["x"].profile = "normal@1";
  value.tensors["y"] = {};
  value.key = key;
  return value;
}

/// The catalogue, and an executor of the kernel per thread.
struct Subject {
  Catalogue catalogue;
  Target target;
  BuildOutcome build;

  bool open(const std::string& folder, const std::string& name, const std::string& device) {
    auto loaded = open_catalogue({folder}, true);
    if (!loaded) return false;
    catalogue = std::move(*loaded);
    for (const KernelSpec& kernel : catalogue.kernels) {
      if (kernel.name == name) target.kernel = &kernel;
    }
    if (target.kernel == nullptr) return false;
    target.op = find_op(catalogue, "softmax");
    target.column = "f16";
    target.device = device;
    target.tolerance = catalogue.tolerances.at("softmax").rows.at("f16");
    build = build_kernel(*target.op, *target.kernel, target.column, target.device);
    return build.kind == Kind::pass;
  }
  Executor executor(int slots = SessionOptions{}.slots) const {
    SessionOptions options;
    options.slots = slots;
    return Executor(target, build, options, catalogue.config.profiles.at("pr"));
  }
};

struct Measured {
  double us_per_case = 0;
  std::size_t passed = 0;
};

std::vector<Entry> entries(std::uint64_t first, int count, int repeats) {
  std::vector<Entry> plan;
  for (int i = 0; i < count; ++i) {
    const Case value = softmax_case(first + static_cast<std::uint64_t>(i));
    plan.push_back({"values", value, std::vector<Schedule>(static_cast<std::size_t>(repeats))});
  }
  return plan;
}

Measured pipelined(Executor& executor, const std::vector<Entry>& plan) {
  Measured result;
  const auto begin = Clock::now();
  executor.execute_plan(plan, [&](const Judged& judged) {
    result.passed += judged.verdict.kind == Kind::pass ? 1 : 0;
    return true;
  });
  result.us_per_case = microseconds_since(begin) / static_cast<double>(plan.size());
  return result;
}

Measured serial(Executor& executor, int count) {
  Measured result;
  std::vector<double> times;
  for (int i = 0; i < count; ++i) {
    const Case value = softmax_case(1'000'000 + static_cast<std::uint64_t>(i));
    const auto begin = Clock::now();
    const Verdict verdict = executor.execute_again(value);
    times.push_back(microseconds_since(begin));
    result.passed += verdict.kind == Kind::pass ? 1 : 0;
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  result.us_per_case = times[times.size() / 2];
  return result;
}

/// `threads` sessions with a worker each, as `gate run --jobs` has them, on one GPU; `count` cases
/// each. They begin together once their workers are warm.
double cases_per_second(const Subject& subject, int threads, int count) {
  std::atomic<int> ready = 0;
  std::vector<double> seconds(static_cast<std::size_t>(threads));
  std::vector<std::jthread> running;
  for (int t = 0; t < threads; ++t) {
    running.emplace_back([&, t] {
      Executor executor = subject.executor();
      const auto first = static_cast<std::uint64_t>(t + 2) * 10'000'000;
      pipelined(executor, entries(first, 100, 0));
      const std::vector<Entry> plan = entries(first + 1000, count, 0);
      ++ready;
      while (ready.load() < threads) std::this_thread::yield();
      const auto begin = Clock::now();
      pipelined(executor, plan);
      seconds[static_cast<std::size_t>(t)] = microseconds_since(begin) / 1e6;
    });
  }
  running.clear();
  const double slowest = *std::max_element(seconds.begin(), seconds.end());
  return static_cast<double>(threads) * count / slowest;
}

/// Copy in, launch, copy back, wait: what no harness can go below one case at a time.
double floor_us(const Subject& subject) {
  CudaState state;
  auto& driver = state.driver;
  if (load_driver(driver) || driver.init(0) != CUDA_SUCCESS) return 0;
  driver.device(&state.device, 0);
  driver.context_flags(state.device, CU_CTX_SCHED_SPIN);
  driver.retain_context(&state.context, state.device);
  driver.set_context(state.context);
  const auto bytes = read_file(subject.build.image.path, 1u << 30);
  const auto image = bytes ? parse_cuda_image(*bytes) : std::nullopt;
  if (!image) return 0;
  const std::string& entry = subject.target.kernel->entry.at("f16");
  CUfunction function = nullptr;
  CUstream stream = nullptr;
  CUdeviceptr memory = 0;
  driver.load_module(&state.program.module, image->bytes.c_str());
  driver.function(&function, state.program.module, image->symbols.at(entry).c_str());
  driver.create_stream(&stream, CU_STREAM_DEFAULT);
  driver.allocate(&memory, slot_bytes);
  void* slot = ::mmap(nullptr, slot_bytes, PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  driver.register_host(slot, slot_bytes, 0);
  CUdeviceptr x = memory + 4096, y = memory + 4096 * 4;
  int sizes[] = {static_cast<int>(cols), 128};
  std::int64_t strides[] = {cols, 1};
  void* arguments[] = {&x,          &y,          &sizes[0],   &sizes[1],
                       &strides[0], &strides[1], &strides[0], &strides[1]};
  double best = 0;
  for (int round = 0; round < 2; ++round) {  // the first warms up
    const auto begin = Clock::now();
    for (int i = 0; i < floor_rounds; ++i) {
      driver.copy_to_device(memory, slot, slot_bytes, stream);
      driver.launch(function, rows, 1, 1, 128, 1, 1, 0, stream, arguments, nullptr);
      driver.copy_to_host(slot, memory, slot_bytes, stream);
      driver.synchronize_stream(stream);
    }
    best = microseconds_since(begin) / floor_rounds;
  }
  return driver.synchronize() == CUDA_SUCCESS ? best : 0;
}

/// The inputs of the first cases, for a harness in another language.
void dump(Executor& executor, const std::string& file, int count) {
  std::ofstream out(file, std::ios::binary);
  for (int i = 0; i < count; ++i) {
    const Inputs inputs = executor.inputs_of(softmax_case(static_cast<std::uint64_t>(i)));
    const Tensor* x = find_tensor(inputs, "x");
    out.write(reinterpret_cast<const char*>(x->storage.data()),
              static_cast<std::streamsize>(x->storage.size()));
  }
}

int run(const Subject& subject, int cases, const std::string& dump_file) {
  Executor executor = subject.executor();
  pipelined(executor, entries(5'000'000, 200, 0));  // warm
  if (!dump_file.empty()) dump(executor, dump_file, std::min(cases, dumped_max));
  const Measured piped = pipelined(executor, entries(0, cases, 0));
  const Measured repeated = pipelined(executor, entries(0, cases, 1));
  const Measured alone = serial(executor, std::max(1, cases / 4));
  const int cores = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  nlohmann::json result = {{"cases", cases},
                           {"passed", piped.passed},
                           {"us_per_case_pipelined", piped.us_per_case},
                           {"us_per_case_with_repeat", repeated.us_per_case},
                           {"us_per_case_serial", alone.us_per_case},
                           {"cases_per_second", 1e6 / piped.us_per_case},
                           {"cores", cores}};
  for (const int slots : {1, 2, 4, 8, 16}) {  // what the default could be
    Executor other = subject.executor(slots);
    pipelined(other, entries(5'000'000, 200, 0));
    const Measured measured = pipelined(other, entries(6'000'000, cases, 0));
    result["us_per_case_of_slots"][std::to_string(slots)] = measured.us_per_case;
  }
  double alone_rate = 0;
  for (int workers = 1; workers <= cores; workers *= 2) {
    const double rate = cases_per_second(subject, workers, std::max(cases_min, cases / workers));
    if (workers == 1) alone_rate = rate;
    result["workers"][std::to_string(workers)] = {{"cases_per_second", rate},
                                                  {"us_per_case", 1e6 / rate},
                                                  {"times_one_worker", rate / alone_rate}};
    result["cases_per_second_all_cores"] = rate;
  }
  if (subject.target.device == "cuda") result["floor_us_per_case"] = floor_us(subject);
  std::cout << result.dump(1) << '\n';
  return piped.passed == static_cast<std::size_t>(cases) ? 0 : 1;
}

}  // namespace
}  // namespace gate

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: cuda_speed TESTCASES CASES [FILE for the inputs [KERNEL DEVICE]]\n";
    return 2;
  }
  gate::Subject subject;
  const std::string name = argc > 5 ? argv[4] : "softmax_cuda";
  if (!subject.open(argv[1], name, argc > 5 ? argv[5] : "cuda")) {
    std::cerr << "no " << name << " there, or it does not build: " << subject.build.text << '\n';
    return 1;
  }
  return gate::run(subject, std::atoi(argv[2]), argc > 3 ? argv[3] : "");
}
