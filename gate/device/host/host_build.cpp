// Building for the `host` device: the system's C++ compiler makes a shared object of the source and
// the entry table; a shared object is taken as it is.
// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <optional>

#include "gate/base/files.h"
#include "gate/base/process.h"
#include "gate/base/text.h"
#include "gate/device/host/entry_table.h"

namespace gate {

namespace {

constexpr int compile_ms_max = 110'000;  // below the gate's own deadline for a build
constexpr std::size_t message_bytes = 12u << 10;

constexpr const char* signature_code = R"(
namespace gate_entry {
template <class T>
constexpr char letter() {
  if (std::is_void_v<T>) return 'v';
  if (std::is_pointer_v<T>) return 'p';
  if (std::is_same_v<T, float>) return 'f';
  if (std::is_same_v<T, double>) return 'd';
  if constexpr (std::is_integral_v<T> || std::is_enum_v<T>) {
    return sizeof(T) == 1 ? 'b' : sizeof(T) == 2 ? 's' : sizeof(T) == 4 ? 'i' : 'l';
  }
  return '?';
}
template <class F>
struct Signature;
template <class R, class... A>
struct Signature<R (*)(A...)> {
  static constexpr char text[] = {letter<R>(), letter<A>()..., 0};
};
template <class R, class... A>
struct Signature<R (*)(A...) noexcept> : Signature<R (*)(A...)> {};
struct Row {
  const char* name;
  void* function;
  const char* signature;
};
}  // namespace gate_entry
)";

std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result + "\"";
}

/// Full path of the first C++ compiler in PATH.
std::optional<std::filesystem::path> compiler() {
  const char* path = std::getenv("PATH");
  for (const char* name : {"c++", "g++", "clang++"}) {
    for (const std::string& folder : split(path != nullptr ? path : "/usr/bin:/bin", ':')) {
      const auto candidate = std::filesystem::path(folder) / name;
      if (!folder.empty() && ::access(candidate.c_str(), X_OK) == 0) return candidate;
    }
  }
  return {};
}

BuildReply take_shared_object(const BuildRequest& request) {
  std::error_code error;
  std::filesystem::copy_file(request.source, request.output,
                             std::filesystem::copy_options::overwrite_existing, error);
  if (error)
    return {Kind::build_failed, "cannot read the shared object: " + error.message(), false};
  return {};
}

std::vector<std::string> command(const BuildRequest& request, const std::string& table) {
  const auto folder = std::filesystem::path(request.source).parent_path().string();
  std::vector<std::string> words = {
      compiler()->string(), "-std=c++20", "-O2",         "-fPIC",      "-shared",
      "-pthread",           "-w",         "-Wl,-z,defs", "-I" + folder};
  if (!request.dependencies.empty()) {
    words.insert(words.end(), {"-MD", "-MF", request.dependencies});
  }
  for (const std::string& define : request.defines) words.push_back("-D" + define);
  words.insert(words.end(), {"-o", request.output, table});
  return words;
}

}  // namespace

std::string entry_table_source(const BuildRequest& request) {
  std::string text = "#include " + literal(request.source) + "\n#include <type_traits>\n";
  text += "#line 1 \"entry table\"";
  text += signature_code;
  text += "extern \"C\" __attribute__((visibility(\"default\"))) const gate_entry::Row ";
  text += std::string(entry_table_symbol) + "[] = {\n";
  for (const std::string& entry : request.entries) {
    text += "#line 1 \"entry " + literal(entry).substr(1) + "\n";
    text += "{" + literal(entry) + ", reinterpret_cast<void*>(&" + entry + "), ";
    text += "gate_entry::Signature<decltype(&" + entry + ")>::text},\n";
  }
  return text + "{nullptr, nullptr, nullptr}};\n";
}

BuildReply build_host_image(const BuildRequest& request) {
  const std::string kind = std::filesystem::path(request.source).extension().string();
  if (kind == ".so") return take_shared_object(request);
  if (kind != ".cpp") return {Kind::unsupported, "host takes .cpp and .so: " + kind, false};
  if (!compiler()) return {Kind::environment, "no C++ compiler (c++, g++, clang++) in PATH", false};
  const std::string table = request.output + ".entries.cpp";
  if (const auto written = write_file(table, entry_table_source(request)); !written) {
    return {Kind::environment, to_text(written.failure()), false};
  }
  ProcessOptions options;
  options.timeout_ms = compile_ms_max;
  const auto ended = run_process(command(request, table), options);
  std::error_code error;
  std::filesystem::remove(table, error);
  if (!ended) return {Kind::environment, to_text(ended.failure()), false};
  if (ended->timed_out) return {Kind::build_failed, "the compiler did not end in time", false};
  if (ended->exit_code == 0) return {};
  return {Kind::build_failed, clean_text(ended->errors, message_bytes), false};
}

std::string host_build_identity() {
  const auto program = compiler();
  if (!program) return "none";
  std::error_code error;
  const auto real = std::filesystem::canonical(*program, error);
  struct stat facts {};
  if (error || ::stat(real.c_str(), &facts) != 0) return "unknown";
  return real.string() + " " + std::to_string(facts.st_size) + " " +
         std::to_string(facts.st_mtim.tv_sec) + "." + std::to_string(facts.st_mtim.tv_nsec);
}

}  // namespace gate
