// gate-publish: argv and environment -> exit code. The only program that sees a token.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "gate/publish/publish.h"

namespace {

constexpr int exit_wrong_use = 2;
constexpr int exit_own_bug = 70;

std::string variable(const std::string& name) {
  const char* const value = std::getenv(name.c_str());
  return value == nullptr ? std::string() : std::string(value);
}

int run(const std::vector<std::string>& arguments) {
  const auto asks = [](const std::string& word) { return word == "--help" || word == "-h"; };
  if (std::any_of(arguments.begin(), arguments.end(), asks)) {
    std::cout << gate::publish_usage();
    return 0;
  }
  const auto options = gate::parse_publish_options(arguments, &variable);
  if (!options) {
    std::cerr << gate::to_text(options.failure()) << "\n";
    return exit_wrong_use;
  }
  return gate::publish(*options, gate::system_clock(), {std::cout, std::cerr});
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run({argv + (argc > 0 ? 1 : 0), argv + argc});
  } catch (const std::exception& problem) {
    std::cerr << "gate-publish: internal error: " << problem.what() << "\n";
  } catch (...) {
    std::cerr << "gate-publish: internal error\n";
  }
  return exit_own_bug;
}
