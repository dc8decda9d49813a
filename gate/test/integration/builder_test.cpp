// The builder: entries of all forms, messages, cache.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "gate/base/runtime.h"
#include "gate/test/integration/host_kernel.h"

namespace gate {
namespace {

using Builder = HostKernels;

BuildOutcome build(const KernelSpec& kernel, const std::string& code) {
  EXPECT_TRUE(write_file(kernel.source, code));
  return build_kernel(OpSchema{}, kernel, "f32", "host");
}

double first_result(const Image& image) {
  const Outcome outcome = Session(image, {}).run(vector_job(4));
  EXPECT_EQ(outcome.end, Kind::pass) << outcome.text;
  return outcome.end == Kind::pass ? outcome.after[1].at(0) : -1;
}

TEST_F(Builder, resolves_template_instances_and_name_spaces) {
  const std::string code = R"(namespace deep {
      template <class T, int by> void scale(const T* x, T* y, int n) {
        for (int i = 0; i < n; ++i) y[i] = by * x[i]; }
      static int statically(const float*, float* y, int) noexcept { y[0] = 4; return 0; } })";
  const auto source = file("template.cpp");
  EXPECT_EQ(first_result(build(host_kernel(source, "deep::scale<float, 3>"), code).image), 3);
  EXPECT_EQ(first_result(build(host_kernel(source, "deep::statically"), code).image), 4);
}

TEST_F(Builder, passes_defines_of_the_column) {
  KernelSpec kernel = host_kernel(file("define.cpp"), "kernel");
  const std::string code = R"(extern "C" void kernel(const float*, float* y, int) { y[0] = V; })";
  kernel.defines["f32"] = {"V=5"};
  EXPECT_EQ(first_result(build(kernel, code).image), 5);
  kernel.defines["f32"] = {"V=6"};
  EXPECT_EQ(first_result(build(kernel, code).image), 6);
}

TEST_F(Builder, shows_the_compilers_message) {
  const auto outcome = build(host_kernel(file("bad.cpp"), "kernel"), "int main( {\n");
  EXPECT_EQ(outcome.kind, Kind::build_failed);
  EXPECT_NE(outcome.text.find("bad.cpp:1:"), std::string::npos) << outcome.text;
  const auto missing = build(host_kernel(file("none.cpp"), "absent"), "int x;\n");
  EXPECT_EQ(missing.kind, Kind::build_failed);
  EXPECT_NE(missing.text.find("absent"), std::string::npos) << missing.text;
  const auto unresolved =
      build(host_kernel(file("link.cpp"), "kernel"),
            R"(extern "C" void nowhere(); extern "C" void kernel(const float*, float*, int) {
                 nowhere(); })");
  EXPECT_EQ(unresolved.kind, Kind::build_failed);
  EXPECT_NE(unresolved.text.find("nowhere"), std::string::npos) << unresolved.text;
  const BuildOutcome gone =
      build_kernel(OpSchema{}, host_kernel(file("gone.cpp"), "kernel"), "f32", "host");
  EXPECT_EQ(gone.kind, Kind::build_failed);
}

TEST_F(Builder, compares_signature_and_launch) {
  const auto wrong = build(host_kernel(file("wide.cpp"), "kernel"),
                           R"(extern "C" void kernel(const float*, float*, long) {})");
  const Outcome outcome = Session(wrong.image, {}).run(vector_job(4));
  EXPECT_EQ(outcome.end, Kind::launch_failed);
  EXPECT_EQ(outcome.text,
            "kernel takes pointer, pointer, i64; the launch passes pointer, pointer, i32");
}

TEST_F(Builder, names_an_argument_that_cannot_be_passed) {
  KernelSpec kernel = host_kernel(file("half.cpp"), "kernel");
  kernel.launch[0].arguments[2].dtype = DType::f16;
  const auto image = build(kernel, R"(extern "C" void kernel(const float*, float*, int) {})").image;
  const Outcome outcome = Session(image, {}).run(vector_job(4));
  EXPECT_EQ(outcome.end, Kind::unsupported);
  EXPECT_EQ(outcome.text, "host passes no f16 by value: n");
  kernel.launch[0].arguments[2] = integer_argument("n * 1073741824");
  const auto overflowing =
      build(kernel, R"(extern "C" void kernel(const float*, float*, int) {})").image;
  EXPECT_EQ(Session(overflowing, {}).run(vector_job(4)).end, Kind::unsupported);
}

TEST_F(Builder, passes_scalars_of_every_type) {
  KernelSpec kernel = host_kernel(file("scalars.cpp"), "kernel");
  LaunchArgument eps;
  eps.what = LaunchArgument::What::attribute;
  eps.name = "eps";
  eps.dtype = DType::f32;
  LaunchArgument wide = eps;
  wide.dtype = DType::f64;
  LaunchArgument flag = eps;
  flag.name = "flag";
  flag.dtype = DType::boolean;
  LaunchArgument stream;
  stream.what = LaunchArgument::What::stream;
  kernel.launch[0].arguments = {tensor_argument("x"),
                                tensor_argument("y"),
                                integer_argument("n - 5", DType::i64),
                                eps,
                                wide,
                                flag,
                                stream,
                                integer_argument("x.stride(0) + y.offset", DType::i8)};
  const auto image = build(kernel, R"(extern "C" void kernel(const float*, float* y, long long n,
      float eps, double wide, bool flag, void* stream, signed char stride) {
        y[0] = n; y[1] = eps; y[2] = wide == 0.1; y[3] = flag && !stream && stride == 1; })")
                         .image;
  Job job = vector_job(4);
  job.inputs.attributes = {{"eps", 0.1}, {"flag", std::int64_t{1}}};
  const Outcome outcome = Session(image, {}).run(job);
  ASSERT_EQ(outcome.end, Kind::pass) << outcome.text;
  EXPECT_EQ(outcome.after[1].at(0), -1);
  EXPECT_EQ(outcome.after[1].at(1), static_cast<double>(0.1f));
  EXPECT_EQ(outcome.after[1].at(2), 1);
  EXPECT_EQ(outcome.after[1].at(3), 1);
}

TEST_F(Builder, runs_steps_in_order_with_a_workspace) {
  KernelSpec kernel = host_kernel(file("steps.cpp"), "first");
  kernel.workspaces = {{"partial", *Expression::parse("n * 4")}};
  LaunchArgument partial;
  partial.what = LaunchArgument::What::workspace;
  partial.name = "partial";
  kernel.launch[0].arguments = {tensor_argument("x"), partial, integer_argument("n")};
  LaunchStep second = kernel.launch[0];
  second.entry["f32"] = "second";
  second.arguments = {partial, tensor_argument("y"), integer_argument("n")};
  kernel.launch.push_back(second);
  const auto image = build(kernel, R"(
      void first(const float* x, float* partial, int n) {
        for (int i = 0; i < n; ++i) partial[i] = x[i] + 1;
      }
      void second(const float* partial, float* y, int n) {
        for (int i = 0; i < n; ++i) y[i] = partial[i] * 2;
      })")
                         .image;
  Job job = vector_job(4);
  job.inputs.tensors.push_back(
      make_tensor("partial", Role::workspace, DType::u8, contiguous_view({16})));
  const Outcome outcome = Session(image, {}).run(job);
  ASSERT_EQ(outcome.end, Kind::pass) << outcome.text;
  EXPECT_EQ(outcome.after[1].at(3), 10);
}

TEST_F(Builder, takes_shared_objects_as_they_are) {
  const Image built_before = image(doubling_code);
  const auto object = file("ready.so");
  std::filesystem::copy_file(built_before.path, object);
  const BuildOutcome outcome =
      build_kernel(OpSchema{}, host_kernel(object, "kernel"), "f32", "host");
  ASSERT_EQ(outcome.kind, Kind::pass) << outcome.text;
  EXPECT_EQ(first_result(outcome.image), 2);
  const auto none = build_kernel(OpSchema{}, host_kernel(object, "absent"), "f32", "host");
  EXPECT_EQ(Session(none.image, {}).run(vector_job(1)).end, Kind::build_failed);
}

TEST_F(Builder, builds_again_when_an_included_file_changes_and_only_then) {
  const KernelSpec kernel = host_kernel(file("including.cpp"), "kernel");
  const std::string code =
      "#include \"value.h\"\n"
      R"(extern "C" void kernel(const float*, float* y, int) { y[0] = V; })";
  std::ofstream(file("value.h")) << "#define V 7\n";
  const Image first = build(kernel, code).image;
  EXPECT_EQ(first_result(first), 7);
  const auto time = std::filesystem::last_write_time(first.path);
  const Image same = build(kernel, code).image;
  EXPECT_EQ(same.path, first.path);
  EXPECT_EQ(std::filesystem::last_write_time(same.path), time);
  std::ofstream(file("value.h")) << "#define V 8\n";
  EXPECT_EQ(first_result(build(kernel, code).image), 8);
  std::ofstream(file("value.h")) << "#define V 7\n";
  EXPECT_EQ(build(kernel, code).image.path, first.path);
}

TEST_F(Builder, two_builds_at_once_agree) {
  const KernelSpec kernel = host_kernel(file("twice.cpp"), "kernel");
  ASSERT_TRUE(write_file(kernel.source, doubling_code));
  std::vector<BuildOutcome> outcomes(3);
  std::vector<std::thread> builders;
  for (BuildOutcome& outcome : outcomes) {
    builders.emplace_back([&] { outcome = build_kernel(OpSchema{}, kernel, "f32", "host"); });
  }
  for (std::thread& builder : builders) builder.join();
  for (const BuildOutcome& outcome : outcomes) {
    ASSERT_EQ(outcome.kind, Kind::pass) << outcome.text;
    EXPECT_EQ(first_result(outcome.image), 2);
  }
}

TEST_F(Builder, leaves_nothing_half_done_in_the_cache) {
  build(host_kernel(file("half.cpp"), "kernel"), "broken(\n");
  image(doubling_code);
  for (const auto& entry : std::filesystem::directory_iterator(cache_folder())) {
    const std::string name = entry.path().filename().string();
    EXPECT_EQ(name.find(".building"), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace gate
