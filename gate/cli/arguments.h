// Flags of a verb, parsed by CLI11; the library stays behind this header.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gate/base/result.h"

namespace gate {

/// Declares what a verb takes, then parses: an unknown flag or a bad value is a user failure with
/// the nearest known flag as its hint.
class Arguments {
 public:
  Arguments();
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  void flag(const std::string& name, bool& target);
  void option(const std::string& name, std::string& target);
  void option(const std::string& name, std::optional<std::int64_t>& target);
  void option(const std::string& name, std::optional<double>& target);
  void positional(const std::string& name, std::vector<std::string>& target);
  Result<Done> parse(const std::vector<std::string>& arguments);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace gate
