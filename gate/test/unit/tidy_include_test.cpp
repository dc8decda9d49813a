// Includes: one direction along the module ladder, and each library in its own module.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <set>

#include "gate/base/text.h"
#include "gate/test/unit/tidy.h"

namespace gate::tidy {

namespace {

constexpr std::array<std::string_view, 13> ladder = {
    "base",   "tensor",  "spec",   "cases",  "reference", "worker", "oracle",
    "search", "explain", "policy", "report", "intake",    "cli"};

struct Include {
  int line;
  std::string target;  // without quotes or brackets
};

std::vector<Include> includes_of(std::string_view text) {
  static const std::regex form(R"re(^\s*#\s*include\s*[<"]([^>"]+)[>"])re");
  std::vector<Include> includes;
  int number = 0;
  for (const std::string& line : lines_of(text)) {
    ++number;
    std::smatch match;
    if (std::regex_search(line, match, form)) includes.push_back({number, match[1]});
  }
  return includes;
}

/// gate/<module>/… → module; testcases/… → "testcases"; empty otherwise (gate/main.cpp).
std::string module_of(const std::string& path) {
  const std::vector<std::string> parts = split(path, '/');
  if (parts[0] == "testcases") return parts[0];
  return parts.size() > 2 && parts[0] == "gate" ? parts[1] : "";
}

std::set<std::string> up_to(std::string_view last) {
  const auto end = std::find(ladder.begin(), ladder.end(), last);
  std::set<std::string> modules(ladder.begin(), end);
  modules.insert(std::string(last));
  return modules;
}

/// What a module may include; nothing for those without a bound (tests, benchmarks, main).
std::set<std::string> allowed_for(const std::string& module) {
  if (std::find(ladder.begin(), ladder.end(), module) != ladder.end()) return up_to(module);
  std::set<std::string> allowed;
  if (module == "device") allowed = up_to("worker");   // a worker never sees an expected value
  if (module == "publish") allowed = up_to("report");  // nor a publisher a kernel
  if (module == "testcases") allowed = up_to("reference");
  if (!allowed.empty()) allowed.insert(module);
  return allowed;
}

struct Library {
  const char* name;
  const char* header;              // regular expression over the include's target
  std::vector<std::string> homes;  // prefixes of paths
};

const std::vector<Library>& libraries() {
  static const std::vector<Library> rows = {
      {"TOML++", "^toml\\+\\+", {"gate/spec/"}},
      {"RapidCheck", "^rapidcheck", {"gate/cases/", "gate/search/", "gate/test/", "gate/bench/"}},
      {"libcurl", "^curl/", {"gate/publish/"}},
      {"CUDA",
       "^(cuda|nvrtc|cublas|cudart|crt/|device_launch|mma\\.h|cooperative_groups)",
       {"gate/device/cuda/"}},
      {"libffi", "^ffi", {"gate/device/"}},
      {"Boost.Context", "^boost/", {"gate/device/"}},
  };
  return rows;
}

}  // namespace

Violations includes_go_left(const Source& source) {
  const std::set<std::string> allowed = allowed_for(module_of(source.path));
  if (!is_cpp(source.path) || allowed.empty()) return {};
  Violations violations;
  for (const auto& [line, target] : includes_of(source.text)) {
    const std::string module = module_of(target);
    if (module.empty() || allowed.contains(module)) continue;
    violations.push_back(
        {source.path, line, module_of(source.path) + " must not include " + target});
  }
  return violations;
}

Violations libraries_stay_home(const Source& source) {
  if (!is_cpp(source.path) || is_emulation_header(source.path) || source.path.ends_with(".cu")) {
    return {};
  }
  Violations violations;
  for (const auto& [line, target] : includes_of(source.text)) {
    for (const Library& library : libraries()) {
      if (!std::regex_search(target, std::regex(library.header))) continue;
      const bool at_home = std::ranges::any_of(
          library.homes, [&](const std::string& home) { return source.path.starts_with(home); });
      if (at_home) continue;
      violations.push_back(
          {source.path, line,
           std::string(library.name) + " is included only by " + join(library.homes, ", ")});
    }
  }
  return violations;
}

namespace {

int includes_left(const char* path, const std::string& target) {
  const Violations violations = includes_go_left({path, "// x\n#include \"" + target + "\"\n"});
  return violations.empty() ? 0 : violations[0].line;
}

int library_line(const char* path, const std::string& target) {
  const Violations violations = libraries_stay_home({path, "\n\n#  include <" + target + ">\n"});
  return violations.empty() ? 0 : violations[0].line;
}

TEST(TidyInclude, GoesLeftOnTheLadder) {
  for (std::size_t from = 0; from < ladder.size(); ++from) {
    for (std::size_t to = 0; to < ladder.size(); ++to) {
      const std::string path = "gate/" + std::string(ladder[from]) + "/a.h";
      const std::string target = "gate/" + std::string(ladder[to]) + "/b.h";
      EXPECT_EQ(includes_left(path.c_str(), target), to <= from ? 0 : 2) << path << " " << target;
    }
  }
}

TEST(TidyInclude, BoundsTheOtherProgramsToo) {
  EXPECT_EQ(includes_left("gate/device/emu/a.cpp", "gate/device/device.h"), 0);
  EXPECT_EQ(includes_left("gate/device/emu/a.cpp", "gate/worker/wire.h"), 0);
  EXPECT_EQ(includes_left("gate/device/emu/a.cpp", "gate/oracle/verdict.h"), 2);
  EXPECT_EQ(includes_left("gate/publish/a.cpp", "gate/report/report.h"), 0);
  EXPECT_EQ(includes_left("gate/publish/a.cpp", "gate/cli/run.h"), 2);
  EXPECT_EQ(includes_left("gate/base/a.cpp", "gate/device/device.h"), 2);
  EXPECT_EQ(includes_left("gate/cli/a.cpp", "gate/publish/comment.h"), 2);
  EXPECT_EQ(includes_left("testcases/a/reference.cpp", "gate/reference/reference.h"), 0);
  EXPECT_EQ(includes_left("testcases/a/reference.cpp", "gate/oracle/verdict.h"), 2);
  EXPECT_EQ(includes_left("gate/main.cpp", "gate/cli/verbs.h"), 0);
  EXPECT_EQ(includes_left("gate/test/unit/a.cpp", "gate/cli/verbs.h"), 0);
}

TEST(TidyInclude, KeepsLibrariesInTheirModule) {
  EXPECT_EQ(library_line("gate/spec/read.cpp", "toml++/toml.h"), 0);
  EXPECT_EQ(library_line("gate/cli/run.cpp", "toml++/toml.h"), 3);
  EXPECT_EQ(library_line("gate/cases/plan.cpp", "rapidcheck.h"), 0);
  EXPECT_EQ(library_line("gate/oracle/judge.cpp", "rapidcheck/Gen.h"), 3);
  EXPECT_EQ(library_line("gate/publish/http.cpp", "curl/curl.h"), 0);
  EXPECT_EQ(library_line("gate/base/http.cpp", "curl/curl.h"), 3);
  EXPECT_EQ(library_line("gate/device/cuda/driver.cpp", "cuda.h"), 0);
  EXPECT_EQ(library_line("gate/device/host/a.cpp", "cuda_runtime.h"), 3);
  EXPECT_EQ(library_line("gate/worker/builder.cpp", "nvrtc.h"), 3);
  EXPECT_EQ(library_line("testcases/a/kernels/a.cu", "cuda_fp16.h"), 0);
  EXPECT_EQ(library_line("gate/device/emu/include/cuda_runtime.h", "cuda_fp16.h"), 0);
  EXPECT_EQ(library_line("gate/worker/pool.cpp", "ffi.h"), 3);
  EXPECT_EQ(library_line("gate/worker/pool.cpp", "boost/context/fiber.hpp"), 3);
}

}  // namespace
}  // namespace gate::tidy
