// A seed: a committed finding, everything needed to run it again. seeds/<op>/<kernel>-<fp>.toml
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "gate/spec/case.h"
#include "gate/spec/kind.h"

namespace gate {

struct Seed {
  enum class Status { open, known, fixed };
  std::string kernel;  // name within its op
  Case test_case;
  Kind kind = Kind::wrong;
  std::string property = "value";  // of the finding (may differ from the case's: memory, build)
  std::string pattern;             // explain's pattern name, part of what the seed answers for
  std::string fingerprint;         // 32 hex digits
  int number = 1;                  // further findings of one fingerprint: 2, 3 …
  Status status = Status::open;
  std::string reason, owner, expires;           // known
  std::string input_digest;                     // SHA-256 of the input bytes
  std::string output_digest;                    // as observed
  std::map<std::string, std::string> embedded;  // tensor -> hex bytes, tensors of at most 4 KiB
  std::string found_at;                         // revision
  std::string found_on;                         // YYYY-MM-DD
  std::string device;
  std::string note;            // one sentence of explain
  std::filesystem::path file;  // where it was read from
};

std::string_view name(Seed::Status status);
/// SHA-256 over "v1", op, column, property, kind, kernel, NUL separated; first 16 bytes as hex.
std::string fingerprint(const std::string& op, const std::string& column,
                        const std::string& property, Kind kind, const std::string& kernel);

}  // namespace gate
