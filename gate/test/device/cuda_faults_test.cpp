// A fault that a compiler takes away is none (a null pointer that it sees, a loop that does
// nothing): the machine code of a fault kernel is not that of its corrected twin. NVRTC, no GPU.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "gate/base/files.h"
#include "gate/test/device/kernel_bench.h"
#include "gate/worker/builder.h"

#ifdef GATE_HAVE_CUDA_HEADERS
#include <elf.h>

#include <cstring>

#include "gate/device/cuda/compile.h"
#include "gate/device/cuda/driver.h"
#include "gate/device/cuda/image.h"
#endif

namespace gate {
namespace {

#ifdef GATE_HAVE_CUDA_HEADERS
template <class T>
T read_at(const std::string& bytes, std::size_t offset) {
  T value{};
  if (offset + sizeof value <= bytes.size()) std::memcpy(&value, &bytes[offset], sizeof value);
  return value;
}

/// Instructions of every function in a cubin, and how much shared memory it has; without tables of
/// lines and names.
std::map<std::string, std::string> code_of(const std::string& cubin) {
  const auto header = read_at<Elf64_Ehdr>(cubin, 0);
  const auto section = [&](std::size_t i) {
    return read_at<Elf64_Shdr>(cubin, header.e_shoff + i * header.e_shentsize);
  };
  const auto names = section(header.e_shstrndx);
  std::map<std::string, std::string> code;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const auto part = section(i);
    const std::string name = cubin.c_str() + names.sh_offset + part.sh_name;
    if (name.rfind(".text.", 0) == 0) code[name] = cubin.substr(part.sh_offset, part.sh_size);
    if (name.rfind(".nv.shared.", 0) == 0) code[name] = std::to_string(part.sh_size);
  }
  return code;
}

std::map<std::string, std::string> compiled(const KernelSpec& kernel) {
  const auto folder = TemporaryFolder::create("gate-cuda-faults");
  BuildRequest request =
      build_request(*find_op(bundled_catalogue(), kernel.op), kernel, kernel.entry.begin()->first);
  request.output = folder->path() / "image";
  const std::set<std::string> distinct(request.entries.begin(), request.entries.end());
  request.entries.assign(distinct.begin(), distinct.end());
  const BuildReply reply = build_cuda(request);
  EXPECT_EQ(reply.kind, Kind::pass) << kernel.name << ": " << reply.text;
  const auto bytes = read_file(request.output, 1u << 30);
  const auto image = bytes ? parse_cuda_image(*bytes) : std::nullopt;
  return image ? code_of(image->bytes) : std::map<std::string, std::string>{};
}

/// Where the launch is at fault, or the host, the code may be the same. With host headers it is
/// nvcc's, seconds each.
bool fault_is_in_code(const KernelSpec& kernel) {
  const auto source = read_file(kernel.source, 1u << 20);
  return source && source->find("#include") == std::string::npos &&
         kernel.expect.begin()->second.kind != Kind::launch_failed;
}

TEST(CudaFaults, no_fault_is_compiled_away) {
  Nvrtc nvrtc;
  if (const auto problem = load_nvrtc(nvrtc)) GTEST_SKIP() << *problem;
  std::map<std::string, const KernelSpec*> kernels;
  for (const KernelSpec* kernel : cuda_kernels("faults")) kernels[kernel->name] = kernel;
  int compared = 0;
  for (const char* architecture : {"sm_80", "sm_90", "sm_100"}) {
    ::setenv("GATE_CUDA_ARCH", architecture, 1);
    for (const auto& [name, kernel] : kernels) {
      const auto twin = kernels.find(name + "_corrected");
      if (twin == kernels.end()) continue;
      if (!fault_is_in_code(*kernel)) continue;
      const auto code = compiled(*kernel);
      ASSERT_FALSE(code.empty()) << name;
      EXPECT_TRUE(code != compiled(*twin->second)) << name << " for " << architecture;
      ++compared;
    }
    ::unsetenv("GATE_CUDA_ARCH");
  }
  EXPECT_GE(compared, 3 * 16);
}
#else
TEST(CudaFaults, no_fault_is_compiled_away) {
  GTEST_SKIP() << "built without the headers of the CUDA Toolkit";
}
#endif

}  // namespace
}  // namespace gate
