// Building CUDA sources. NVRTC first: it is an order of magnitude faster than nvcc; a source that
// it cannot take (host headers, host launchers) goes to nvcc.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/cuda/compile.h"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/base/text.h"
#include "gate/device/cuda/driver.h"
#include "gate/device/cuda/image.h"
#include "gate/device/cuda/rtc_headers.h"
#include "gate/worker/build_time.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t message_bytes_max = 16'384;

BuildReply failed(Kind kind, std::string text) {
  BuildReply reply;
  reply.kind = kind;
  reply.text = clean_text(text, message_bytes_max);
  return reply;
}

std::string command(const char* name) {
  const std::string toolkit = toolkit_folder();
  const std::string path = toolkit + "/bin/" + name;
  return !toolkit.empty() && fs::exists(path) ? path : std::string(name);
}

std::vector<std::string> define_flags(const BuildRequest& request) {
  std::vector<std::string> flags;
  for (const auto& define : request.defines) flags.push_back("-D" + define);
  if (request.fast_math) flags.push_back("--use_fast_math");
  return flags;
}

/// Shared memory and atomics decide whether repeats are worth running; words are enough here.
bool mentions_shared_or_atomics(const std::string& source) {
  return source.find("__shared__") != std::string::npos ||
         source.find("atomic") != std::string::npos || source.find("_sync(") != std::string::npos;
}

BuildReply write_image(const BuildRequest& request, const CudaImage& image,
                       const std::string& source) {
  if (auto written = write_file(request.output, to_bytes(image)); !written) {
    return failed(Kind::environment, to_text(written.failure()));
  }
  BuildReply reply;
  reply.uses_shared_or_atomics = mentions_shared_or_atomics(source);
  return reply;
}

/// What an NVRTC compilation gave: lowered names and a cubin, or the log.
struct NvrtcResult {
  bool done = false;
  std::string log;
  CudaImage image;
};

std::string program_log(const Nvrtc& nvrtc, nvrtcProgram program) {
  std::size_t bytes = 0;
  if (nvrtc.log_size(program, &bytes) != NVRTC_SUCCESS || bytes < 2) return {};
  std::string log(bytes, '\0');
  nvrtc.log(program, log.data());
  log.resize(bytes - 1);
  return log;
}

bool take_results(const Nvrtc& nvrtc, nvrtcProgram program, const BuildRequest& request,
                  NvrtcResult& result) {
  for (const auto& entry : request.entries) {
    const char* symbol = nullptr;
    if (nvrtc.lowered_name(program, entry.c_str(), &symbol) != NVRTC_SUCCESS) {
      result.log += "no __global__ function '" + entry + "'";
      return false;
    }
    result.image.symbols[entry] = symbol;
  }
  std::size_t bytes = 0;
  if (nvrtc.cubin_size(program, &bytes) != NVRTC_SUCCESS) return false;
  result.image.bytes.resize(bytes);
  return nvrtc.cubin(program, result.image.bytes.data()) == NVRTC_SUCCESS;
}

NvrtcResult compile_by_nvrtc(const Nvrtc& nvrtc, const BuildRequest& request,
                             const std::string& source) {
  NvrtcResult result;
  std::vector<std::string> flags = define_flags(request);
  flags.insert(flags.end(), {"-arch=" + cuda_architecture(), "-std=c++17", "-lineinfo",
                             "-default-device", std::string("-include=") + rtc_prelude_name,
                             "-I" + fs::path(request.source).parent_path().string()});
  if (const std::string toolkit = toolkit_folder(); !toolkit.empty()) {
    flags.push_back("-I" + toolkit + "/include");
    flags.push_back("-I" + toolkit + "/include/cccl");
  }
  std::vector<const char*> arguments;
  for (const auto& flag : flags) arguments.push_back(flag.c_str());
  std::vector<const char*> names, texts;
  for (const auto& header : rtc_headers) {
    names.push_back(header.name);
    texts.push_back(header.text);
  }
  nvrtcProgram program = nullptr;
  if (nvrtc.create(&program, source.c_str(), request.source.c_str(), static_cast<int>(names.size()),
                   texts.data(), names.data()) != NVRTC_SUCCESS) {
    result.log = "NVRTC could not create a program";
    return result;
  }
  for (const auto& entry : request.entries) nvrtc.add_name(program, entry.c_str());
  const auto status = nvrtc.compile(program, static_cast<int>(arguments.size()), arguments.data());
  result.log = program_log(nvrtc, program);
  if (result.log.rfind("__nv_name_map", 0) == 0) {
    // NVRTC's words name a file the user never wrote.
    result.log =
        "no __global__ function (or template) for an entry: " + join(request.entries, ", ") + "\n" +
        result.log;
  }
  result.done = status == NVRTC_SUCCESS && take_results(nvrtc, program, request, result);
  nvrtc.destroy(&program);
  return result;
}

/// NVRTC has no host headers: such an error says nothing about the kernel, nvcc decides.
bool needs_nvcc(const std::string& log) {
  for (const char* sign :
       {"cannot open source file", "could not open source file", "execution space",
        "is not supported in NVRTC", "device-side kernel launch could not be processed", "host"}) {
    if (log.find(sign) != std::string::npos) return true;
  }
  return false;
}

/// A kernel in a library must be launched by the runtime that was linked into it.
constexpr const char* launch_text = R"(
extern "C" int gate_launch(const void* function, const unsigned* sizes, void** arguments,
                           unsigned shared, void* stream) {
  if (shared > 48u * 1024u) {
    cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)shared);
  }
  return (int)cudaLaunchKernel(function, dim3(sizes[0], sizes[1], sizes[2]),
                               dim3(sizes[3], sizes[4], sizes[5]), arguments, shared,
                               (cudaStream_t)stream);
}
template <class Result, class... Arguments>
constexpr int gate_returns_value(Result (*)(Arguments...)) { return 1; }
template <class... Arguments>
constexpr int gate_returns_value(void (*)(Arguments...)) { return 0; }
)";

/// The source as a translation unit that hands out its entries and its last CUDA error.
std::string wrapper_text(const BuildRequest& request) {
  std::string text = "#include \"" + request.source + "\"\n#include <cuda_runtime.h>\n" +
                     "extern \"C\" int gate_last_error() { return (int)cudaGetLastError(); }\n" +
                     launch_text;
  for (std::size_t i = 0; i < request.entries.size(); ++i) {
    const std::string number = std::to_string(i);
    text += "extern \"C\" const void* gate_entry_" + number + "() { return (const void*)" +
            request.entries[i] + "; }\nextern \"C\" int gate_returns_" + number +
            "() { return gate_returns_value(" + request.entries[i] + "); }\n";
  }
  return text;
}

BuildReply build_by_nvcc(const BuildRequest& request, const std::string& source) {
  auto folder = TemporaryFolder::create("gate-nvcc");
  if (!folder) return failed(Kind::environment, to_text(folder.failure()));
  const std::string unit = folder->path() / "unit.cu";
  const std::string output = folder->path() / "image.so";
  if (auto written = write_file(unit, wrapper_text(request)); !written) {
    return failed(Kind::environment, to_text(written.failure()));
  }
  std::vector<std::string> arguments = {command("nvcc"),
                                        "-shared",
                                        "-Xcompiler",
                                        "-fPIC",
                                        "-O3",
                                        "-std=c++17",
                                        "-lineinfo",
                                        "--extended-lambda",
                                        "-arch=" + cuda_architecture(),
                                        "-cudart",
                                        "static"};
  for (auto& flag : define_flags(request)) arguments.push_back(std::move(flag));
  arguments.push_back("-I" + fs::path(request.source).parent_path().string());
  arguments.insert(arguments.end(), {"-o", output, unit});
  const auto run = run_process(arguments, compiler_options(nvcc_ms_max));
  if (!run) {
    return failed(Kind::environment,
                  "nvcc cannot be started; install the CUDA Toolkit or set "
                  "CUDA_HOME: " +
                      to_text(run.failure()));
  }
  if (run->timed_out) return out_of_time(*run, "nvcc", nvcc_ms_max);
  if (run->exit_code != 0) return failed(Kind::build_failed, run->errors + run->output);
  auto bytes = read_file(output, 1u << 30);
  if (!bytes) return failed(Kind::environment, to_text(bytes.failure()));
  CudaImage image;
  image.form = CudaImage::Form::library;
  for (std::size_t i = 0; i < request.entries.size(); ++i) {
    image.symbols[request.entries[i]] = "gate_entry_" + std::to_string(i);
  }
  image.bytes = std::move(*bytes);
  return write_image(request, image, source);
}

/// .ptx, .cubin and .so are taken as they are: entries name their own symbols.
BuildReply wrap_binary(const BuildRequest& request, const std::string& bytes, bool library) {
  CudaImage image;
  image.form = library ? CudaImage::Form::library : CudaImage::Form::module;
  for (const auto& entry : request.entries) image.symbols[entry] = entry;
  image.bytes = bytes;
  BuildReply reply = write_image(request, image, bytes);
  reply.uses_shared_or_atomics = true;  // a binary does not say: better one repeat too many
  return reply;
}

}  // namespace

std::string cuda_architecture() {
  if (const char* wanted = std::getenv("GATE_CUDA_ARCH")) return wanted;
  Driver driver;
  CUdevice device = 0;
  int major = 0, minor = 0;
  if (load_driver(driver) || driver.init(0) != CUDA_SUCCESS ||
      driver.device(&device, 0) != CUDA_SUCCESS ||
      driver.device_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) !=
          CUDA_SUCCESS ||
      driver.device_attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) !=
          CUDA_SUCCESS) {
    return {};
  }
  return "sm_" + std::to_string(major) + std::to_string(minor);
}

std::string cuda_build_identity() {
  Nvrtc nvrtc;
  int major = 0, minor = 0;
  if (!load_nvrtc(nvrtc)) nvrtc.version(&major, &minor);
  return cuda_architecture() + " nvrtc " + std::to_string(major) + "." + std::to_string(minor);
}

BuildReply build_cuda(const BuildRequest& request) {
  const auto source = read_file(request.source, 1u << 30);
  if (!source) return failed(Kind::environment, to_text(source.failure()));
  const std::string extension = fs::path(request.source).extension();
  if (extension == ".ptx" || extension == ".cubin") return wrap_binary(request, *source, false);
  if (extension == ".so") return wrap_binary(request, *source, true);
  if (cuda_architecture().empty()) {
    return failed(Kind::environment, "no CUDA device to compile for, and GATE_CUDA_ARCH is unset");
  }
  if (request.entries_are_kernels) {
    Nvrtc nvrtc;
    if (const auto problem = load_nvrtc(nvrtc)) return failed(Kind::environment, *problem);
    NvrtcResult result = compile_by_nvrtc(nvrtc, request, *source);
    if (result.done) return write_image(request, result.image, *source);
    if (!needs_nvcc(result.log)) return failed(Kind::build_failed, result.log);
  }
  return build_by_nvcc(request, *source);
}

}  // namespace gate
