// The identity of a finding over time.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/seed.h"

#include "gate/base/hash.h"

namespace gate {

std::string_view name(Seed::Status status) {
  switch (status) {
    case Seed::Status::open:
      return "open";
    case Seed::Status::known:
      return "known";
    case Seed::Status::fixed:
      return "fixed";
  }
  return "unknown";
}

std::string fingerprint(const std::string& op, const std::string& column,
                        const std::string& property, Kind kind, const std::string& kernel) {
  constexpr std::size_t hex_digits = 32;  // 16 bytes
  std::string text = "v1";
  for (const std::string& part : {op, column, property, std::string(name(kind)), kernel}) {
    text += '\0';
    text += part;
  }
  return sha256_hex(text).substr(0, hex_digits);
}

}  // namespace gate
