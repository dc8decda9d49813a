// Every deliberately faulty host kernel is reported with its kind, every control among them passes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "gate/base/files.h"
#include "gate/search/search.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

struct Seen {
  int count = 0;
  std::string example;
};

/// Kinds other than pass of a kernel's `pr` plan.
std::map<Kind, Seen> kinds_of(const Catalogue& catalogue, const KernelSpec& kernel,
                              const std::string& column) {
  const OpSchema* op = find_op(catalogue, kernel.op);
  PlanOptions options;
  options.run_seed = 11;
  options.device = "host";
  options.profile = catalogue.config.profiles.at("pr");
  SessionOptions session;
  session.case_timeout_ms = 500;
  const Tolerance& tolerance = catalogue.tolerances.at(kernel.op).rows.at(column);
  Executor executor({op, &kernel, column, "host", tolerance},
                    build_kernel(*op, kernel, column, "host"), session, options.profile);
  std::map<Kind, Seen> kinds;
  executor.execute_plan(make_plan(*op, kernel, column, options), [&](const Judged& judged) {
    const Verdict& verdict = judged.verdict;
    if (verdict.kind == Kind::pass) return true;
    Seen& seen = kinds[verdict.kind];
    if (++seen.count == 1) seen.example = verdict.text + " at " + to_text(judged.test_case);
    return verdict.kind != Kind::timeout;  // each costs two deadlines
  });
  return kinds;
}

TEST(Faults, each_kernel_shows_its_kind_and_no_other) {
  const std::filesystem::path root = GATE_SOURCE_DIR;
  auto catalogue =
      load_catalogue({root / "testcases" / "scale", root / "testcases" / "complement"});
  ASSERT_TRUE(catalogue) << to_text(catalogue.failure());
  for (OpSchema& op : catalogue->ops) op.bundled = true;  // their references are compiled in
  std::size_t kernels = 0;
  for (const KernelSpec& kernel : catalogue->kernels) {
    if (kernel.corpus != "faults" || source_kind(kernel) != ".cpp") continue;
    ++kernels;
    for (const auto& [column, expect] : kernel.expect) {
      auto kinds = kinds_of(*catalogue, kernel, column);
      if (expect.kind) {
        EXPECT_EQ(kinds.erase(*expect.kind), 1u) << kernel.name;
      } else {
        EXPECT_EQ(expect.klass, Class::clean) << kernel.name;
      }
      for (const auto& [kind, seen] : kinds) {
        ADD_FAILURE() << kernel.name << ": " << seen.count << " " << name(kind) << ": "
                      << seen.example;
      }
    }
  }
  EXPECT_EQ(kernels, 14u);
}

}  // namespace
}  // namespace gate
