// Building host kernels from text and jobs for them, for tests of sessions.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/worker/builder.h"
#include "gate/worker/pool.h"

namespace gate {

inline LaunchArgument tensor_argument(std::string name) {
  LaunchArgument argument;
  argument.what = LaunchArgument::What::tensor;
  argument.name = std::move(name);
  return argument;
}

inline LaunchArgument integer_argument(const std::string& text, DType dtype = DType::i32) {
  LaunchArgument argument;
  argument.value = *Expression::parse(text);
  argument.dtype = dtype;
  return argument;
}

/// A kernel `entry(x, y, n)` in column f32, not built yet.
inline KernelSpec host_kernel(const std::filesystem::path& source, const std::string& entry) {
  KernelSpec kernel;
  kernel.name = "test";
  kernel.source = source;
  kernel.entry["f32"] = entry;
  LaunchStep step;
  step.arguments = {tensor_argument("x"), tensor_argument("y"), integer_argument("n")};
  kernel.launch = {step};
  return kernel;
}

/// The image of a kernel whose source is `code`, with `kernel` adjusted by the caller before.
inline Image built(const KernelSpec& kernel, const std::string& code) {
  EXPECT_TRUE(write_file(kernel.source, code));
  const BuildOutcome outcome = build_kernel(OpSchema{}, kernel, "f32", "host");
  EXPECT_EQ(outcome.kind, Kind::pass) << outcome.text;
  return outcome.image;
}

/// x = 1, 2, 3 …; y to be written.
inline Job vector_job(std::int64_t n) {
  Job job;
  job.inputs.axes["n"] = n;
  Tensor x = make_tensor("x", Role::input, DType::f32, contiguous_view({n}));
  for (std::int64_t i = 0; i < n; ++i) x.set(i, static_cast<double>(i + 1));
  job.inputs.tensors = {x, make_tensor("y", Role::output, DType::f32, contiguous_view({n}))};
  return job;
}

/// y[i] = 2 x[i] everywhere.
inline bool is_doubled(const Outcome& outcome) {
  if (outcome.end != Kind::pass || outcome.after.size() != 2) return false;
  for (std::int64_t i = 0; i < outcome.after[1].elements(); ++i) {
    if (outcome.after[1].at(i) != 2 * outcome.after[0].at(i)) return false;
  }
  return true;
}

inline constexpr const char* doubling_code = R"(
extern "C" void kernel(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 2 * x[i];
})";

/// A folder for sources, and a build cache of its own.
class HostKernels : public testing::Test {
 protected:
  HostKernels() : folder_(std::move(*TemporaryFolder::create("gate-test"))) {
    ::setenv("GATE_CACHE", (folder_.path() / "cache").c_str(), 1);
  }
  std::filesystem::path file(const std::string& name) const { return folder_.path() / name; }
  Image image(const std::string& code, const std::string& entry = "kernel") {
    const std::string name = "kernel" + std::to_string(count_++) + ".cpp";
    return built(host_kernel(file(name), entry), code);
  }
  const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
  int count_ = 0;
};

}  // namespace gate
