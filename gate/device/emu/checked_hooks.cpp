// Hooks for reads, writes, their volatile and unaligned forms, ranges, and compiler atomics. They
// are named by assembler labels, because the compiler knows the C names with types of its own.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/checked_hooks.h"

#include <fmt/format.h>

#include <string_view>

namespace gate {

namespace {

constexpr std::string_view attributes =
    "__attribute__((no_sanitize(\"thread\"), noinline, used, visibility(\"hidden\")))";

std::string hook(std::string_view label, std::string_view parameters, std::string_view body) {
  return fmt::format(
      "extern \"C\" {1} void gate_hook{0}({2}) __asm__(\"{0}\");\n"
      "extern \"C\" {1} void gate_hook{0}({2}) {{ {3} }}\n",
      label, attributes, parameters, body);
}

std::string access_hooks() {
  std::string text;
  for (const int bytes : {1, 2, 4, 8, 16}) {
    for (const std::string_view form : {"", "unaligned_", "volatile_", "unaligned_volatile_"}) {
      for (const bool write : {false, true}) {
        const bool is_volatile = form.find("volatile") != std::string_view::npos;
        const std::string what = fmt::format("{} | {}", write ? "1" : "0", is_volatile ? "2" : "0");
        text += hook(
            fmt::format("__tsan_{}{}{}", form, write ? "write" : "read", bytes), "void* p",
            fmt::format("::gate_emu::told(p, {}, {}, __builtin_return_address(0));", bytes, what));
      }
    }
  }
  text += hook("__tsan_read_range", "void* p, unsigned long n",
               "::gate_emu::told(p, n, 0, __builtin_return_address(0));");
  text += hook("__tsan_write_range", "void* p, unsigned long n",
               "::gate_emu::told(p, n, 1, __builtin_return_address(0));");
  for (const std::string_view label : {"__tsan_init", "__tsan_func_exit"}) {
    text += hook(label, "", "");
  }
  text += hook("__tsan_func_entry", "void*", "");
  text += hook("__tsan_vptr_update", "void*, void*", "");
  text += hook("__tsan_vptr_read", "void*", "");
  return text;
}

/// std::atomic and the __atomic builtins, should a source use them: one thread runs at a time.
std::string atomic_hooks() {
  std::string text;
  for (const int bits : {8, 16, 32, 64}) {
    const std::string_view plain = bits == 8    ? "unsigned char"
                                   : bits == 16 ? "unsigned short"
                                   : bits == 32 ? "unsigned int"
                                                : "unsigned long";
    const auto add = [&](std::string_view name, std::string_view result,
                         std::string_view parameters, std::string_view body) {
      const std::string label = fmt::format("__tsan_atomic{}_{}", bits, name);
      text += fmt::format(
          "extern \"C\" {1} {2} gate_hook{0}({3}) __asm__(\"{0}\");\n"
          "extern \"C\" {1} {2} gate_hook{0}({3}) {{ "
          "::gate_emu::told(p, {4}, 4, __builtin_return_address(0)); {5} }}\n",
          label, attributes, result, parameters, bits / 8, body);
    };
    add("load", plain, fmt::format("{}* p, int", plain), "return *p;");
    add("store", "void", fmt::format("{0}* p, {0} v, int", plain), "*p = v;");
    add("exchange", plain, fmt::format("{0}* p, {0} v, int", plain),
        "auto old = *p; *p = v; return old;");
    for (const auto& [name, op] :
         {std::pair{"add", "+"}, {"sub", "-"}, {"and", "&"}, {"or", "|"}, {"xor", "^"}}) {
      add(fmt::format("fetch_{}", name), plain, fmt::format("{0}* p, {0} v, int", plain),
          fmt::format("auto old = *p; *p = old {} v; return old;", op));
    }
    for (const std::string_view strength : {"strong", "weak"}) {
      add(fmt::format("compare_exchange_{}", strength), "int",
          fmt::format("{0}* p, {0}* e, {0} v, int, int", plain),
          "if (*p == *e) { *p = v; return 1; } *e = *p; return 0;");
    }
  }
  text += hook("__tsan_atomic_thread_fence", "int", "");
  text += hook("__tsan_atomic_signal_fence", "int", "");
  return text;
}

}  // namespace

std::string checked_hooks() {
  return fmt::format(
             "\n# 1 \"the hooks of the checked variant\"\n"
             "namespace gate_emu {{\n"
             "{} static void told(const void* p, size_t n, int what, const void* pc) {{\n"
             "  if (here.watching != 0 || (what & 6) != 0)\n"
             "    here.runtime->access({{p, n, what, pc, {{nullptr, 0}}}});\n"
             "}}\n}}\n",
             "__attribute__((no_sanitize(\"thread\")))") +
         access_hooks() + atomic_hooks();
}

}  // namespace gate
