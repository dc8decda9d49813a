// Looking up entries, comparing signatures, calling through libffi.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/host/host_call.h"

#include <dlfcn.h>

#include <array>
#include <optional>
#include <utility>

#include "gate/device/ffi_types.h"

namespace gate {

namespace {

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

/// What libffi needs for one call; the image's guard calls `make_call` with it.
struct Call {
  HostStep* step = nullptr;
  void** values = nullptr;
  ffi_arg result = 0;
};

/// No objects with destructors here: exceptions of another runtime pass through.
void make_call(void* data) {
  auto* call = static_cast<Call*>(data);
  ffi_call(&call->step->interface, call->step->function, &call->result, call->values);
}

}  // namespace

DeviceReply refusal(Kind kind, std::string text) {
  DeviceReply reply;
  reply.error = kind;
  reply.text = std::move(text);
  return reply;
}

DeviceReply prepare_step(void* image, const LaunchStep& step, const std::string& entry,
                         HostStep& prepared) {
  if (!step.grid.empty())
    return refusal(Kind::unsupported, "host runs functions, not grids: " + entry);
  const std::string letters = letters_of(step);
  if (const auto at = letters.find('-'); at != std::string::npos) {
    const LaunchArgument& argument = step.arguments[at];
    const std::string what = argument.name.empty() ? argument.value.text() : argument.name;
    return refusal(Kind::unsupported, "host passes no " + std::string(facts(argument.dtype).name) +
                                          " by value: " + what);
  }
  const auto found = find_entry(image, entry);
  if (!found) return refusal(Kind::build_failed, "the image has no function: " + entry);
  if (found->signature != nullptr) {
    const std::string takes = found->signature + 1;
    if (takes != letters) {
      return refusal(Kind::launch_failed, entry + " takes " + words_of(takes) +
                                              "; the launch passes " + words_of(letters));
    }
    prepared.returns_int = found->signature[0] == 'i';
  }
  for (const LaunchArgument& argument : step.arguments) {
    prepared.types.push_back(is_pointer(argument) ? &ffi_type_pointer
                                                  : ffi_type_of(argument.dtype));
  }
  ffi_type* result = prepared.returns_int ? &ffi_type_sint32 : &ffi_type_void;
  if (ffi_prep_cif(&prepared.interface, FFI_DEFAULT_ABI,
                   static_cast<unsigned>(prepared.types.size()), result,
                   prepared.types.data()) != FFI_OK) {
    return refusal(Kind::unsupported, "libffi cannot call: " + entry);
  }
  prepared.guard = reinterpret_cast<GuardedCall>(::dlsym(image, guard_symbol));
  prepared.function = reinterpret_cast<void (*)()>(found->function);
  return {};
}

DeviceReply call_step(HostStep& step, const ResolvedStep& resolved) {
  // Scalars lie in the low bytes of `bits` (little endian); pointers are cells of their own.
  std::vector<ResolvedArgument> arguments = resolved.arguments;
  std::vector<void*> values;
  values.reserve(arguments.size());
  for (ResolvedArgument& argument : arguments) {
    const bool pointer = argument.is_pointer || argument.is_stream;
    values.push_back(pointer ? static_cast<void*>(&argument.pointer)
                             : static_cast<void*>(&argument.bits));
  }
  Call call{&step, values.data(), 0};
  std::array<char, 512> what{};
  if (step.guard == nullptr) {
    make_call(&call);
  } else if (step.guard(make_call, &call, what.data(), what.size()) != 0) {
    // It ends the worker, as it would end the program around it.
    DeviceReply lost = refusal(Kind::crash, "an exception left the kernel: ");
    lost.text += what.data();
    lost.device_lost = true;
    return lost;
  }
  const auto code = static_cast<std::int32_t>(call.result);
  if (step.returns_int && code != 0) {
    return refusal(Kind::launch_failed, resolved.entry + " returned " + std::to_string(code));
  }
  return {};
}

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

}  // namespace gate
