// vcvttss2sil and vcvttsd2sil are replaced by: to double (exact), NaN to 0, limit from above,
// convert; the lower limit is what the processor gives anyway. Flags are left alone, because the
// compiler may test them later; two registers are kept in a static place, because one thread runs.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/assembly.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace gate {

namespace {

constexpr std::string_view area =
    "\n\t.local\tgate_conversion_area\n\t.comm\tgate_conversion_area,32,16\n"
    "\t.section\t.rodata.gate_conversion,\"a\"\n\t.align 8\n"
    "gate_conversion_limit:\n\t.double\t2147483647.0\n";

/// Two registers the operand does not use.
std::array<std::string_view, 2> scratch(std::string_view source) {
  if (source == "%xmm15") return {"%xmm14", "%xmm13"};
  if (source == "%xmm14") return {"%xmm15", "%xmm13"};
  return {"%xmm15", "%xmm14"};
}

std::string conversion(bool from_float, std::string_view source, std::string_view target) {
  const auto [t, u] = scratch(source);
  const bool is_register = source.starts_with("%xmm");
  const std::string load = from_float    ? fmt::format("vcvtss2sd\t{}, {}, {}", source, t, t)
                           : is_register ? fmt::format("vmovapd\t{}, {}", source, t)
                                         : fmt::format("vmovsd\t{}, {}", source, t);
  return fmt::format(
      "\tvmovups\t{0}, gate_conversion_area(%rip)\n"
      "\tvmovups\t{1}, gate_conversion_area+16(%rip)\n"
      "\t{2}\n"
      "\tvcmpordsd\t{0}, {0}, {1}\n"
      "\tvandpd\t{1}, {0}, {0}\n"
      "\tvminsd\tgate_conversion_limit(%rip), {0}, {0}\n"
      "\tvcvttsd2si\t{0}, {3}\n"
      "\tvmovups\tgate_conversion_area(%rip), {0}\n"
      "\tvmovups\tgate_conversion_area+16(%rip), {1}\n",
      t, u, load, target);
}

}  // namespace

std::string with_saturating_conversions(const std::string& assembly) {
  std::string result;
  result.reserve(assembly.size() + area.size());
  bool used = false;
  for (std::size_t at = 0; at < assembly.size();) {
    const std::size_t end = std::min(assembly.find('\n', at), assembly.size() - 1) + 1;
    const std::string_view line(assembly.data() + at, end - at);
    at = end;
    const bool from_float = line.starts_with("\tvcvttss2sil\t");
    if (!from_float && !line.starts_with("\tvcvttsd2sil\t")) {
      result += line;
      continue;
    }
    // The target is a register and comes last: "source, %eax".
    const std::string_view operands = line.substr(13, line.size() - 14);
    const std::size_t comma = operands.rfind(", ");
    result += conversion(from_float, operands.substr(0, comma), operands.substr(comma + 2));
    used = true;
  }
  if (used) result += area;
  return result;
}

}  // namespace gate
