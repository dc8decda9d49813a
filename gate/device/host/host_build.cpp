// Building for the `host` device: the system's C++ compiler makes a shared object of the source and
// the entry table; a shared object is taken as it is.
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>

#include "gate/device/cpp_compiler.h"
#include "gate/device/host/entry_table.h"

namespace gate {

namespace {

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
extern "C" __attribute__((visibility("default"))) int gate_guarded(void (*call)(void*), void* data,
                                                                   char* text, std::size_t bytes) {
  const char* what = "not a std::exception";
  try {
    call(data);
    return 0;
  } catch (const std::exception& error) {
    for (what = error.what(); bytes > 1 && *what != 0; --bytes) *text++ = *what++;
  } catch (...) {
    for (; bytes > 1 && *what != 0; --bytes) *text++ = *what++;
  }
  *text = 0;
  return 1;
}
)";

std::string literal(std::string_view text) {
  std::string result = "\"";
  for (const char letter : text) {
    if (letter == '"' || letter == '\\') result += '\\';
    result += letter == '\n' ? ' ' : letter;
  }
  return result + "\"";
}

BuildReply take_shared_object(const BuildRequest& request) {
  std::error_code error;
  std::filesystem::copy_file(request.source, request.output,
                             std::filesystem::copy_options::overwrite_existing, error);
  if (error)
    return {Kind::build_failed, "cannot read the shared object: " + error.message(), false};
  return {};
}

}  // namespace

std::string entry_table_source(const BuildRequest& request) {
  std::string text = "#include " + literal(request.source) +
                     "\n#include <cstddef>\n#include <exception>\n#include <type_traits>\n";
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
  const auto folder = std::filesystem::path(request.source).parent_path().string();
  return compile_cpp(request, entry_table_source(request), {"-I" + folder});
}

}  // namespace gate
