// The one user of CLI11.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/arguments.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "gate/base/text.h"

namespace gate {

struct Arguments::State {
  CLI::App app;
  std::vector<std::string> flags;
};

Arguments::Arguments() : state_(std::make_unique<State>()) {
  state_->app.set_help_flag();
  state_->app.allow_extras();
}

Arguments::~Arguments() = default;

void Arguments::flag(const std::string& name, bool& target) {
  state_->app.add_flag(name, target);
  state_->flags.push_back(name);
}

void Arguments::option(const std::string& name, std::string& target) {
  state_->app.add_option(name, target);
  state_->flags.push_back(name);
}

void Arguments::option(const std::string& name, std::optional<std::int64_t>& target) {
  state_->app.add_option(name, target);
  state_->flags.push_back(name);
}

void Arguments::option(const std::string& name, std::optional<double>& target) {
  state_->app.add_option(name, target);
  state_->flags.push_back(name);
}

void Arguments::positional(const std::string& name, std::vector<std::string>& target) {
  state_->app.add_option(name, target);
}

Result<Done> Arguments::parse(const std::vector<std::string>& arguments) {
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
  try {
    state_->app.parse(reversed);
  } catch (const CLI::Error& error) {
    return user_failure(clean_text(error.what(), 500));
  }
  const std::vector<std::string> unknown = state_->app.remaining();
  if (unknown.empty()) return Done{};
  const std::string& first = unknown.front();
  const bool is_flag = first.starts_with("-");
  const auto close = nearest(first.substr(0, first.find('=')), state_->flags);
  std::string hint = "--help lists what is accepted";
  if (is_flag && close) hint = "did you mean " + *close + "?";
  return user_failure(
      (is_flag ? "unknown flag: " : "unexpected argument: ") + clean_text(first, 200), hint);
}

}  // namespace gate
