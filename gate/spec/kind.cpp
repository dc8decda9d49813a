// Tables of the verdict words.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/kind.h"

#include <array>

#include "gate/spec/words.h"

namespace gate {
namespace {

constexpr std::array all{
    Kind::pass,
    Kind::wrong,
    Kind::nonfinite,
    Kind::law_broken,
    Kind::nondeterministic,
    Kind::out_of_bounds,
    Kind::unwritten,
    Kind::input_modified,
    Kind::crash,
    Kind::timeout,
    Kind::barrier,
    Kind::launch_failed,
    Kind::build_failed,
    Kind::unsupported,
    Kind::not_checked,
    Kind::environment,
};
constexpr std::array classes{Class::clean, Class::illusion, Class::defect, Class::unchecked};

}  // namespace

Colour colour(Kind kind) {
  switch (kind) {
    case Kind::pass:
      return Colour::green;
    case Kind::unsupported:
    case Kind::not_checked:
    case Kind::environment:
      return Colour::grey;
    case Kind::wrong:
    case Kind::nonfinite:
    case Kind::law_broken:
    case Kind::nondeterministic:
    case Kind::out_of_bounds:
    case Kind::unwritten:
    case Kind::input_modified:
    case Kind::crash:
    case Kind::timeout:
    case Kind::barrier:
    case Kind::launch_failed:
    case Kind::build_failed:
      break;
  }
  return Colour::red;
}

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::pass:
      return "pass";
    case Kind::wrong:
      return "wrong";
    case Kind::nonfinite:
      return "nonfinite";
    case Kind::law_broken:
      return "law_broken";
    case Kind::nondeterministic:
      return "nondeterministic";
    case Kind::out_of_bounds:
      return "out_of_bounds";
    case Kind::unwritten:
      return "unwritten";
    case Kind::input_modified:
      return "input_modified";
    case Kind::crash:
      return "crash";
    case Kind::timeout:
      return "timeout";
    case Kind::barrier:
      return "barrier";
    case Kind::launch_failed:
      return "launch_failed";
    case Kind::build_failed:
      return "build_failed";
    case Kind::unsupported:
      return "unsupported";
    case Kind::not_checked:
      return "not_checked";
    case Kind::environment:
      return "environment";
  }
  return "unknown";
}

std::optional<Kind> kind_named(std::string_view text) {
  for (const Kind kind : all) {
    if (name(kind) == text) return kind;
  }
  return std::nullopt;
}

std::span<const Kind> all_kinds() { return all; }

std::string_view name(Class value) {
  switch (value) {
    case Class::clean:
      return "clean";
    case Class::illusion:
      return "illusion";
    case Class::defect:
      return "defect";
    case Class::unchecked:
      return "unchecked";
  }
  return "unknown";
}

std::optional<Class> class_named(std::string_view text) {
  for (const Class value : classes) {
    if (name(value) == text) return value;
  }
  return std::nullopt;
}

bool is_property(std::string_view text) {
  if (text.starts_with(property_law_prefix)) {
    return is_identifier(text.substr(property_law_prefix.size()));
  }
  return text == property_value || text == property_special || text == property_repeat ||
         text == property_memory || text == property_build;
}

}  // namespace gate
