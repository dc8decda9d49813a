// Compiler flags, each with its reason.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/compiler.h"

#include "gate/base/text.h"
#include "gate/worker/build_time.h"

namespace gate {

namespace {

constexpr const char* compiler = "g++";

}  // namespace

std::vector<std::string> instruction_flags() {
  std::vector<std::string> flags;
#if defined(__x86_64__)
  // Contraction to FMA as nvcc does it, half conversions in hardware.
  if (__builtin_cpu_supports("fma")) flags.emplace_back("-mfma");
  if (__builtin_cpu_supports("avx2")) flags.emplace_back("-mavx2");
  if (__builtin_cpu_supports("f16c")) flags.emplace_back("-mf16c");
  if (__builtin_cpu_supports("popcnt")) flags.emplace_back("-mpopcnt");
#endif
  return flags;
}

Result<ProcessResult> run_compiler(const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {compiler};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run_tool(command);
}

Result<ProcessResult> run_tool(const std::vector<std::string>& command) {
  ProcessOptions options = compiler_options(compile_ms_max);
  options.output_bytes_max = 64u << 20;
  return run_process(command, options);
}

Result<std::string> compiler_version() {
  const auto ended = run_compiler({"--version"});
  if (!ended) return ended.failure();
  if (ended->exit_code != 0) return machine_failure("the C++ compiler does not run", compiler);
  return split(ended->output, '\n').front();
}

std::vector<std::string> preprocess_arguments(const BuildRequest& request,
                                              const std::string& include_folder) {
  std::vector<std::string> arguments = {
      "-E",       "-x",           "c++",      "-std=gnu++17",
      "-isystem", include_folder, "-include", "gate_emu/prelude.h"};
  for (const std::string& define : request.defines) arguments.push_back("-D" + define);
  if (request.fast_math) arguments.emplace_back("-D__USE_FAST_MATH__");
  for (std::string& flag : instruction_flags()) arguments.push_back(std::move(flag));
  if (!request.dependencies.empty()) {
    for (const char* word : {"-MD", "-MF"}) arguments.emplace_back(word);
    arguments.push_back(request.dependencies);
    arguments.emplace_back("-MT");
    arguments.push_back(request.output);
  }
  arguments.push_back(request.source);
  return arguments;
}

std::vector<std::string> compile_arguments(const std::string& source, const std::string& output,
                                           const std::vector<std::string>& extra) {
  std::vector<std::string> arguments = {
      "-x", "c++-cpp-output", "-std=gnu++17", "-O2", "-fPIC", "-S", "-w", "-fvisibility=hidden",
      // As nvcc: contraction across statements; no errno, no traps to preserve.
      "-ffp-contract=fast", "-fno-math-errno", "-fno-trapping-math",
      // Device code reinterprets memory and lets integers wrap.
      "-fno-strict-aliasing", "-fwrapv", "-fno-delete-null-pointer-checks",
      // One thread at a time is run: nothing to gain from vectors, and casts stay scalar.
      "-fno-tree-vectorize",
      // Uninitialised locals are the same garbage every time.
      "-ftrivial-auto-var-init=pattern",
      // A large frame must touch the guard page, not jump over it.
      "-fstack-clash-protection",
      // A misaligned vector access traps on a GPU.
      "-fsanitize=alignment",
      "-fno-sanitize-recover=alignment",  // Line tables for messages; statics without guards; every
                                          // symbol may be made local.
      "-g1", "-gdwarf-4", "-fno-threadsafe-statics", "-fno-gnu-unique", "-fdiagnostics-color=never",
      "-fmax-errors=12"};
  for (std::string& flag : instruction_flags()) arguments.push_back(std::move(flag));
  arguments.insert(arguments.end(), extra.begin(), extra.end());
  arguments.emplace_back("-o");
  arguments.push_back(output);
  arguments.push_back(source);
  return arguments;
}

}  // namespace gate
