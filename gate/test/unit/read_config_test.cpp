// gate.toml: defaults, overrides, the nearest one upward; tolerances read and written.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/base/files.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

namespace fs = std::filesystem;

void expect_equal(const Profile& a, const Profile& b) {
  EXPECT_EQ(a.entries, b.entries);
  EXPECT_EQ(a.strategy_entries, b.strategy_entries);
  EXPECT_EQ(a.huge_entries, b.huge_entries);
  EXPECT_EQ(a.schedules, b.schedules);
  EXPECT_EQ(a.shrink_executions, b.shrink_executions);
  EXPECT_EQ(a.confirm_runs, b.confirm_runs);
  ASSERT_EQ(a.caps.size(), b.caps.size());
  for (const auto& [device, caps] : a.caps) {
    ASSERT_TRUE(b.caps.contains(device)) << device;
    EXPECT_EQ(caps.elements_max, b.caps.at(device).elements_max) << device;
    EXPECT_EQ(caps.operations_max, b.caps.at(device).operations_max) << device;
    EXPECT_EQ(caps.case_timeout_ms, b.caps.at(device).case_timeout_ms) << device;
  }
}

TEST(read_config, empty_file_means_defaults) {
  const auto config = parse_config("", "gate.toml");
  ASSERT_TRUE(config);
  EXPECT_EQ(config->ops, std::vector<std::string>{"testcases"});
  EXPECT_EQ(config->tolerances, "tolerances");
  EXPECT_EQ(config->seeds, "seeds");
  ASSERT_EQ(config->profiles.size(), 2u);
  EXPECT_EQ(config->profiles.at("pr").entries, 96);
  EXPECT_EQ(config->profiles.at("pr").huge_entries, 0);
  EXPECT_EQ(config->profiles.at("nightly").entries, 2000);
  EXPECT_EQ(config->profiles.at("nightly").huge_entries, 10);
  EXPECT_EQ(config->profiles.at("pr").caps.at("emu").elements_max, 65'536);
  EXPECT_EQ(config->profiles.at("pr").caps.at("emu").operations_max, 1 << 19);
  EXPECT_EQ(config->profiles.at("nightly").caps.at("cuda").elements_max, 1 << 18);
}

TEST(read_config, the_repositorys_file_spells_out_the_defaults) {
  const auto text = read_file(fs::path(GATE_SOURCE_DIR) / "gate.toml");
  ASSERT_TRUE(text);
  const auto config = parse_config(*text, "gate.toml");
  ASSERT_TRUE(config) << to_text(config.failure());
  const Config defaults = default_config(".");
  EXPECT_EQ(config->ops, defaults.ops);
  EXPECT_EQ(config->tolerances, defaults.tolerances);
  EXPECT_EQ(config->seeds, defaults.seeds);
  for (const char* name : {"pr", "nightly"}) {
    expect_equal(config->profiles.at(name), defaults.profiles.at(name));
  }
}

TEST(read_config, overrides_leave_the_rest) {
  const auto config = parse_config(
      "[profiles.pr]\nentries = 5\nstrategies = { exact = 3 }\n"
      "caps = { emu = { elements_max = 10 } }\n[report]\njunit = \"out/j.xml\"\n",
      "gate.toml");
  ASSERT_TRUE(config) << to_text(config.failure());
  Profile expected = default_config(".").profiles.at("pr");
  expected.entries = 5;
  expected.strategy_entries["exact"] = 3;
  expected.caps["emu"].elements_max = 10;
  expect_equal(config->profiles.at("pr"), expected);
  expect_equal(config->profiles.at("nightly"), default_config(".").profiles.at("nightly"));
  EXPECT_EQ(config->junit, "out/j.xml");
}

TEST(load_config, nearest_file_upward) {
  const auto made = TemporaryFolder::create("gate-config");
  ASSERT_TRUE(made);
  const fs::path root = fs::canonical(made->path());
  fs::create_directories(root / "a/b/c");
  ASSERT_TRUE(write_file(root / "gate.toml", "[profiles.pr]\nentries = 1\n"));
  ASSERT_TRUE(write_file(root / "a/b/gate.toml", "[profiles.pr]\nentries = 2\n"));
  const auto far = load_config(root / "a");
  ASSERT_TRUE(far) << to_text(far.failure());
  EXPECT_EQ(far->profiles.at("pr").entries, 1);
  EXPECT_EQ(far->root, root);
  const auto near = load_config(root / "a/b/c");
  ASSERT_TRUE(near);
  EXPECT_EQ(near->profiles.at("pr").entries, 2);
  EXPECT_EQ(near->root, root / "a/b");
  const auto file = load_config(root / "a/b/gate.toml");
  ASSERT_TRUE(file);
  EXPECT_EQ(file->root, root / "a/b");
  EXPECT_FALSE(load_config(root / "missing"));
}

TEST(read_tolerances, rows_read_and_written) {
  const std::string text =
      "op = \"rowsum\"\n[f16]\nc = 1.5\norigin = \"calibrated\"\nlargest_ratio = 0.75\n"
      "cases = 100\nkernels = [\"a\", \"b\"]\ndevices = [\"emu\"]\ndate = \"2026-11-30\"\n"
      "reason = \"two algorithms\"\n[i32]\nc = 1\nexact = true\n";
  const auto table = parse_tolerances(text, "tolerances/rowsum.toml");
  ASSERT_TRUE(table) << to_text(table.failure());
  const Tolerance& row = table->rows.at("f16");
  EXPECT_EQ(row.c, 1.5);
  EXPECT_EQ(row.origin, "calibrated");
  EXPECT_EQ(row.largest_ratio, 0.75);
  EXPECT_EQ(row.cases, 100);
  EXPECT_EQ(row.kernels, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(row.devices, std::vector<std::string>{"emu"});
  EXPECT_EQ(row.date, "2026-11-30");
  EXPECT_EQ(row.reason, "two algorithms");
  EXPECT_TRUE(table->rows.at("i32").exact);
  EXPECT_EQ(table->rows.at("i32").origin, "default");
  const std::string written = to_toml(*table);
  const auto again = parse_tolerances(written, "rowsum.toml");
  ASSERT_TRUE(again) << written;
  EXPECT_EQ(to_toml(*again), written);
}

}  // namespace
}  // namespace gate
