// The fault kernels in CUDA C++ on the emulator: each shows its kind, and its corrected twin stays
// clean under many schedules. twins.sh sets how many (GATE_TWIN_SCHEDULES) and takes the table.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <set>

#include "gate/search/schedules.h"
#include "gate/test/device/kernel_bench.h"

namespace gate {
namespace {

constexpr std::size_t schedules_in_ci = 8;
constexpr std::size_t entries_of_a_twin = 4;
constexpr std::int64_t elements_least = 64, elements_most = 4096;  // many schedules, so small cases
/// Where devices differ the toml names no kind: what the emulator says.
const std::map<std::string, Kind> kinds_on_emu = {{"scale_far_out_of_bounds", Kind::out_of_bounds}};

std::vector<const KernelSpec*> kernels(bool clean) {
  std::vector<const KernelSpec*> result;
  for (const KernelSpec* kernel : cuda_kernels("faults")) {
    if ((kernel->expect.at("f32").klass == Class::clean) == clean) result.push_back(kernel);
  }
  return result;
}

std::string name_of(const testing::TestParamInfo<const KernelSpec*>& info) {
  return info.param->name;
}

class FaultKernel : public testing::TestWithParam<const KernelSpec*> {};

TEST_P(FaultKernel, shows_its_kind) {
  const KernelSpec& kernel = *GetParam();
  const auto named = kinds_on_emu.find(kernel.name);
  const std::optional<Kind> wanted =
      named == kinds_on_emu.end() ? kernel.expect.at("f32").kind : named->second;
  ASSERT_TRUE(wanted);
  KernelBench bench = bench_of(kernel, "f32", {.timeout_ms = 1500});
  std::string seen;
  std::size_t cases = 0;
  bool found = false;
  bench.executor.execute_plan(bench.plan, [&](const Judged& judged) {
    ++cases;
    found = judged.verdict.kind == *wanted;
    if (found) seen = judged.verdict.text;
    return !found;
  });
  EXPECT_TRUE(found) << name(*wanted) << " not seen in " << cases << " cases";
  std::cout << "    " << name(*wanted) << " after " << cases << " cases: " << seen << "\n";
}

INSTANTIATE_TEST_SUITE_P(Emu, FaultKernel, testing::ValuesIn(kernels(false)), name_of);

std::size_t wanted_schedules() {
  const char* text = std::getenv("GATE_TWIN_SCHEDULES");
  const long number = text == nullptr ? 0 : std::strtol(text, nullptr, 10);
  return number > 0 ? static_cast<std::size_t>(number) : schedules_in_ci;
}

class FaultTwin : public testing::TestWithParam<const KernelSpec*> {};

TEST_P(FaultTwin, is_clean_under_every_schedule) {
  const KernelSpec& kernel = *GetParam();
  KernelBench bench = bench_of(kernel, "f32");
  std::erase_if(bench.plan, [](const Entry& entry) {
    const auto& axes = entry.test_case.axes;
    const std::int64_t elements = axes.at("rows") * axes.at("cols");
    return elements < elements_least || elements > elements_most;
  });
  ASSERT_GE(bench.plan.size(), entries_of_a_twin);
  bench.plan.resize(entries_of_a_twin);
  const std::size_t schedules = wanted_schedules();
  for (Entry& entry : bench.plan) {
    entry.siblings = further_schedules(entry.test_case, schedules - 1);
    ASSERT_EQ(entry.siblings.size(), schedules - 1);
  }
  std::size_t cases = 0, red = 0;
  bench.executor.execute_plan(bench.plan, [&](const Judged& judged) {
    ++cases;
    if (judged.verdict.kind == Kind::pass) return true;
    ++red;
    ADD_FAILURE() << name(judged.verdict.kind) << ": " << judged.verdict.text << " at "
                  << to_text(judged.test_case);
    return false;
  });
  EXPECT_EQ(cases, bench.plan.size());
  std::cout << "    twin " << kernel.name << " cases " << cases << " schedules " << schedules
            << " red " << red << "\n";
}

INSTANTIATE_TEST_SUITE_P(Emu, FaultTwin, testing::ValuesIn(kernels(true)), name_of);

TEST(FaultKernels, every_one_has_a_corrected_twin) {
  std::set<std::string> twins;
  for (const KernelSpec* kernel : kernels(true)) twins.insert(kernel->name);
  for (const KernelSpec* kernel : kernels(false)) {
    EXPECT_EQ(twins.erase(kernel->name + "_corrected"), 1u) << kernel->name;
  }
  EXPECT_TRUE(twins.empty()) << *twins.begin();
  EXPECT_GE(kernels(false).size(), 19u);
}

}  // namespace
}  // namespace gate
