// Entries: kernels (template instances and overloads too) and extern "C" launchers by name.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/entries.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/text.h"

namespace gate {

namespace {

std::string base_name(const std::string& entry) {
  std::string name(trim(entry.substr(0, entry.find('<'))));
  return name.starts_with("::") ? name.substr(2) : name;
}

std::string list_of(const std::vector<std::string>& names) {
  return names.empty() ? "none" : join(names, ", ");
}

Failure missing(const std::string& entry, std::vector<std::string> names, const char* what) {
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return user_failure(
      fmt::format("no {} `{}` in the source; it has: {}", what, entry, list_of(names)));
}

Result<std::string> kernel_rows(const Translation& translation, const std::string& entry) {
  const std::string base = base_name(entry);
  const bool instance = entry.find('<') != std::string::npos;
  std::vector<const KernelDeclaration*> overloads;
  std::vector<std::string> names;
  for (const KernelDeclaration& kernel : translation.kernels) {
    names.push_back(kernel.name);
    if (kernel.name != base || kernel.is_template != instance) continue;
    const bool known = std::any_of(overloads.begin(), overloads.end(), [&](const auto* other) {
      return other->parameter_types == kernel.parameter_types;
    });
    if (!known) overloads.push_back(&kernel);
  }
  if (overloads.empty()) {
    if (std::find(names.begin(), names.end(), base) != names.end()) {
      return user_failure(instance ? fmt::format("`{}` is not a template", base)
                                   : fmt::format("`{0}` is a template: name an instance such as "
                                                 "{0}<float>",
                                                 base));
    }
    return missing(entry, names, "__global__ function");
  }
  std::string rows;
  const std::string name = entry.starts_with("::") ? entry : "::" + entry;
  for (const KernelDeclaration* kernel : overloads) {
    const std::string address = instance || overloads.size() == 1
                                    ? "&" + name
                                    : fmt::format("static_cast<void (*)({})>(&{})",
                                                  join(kernel->parameter_types, ", "), name);
    rows += fmt::format("  ::gate_emu::kernel_entry<{}>(\"{}\"),", address, entry);
  }
  return rows;
}

Result<std::string> launcher_row(const Translation& translation, const std::string& entry) {
  std::vector<std::string> names;
  for (const HostFunction& function : translation.functions) {
    if (function.c_linkage) names.push_back(function.name);
    if (function.name != base_name(entry)) continue;
    if (!function.c_linkage) {
      return user_failure(fmt::format("the host launcher `{}` must be extern \"C\"", entry));
    }
    return fmt::format("  ::gate_emu::launcher_entry<&::{}>(\"{}\"),", base_name(entry), entry);
  }
  return missing(entry, names, "extern \"C\" function");
}

}  // namespace

Result<std::string> entry_table(const Translation& translation, const BuildRequest& request) {
  std::string rows;
  for (const std::string& entry : request.entries) {
    const auto row = request.entries_are_kernels ? kernel_rows(translation, entry)
                                                 : launcher_row(translation, entry);
    if (!row) return row.failure();
    rows += *row;
  }
  return fmt::format(
      "\n# 1 \"the entries of the kernel file\"\n"
      "namespace gate_emu {{ namespace {{ constexpr Entry gate_entries[] = {{{} {{}} }}; }} }}\n"
      "extern \"C\" __attribute__((visibility(\"default\"), used)) "
      "const ::gate_emu::Image gate_emu_image = {{::gate_emu::abi_version, "
      "__gate_checked, {}, {}, "
      "::gate_emu::gate_entries, sizeof(::gate_emu::gate_entries) / "
      "sizeof(::gate_emu::Entry) - 1, &::gate_emu::here, "
      "reinterpret_cast<::gate_emu::Index3*>(&::threadIdx), "
      "reinterpret_cast<::gate_emu::Index3*>(&::blockIdx), "
      "reinterpret_cast<::gate_emu::Index3*>(&::blockDim), "
      "reinterpret_cast<::gate_emu::Index3*>(&::gridDim)}};\n",
      rows, translation.facts.needs_fibers, translation.facts.has_volatile);
}

}  // namespace gate
