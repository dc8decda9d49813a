// The `host` device: kernels are functions of a shared object, called through libffi with pointers
// at element 0 and scalars by value. One job at a time.
// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <ffi.h>

#include <array>
#include <chrono>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include "gate/device/cpp_compiler.h"
#include "gate/device/device.h"
#include "gate/device/host/entry_table.h"

namespace gate {

namespace {

/// One launch step, ready to be called. Not moved once prepared: the interface points into it.
struct HostStep {
  void (*function)() = nullptr;
  bool returns_int = false;
  std::vector<ffi_type*> types;
  ffi_cif interface {};
};

struct HostState {
  LoadRequest request;
  void* image = nullptr;
  std::vector<std::unique_ptr<HostStep>> steps;
  std::vector<DeviceReply> ready;
};

ffi_type* ffi_type_of(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return &ffi_type_double;
    case DType::f32:
      return &ffi_type_float;
    case DType::i32:
      return &ffi_type_sint32;
    case DType::i64:
      return &ffi_type_sint64;
    case DType::i8:
      return &ffi_type_sint8;
    case DType::u8:
    case DType::boolean:
      return &ffi_type_uint8;
    case DType::f16:
    case DType::bf16:
    case DType::f8e4m3:
    case DType::f8e5m2:
      return nullptr;
  }
  return nullptr;
}

DeviceReply refusal(Kind kind, std::string text) {
  DeviceReply reply;
  reply.error = kind;
  reply.text = std::move(text);
  return reply;
}

bool is_pointer(const LaunchArgument& argument) {
  return argument.what == LaunchArgument::What::tensor ||
         argument.what == LaunchArgument::What::workspace ||
         argument.what == LaunchArgument::What::stream;
}

const EntryRow* find_row(void* image, const std::string& entry) {
  const auto* row = static_cast<const EntryRow*>(::dlsym(image, entry_table_symbol));
  for (; row != nullptr && row->name != nullptr; ++row) {
    if (entry == row->name) return row;
  }
  return nullptr;
}

/// Address and signature; a shared object without a table has C symbols only, result unknown.
std::optional<EntryRow> find_entry(void* image, const std::string& entry) {
  if (const EntryRow* row = find_row(image, entry)) return *row;
  if (void* symbol = ::dlsym(image, entry.c_str())) return EntryRow{nullptr, symbol, nullptr};
  return {};
}

/// What the launch passes, in the letters of a signature; '-' for what cannot be passed.
std::string letters_of(const LaunchStep& step) {
  std::string letters;
  for (const LaunchArgument& argument : step.arguments) {
    const char letter = is_pointer(argument) ? 'p' : signature_letter(argument.dtype);
    letters += letter == 0 ? '-' : letter;
  }
  return letters;
}

std::string words_of(const std::string& letters) {
  std::string words;
  for (const char letter : letters) {
    if (!words.empty()) words += ", ";
    switch (letter) {
      case 'p':
        words += "pointer";
        break;
      case 'f':
        words += "f32";
        break;
      case 'd':
        words += "f64";
        break;
      case 'b':
        words += "i8";
        break;
      case 's':
        words += "i16";
        break;
      case 'i':
        words += "i32";
        break;
      case 'l':
        words += "i64";
        break;
      default:
        words += "another type";
    }
  }
  return words.empty() ? "nothing" : words;
}

DeviceReply prepare(HostState& state, const LaunchStep& step) {
  const std::string& entry = step.entry.at(state.request.column);
  if (!step.grid.empty())
    return refusal(Kind::unsupported, "host runs functions, not grids: " + entry);
  const std::string letters = letters_of(step);
  if (const auto at = letters.find('-'); at != std::string::npos) {
    const LaunchArgument& argument = step.arguments[at];
    const std::string what = argument.name.empty() ? argument.value.text() : argument.name;
    return refusal(Kind::unsupported, "host passes no " + std::string(facts(argument.dtype).name) +
                                          " by value: " + what);
  }
  const auto found = find_entry(state.image, entry);
  if (!found) return refusal(Kind::build_failed, "the image has no function: " + entry);
  auto prepared = std::make_unique<HostStep>();
  if (found->signature != nullptr) {
    const std::string takes = found->signature + 1;
    if (takes != letters) {
      return refusal(Kind::launch_failed, entry + " takes " + words_of(takes) +
                                              "; the launch passes " + words_of(letters));
    }
    prepared->returns_int = found->signature[0] == 'i';
  }
  for (const LaunchArgument& argument : step.arguments) {
    prepared->types.push_back(is_pointer(argument) ? &ffi_type_pointer
                                                   : ffi_type_of(argument.dtype));
  }
  ffi_type* result = prepared->returns_int ? &ffi_type_sint32 : &ffi_type_void;
  if (ffi_prep_cif(&prepared->interface, FFI_DEFAULT_ABI,
                   static_cast<unsigned>(prepared->types.size()), result,
                   prepared->types.data()) != FFI_OK) {
    return refusal(Kind::unsupported, "libffi cannot call: " + entry);
  }
  prepared->function = reinterpret_cast<void (*)()>(found->function);
  state.steps.push_back(std::move(prepared));
  return {};
}

DeviceReply load_image(HostState& state, const LoadRequest& request) {
  state.request = request;
  state.image = ::dlopen(request.image.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (state.image == nullptr) {
    const char* problem = ::dlerror();
    return refusal(Kind::build_failed, problem != nullptr ? problem : "cannot load the image");
  }
  for (const LaunchStep& step : state.request.launch) {
    DeviceReply reply = prepare(state, step);
    if (reply.error != Kind::pass) return reply;
  }
  return {};
}

/// Calls one step; the launcher's own result decides.
DeviceReply call_step(const HostState& state, std::size_t number, const DeviceJob& job) {
  const auto resolved = resolve(state.request.launch[number], state.request.column, job);
  if (!resolved) return refusal(Kind::unsupported, to_text(resolved.failure()));
  HostStep& step = *state.steps[number];
  // Scalars lie in the low bytes of `bits` (little endian); pointers are cells of their own.
  std::vector<ResolvedArgument> arguments = resolved->arguments;
  std::vector<void*> values;
  values.reserve(arguments.size());
  for (ResolvedArgument& argument : arguments) {
    const bool pointer = argument.is_pointer || argument.is_stream;
    values.push_back(pointer ? static_cast<void*>(&argument.pointer)
                             : static_cast<void*>(&argument.bits));
  }
  ffi_arg result = 0;
  ffi_call(&step.interface, step.function, &result, values.data());
  const auto code = static_cast<std::int32_t>(result);
  if (step.returns_int && code != 0) {
    return refusal(Kind::launch_failed, resolved->entry + " returned " + std::to_string(code));
  }
  return {};
}

DeviceReply run_steps(const HostState& state, const DeviceJob& job) {
  for (int call = 0; call < job.repeat; ++call) {
    for (std::size_t i = 0; i < state.steps.size(); ++i) {
      DeviceReply reply = call_step(state, i, job);
      if (reply.error != Kind::pass) return reply;
    }
  }
  return {};
}

/// An exception that leaves a kernel ends the worker, as it would end the program around it.
DeviceReply run_guarded(const HostState& state, const DeviceJob& job) {
  DeviceReply lost = refusal(Kind::crash, "an exception left the kernel");
  lost.device_lost = true;
  try {
    return run_steps(state, job);
  } catch (const std::exception& error) {
    lost.text += ": " + std::string(error.what());
  } catch (...) {
    lost.text += " that is no std::exception";
  }
  return lost;
}

void start_job(HostState& state, const DeviceJob& job) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  DeviceReply reply = run_guarded(state, job);
  reply.kernel_us = std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
  reply.number = job.number;
  state.ready.push_back(std::move(reply));
}

}  // namespace

char signature_letter(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return 'd';
    case DType::f32:
      return 'f';
    case DType::i32:
      return 'i';
    case DType::i64:
      return 'l';
    case DType::i8:
    case DType::u8:
    case DType::boolean:
      return 'b';
    case DType::f16:
    case DType::bf16:
    case DType::f8e4m3:
    case DType::f8e5m2:
      return 0;
  }
  return 0;
}

Device make_host_device() {
  auto state = std::make_shared<HostState>();
  Device device;
  device.build = build_host_image;
  device.build_identity = cpp_compiler_identity;
  device.open = [] { return DeviceReply{}; };
  device.facts = [] { return std::string("{\"device\": \"host\"}"); };
  device.load = [state](const LoadRequest& request) { return load_image(*state, request); };
  device.start = [state](const DeviceJob& job) { start_job(*state, job); };
  device.finish = [state](bool) { return std::exchange(state->ready, {}); };
  return device;
}

}  // namespace gate
