// Writing seed files: stable text, every value read back equal.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/spec/read.h"
#include "gate/spec/scalar_text.h"
#include "gate/spec/seed_layout.h"
#include "gate/spec/toml_document.h"

namespace gate {
namespace {

/// `key = "text"`, or nothing for an empty text.
std::string line(std::string_view key, const std::string& text) {
  return text.empty() ? "" : fmt::format("{} = {}\n", key, toml_string(text));
}

std::string schedule_lines(const Schedule& schedule) {
  switch (schedule.order) {
    case Schedule::Order::ascending:
      return line("schedule", "ascending");
    case Schedule::Order::descending:
      return line("schedule", "descending");
    case Schedule::Order::shuffled:
      break;
  }
  return line("schedule", "shuffled") + line("schedule_key", hex64(schedule.key));
}

std::string tensor_lines(const std::string& name, const TensorChoice& tensor) {
  std::string text = fmt::format("\n[case.tensors.{}]\n", name) + line("layout", tensor.layout);
  if (tensor.padding != 0) text += fmt::format("padding = {}\n", tensor.padding);
  if (tensor.step != 1) text += fmt::format("step = {}\n", tensor.step);
  if (tensor.offset != 0) text += fmt::format("offset = {}\n", tensor.offset);
  text += line("profile", tensor.profile);
  if (tensor.elements.empty()) return text;
  text += "elements = [\n";
  for (const ElementOverride& element : tensor.elements) {
    text += fmt::format("  [{}, \"{:#x}\"],\n", element.element, element.bits);
  }
  return text + "]\n";
}

std::string case_lines(const Case& value) {
  std::string text = "\n[case]\n" + line("op", value.op) + line("column", value.column) +
                     line("property", value.property) + line("key", hex64(value.key)) +
                     schedule_lines(value.schedule);
  if (!value.axes.empty()) {
    text += "\n[case.axes]\n";
    for (const auto& [name, size] : value.axes) text += fmt::format("{} = {}\n", name, size);
  }
  if (!value.attributes.empty()) {
    text += "\n[case.attributes]\n";
    for (const auto& [name, scalar] : value.attributes) {
      const auto* integer = std::get_if<std::int64_t>(&scalar);
      text += integer ? fmt::format("{} = {}\n", name, *integer)
                      : line(name, hex_float(std::get<double>(scalar)));
    }
  }
  for (const auto& [name, tensor] : value.tensors) text += tensor_lines(name, tensor);
  return text;
}

}  // namespace

std::string to_toml(const Seed& seed) {
  std::string text = fmt::format("version = {}\n\n[finding]\n", seed_version);
  text += line("kernel", seed.kernel) + line("kind", std::string(name(seed.kind))) +
          line("property", seed.property) + line("pattern", seed.pattern) +
          line("fingerprint", seed.fingerprint);
  if (seed.number != 1) text += fmt::format("number = {}\n", seed.number);
  text += line("note", seed.note);
  text += "\n[status]\n" + line("is", std::string(name(seed.status))) +
          line("reason", seed.reason) + line("owner", seed.owner) + line("expires", seed.expires);
  text += case_lines(seed.test_case);
  text += "\n[digest]\n" + line("input", seed.input_digest) + line("output", seed.output_digest);
  const std::string found =
      line("at", seed.found_at) + line("on", seed.found_on) + line("device", seed.device);
  if (!found.empty()) text += "\n[found]\n" + found;
  if (!seed.embedded.empty()) {
    text += "\n[embedded]\n";
    for (const auto& [name, hex] : seed.embedded) {
      text += fmt::format("{} = {}\n", name, toml_string(hex));
    }
  }
  return text;
}

}  // namespace gate
