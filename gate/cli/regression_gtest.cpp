// gate replay --gtest: a finding as a GoogleTest program that needs neither the gate nor its files.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/cli/regression_code.h"

namespace gate {
namespace {

/// Text of a test beyond this is no regression test anybody keeps.
constexpr std::size_t test_bytes_max = 4u << 20;

constexpr std::string_view includes =
    "#include <algorithm>\n#include <cmath>\n#include <cstddef>\n#include <cstdint>\n"
    "#include <cstdio>\n#include <cstring>\n#include <string>\n#include <utility>\n"
    "#include <vector>\n";

std::string command(const RegressionInput& input) {
  const std::string kind = source_kind(*input.target.kernel);
  if (kind == ".cu") return "nvcc -std=c++17 -arch=native -I. THIS.cu -lgtest -lgtest_main";
  if (kind == ".so") return "g++ -std=c++20 THIS.cpp KERNEL.so -lgtest -lgtest_main -pthread";
  return "g++ -std=c++20 -O2 -I. THIS.cpp -lgtest -lgtest_main -pthread";
}

std::string identifier(const std::string& text) {
  std::string result = text;
  for (char& letter : result) {
    const bool fine = std::isalnum(static_cast<unsigned char>(letter)) != 0;
    if (!fine) letter = '_';
  }
  return result;
}

}  // namespace

Result<std::string> to_gtest(const RegressionInput& input) {
  const std::string kind = source_kind(*input.target.kernel);
  if (kind != ".cpp" && kind != ".cu" && kind != ".so") {
    return user_failure("--gtest needs a .cpp, .cu or .so kernel; this one is " + kind,
                        kind == ".py" ? "--pytest writes a Python test" : "");
  }
  if (const auto reason = no_plain_test(input)) {
    return user_failure("no plain test can show this finding: " + *reason);
  }
  const Result<std::string> call = call_code(input);
  if (!call) return call;
  std::string text;
  for (const std::string& line : regression_heading(input)) text += "// " + line + "\n";
  text += "// Build (in the repository): " + command(input) + "\n";
  text += "#include <gtest/gtest.h>\n\n";
  text += includes;
  text += "\n" + kernel_code(input) + "\nnamespace gate_regression {\nnamespace {\n\n";
  text += fmt::format("constexpr int runs = {};\n\n", runs_of(input));
  text += regression_text("pointer");
  text += "\n" + *call + "\n";
  text += regression_text(kind == ".cu" ? "run_cuda" : "run_host");
  text += "\n";
  text += regression_text("check");
  text += "\n" + tensors_code(input) + "\n";
  text += regression_text("judge");
  text += fmt::format(
      "\nTEST({}, {}_{}) {{\n  const std::vector<std::string> problems = judge();\n"
      "  for (const std::string& problem : problems) ADD_FAILURE() << problem;\n}}\n\n"
      "}}  // namespace\n}}  // namespace gate_regression\n",
      identifier(input.seed.test_case.op + "_" + input.seed.kernel),
      identifier(input.seed.test_case.column), input.seed.fingerprint.substr(0, 8));
  if (text.size() > test_bytes_max) {
    return user_failure("the case's tensors are too large for a test",
                        "--write DIR writes them as files");
  }
  return text;
}

}  // namespace gate
