// Targets on the host device for tests of search: bundled ops, bundled kernels or ones from text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gate/base/files.h"
#include "gate/search/search.h"
#include "gate/spec/read.h"

namespace gate {

class HostTargets : public testing::Test {
 protected:
  HostTargets() : folder_(std::move(*TemporaryFolder::create("gate-test"))) {
    ::setenv("GATE_CACHE", (folder_.path() / "cache").c_str(), 1);
    auto loaded = load_catalogue({std::filesystem::path(GATE_SOURCE_DIR) / "testcases"});
    EXPECT_TRUE(loaded) << (loaded ? "" : to_text(loaded.failure()));
    if (loaded) catalogue_ = std::move(*loaded);
  }

  const KernelSpec& bundled(const std::string& name) const {
    for (const KernelSpec& kernel : catalogue_.kernels) {
      if (kernel.name == name) return kernel;
    }
    ADD_FAILURE() << "no kernel " << name;
    return catalogue_.kernels.front();
  }

  /// A kernel of `op` whose source is `code`: extern "C" void kernel(x, y, rows, cols).
  KernelSpec from_text(const std::string& op, const std::string& code) {
    KernelSpec kernel;
    kernel.name = "test" + std::to_string(count_++);
    kernel.op = op;
    kernel.source = folder_.path() / (kernel.name + ".cpp");
    kernel.entry["f32"] = "kernel";
    LaunchStep step;
    for (const std::string tensor : {"x", "y"}) {
      LaunchArgument argument;
      argument.what = LaunchArgument::What::tensor;
      argument.name = tensor;
      step.arguments.push_back(argument);
    }
    for (const std::string text :
         {"rows", "cols", "x.stride(0)", "x.stride(1)", "y.stride(0)", "y.stride(1)"}) {
      LaunchArgument argument;
      argument.value = *Expression::parse(text);
      argument.dtype = DType::i64;
      step.arguments.push_back(argument);
    }
    kernel.launch = {step};
    EXPECT_TRUE(write_file(kernel.source, code));
    return kernel;
  }

  Executor executor(const KernelSpec& kernel, std::int64_t timeout_ms = 5000) {
    Target target;
    target.op = find_op(catalogue_, kernel.op);
    target.kernel = &kernel;
    target.column = "f32";
    target.device = "host";
    target.tolerance = catalogue_.tolerances.at(kernel.op).rows.at("f32");
    SessionOptions options;
    options.case_timeout_ms = timeout_ms;
    return Executor(target, build_kernel(*target.op, kernel, "f32", "host"), options, profile());
  }

  Profile profile() const { return catalogue_.config.profiles.at("pr"); }

  std::vector<Entry> plan(const KernelSpec& kernel, std::uint64_t run_seed) const {
    PlanOptions options;
    options.run_seed = run_seed;
    options.device = "host";
    options.profile = profile();
    return make_plan(*find_op(catalogue_, kernel.op), kernel, "f32", options);
  }

  /// A softmax case on plain normal values.
  static Case softmax_case(std::int64_t rows, std::int64_t cols) {
    Case value;
    value.op = "softmax";
    value.column = "f32";
    value.axes = {{"rows", rows}, {"cols", cols}};
    value.tensors["x"].profile = "normal@1";
    value.tensors["y"] = {};
    value.key = 11;
    return value;
  }

  const Catalogue& catalogue() const { return catalogue_; }

 private:
  TemporaryFolder folder_;
  Catalogue catalogue_;
  int count_ = 0;
};

/// A right softmax; statements in `before`, `after` and `row` (may use x, y, rows, cols, r, AT).
inline std::string softmax_code(const std::string& row = "", const std::string& before = "",
                                const std::string& after = "") {
  return R"(
#include <cmath>
#include <cstdlib>
#include <limits>
#define X(r, c) x[(r) * xr + (c) * xc]
#define Y(r, c) y[(r) * yr + (c) * yc]
extern "C" void kernel(float* x, float* y, long rows, long cols, long xr, long xc, long yr,
                       long yc) {
  )" + before +
         R"(
  for (long r = 0; r < rows; ++r) {
    float top = -std::numeric_limits<float>::infinity();
    double sum = 0;
    for (long c = 0; c < cols; ++c) top = std::fmax(top, X(r, c));
    for (long c = 0; c < cols; ++c) sum += std::exp(X(r, c) - top);
    for (long c = 0; c < cols; ++c) Y(r, c) = static_cast<float>(std::exp(X(r, c) - top) / sum);
    )" + row +
         R"(
  }
  )" + after +
         "\n}\n";
}

}  // namespace gate
