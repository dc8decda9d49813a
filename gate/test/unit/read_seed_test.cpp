// A seed file by hand: every value lands in its field; the fingerprint is the documented one.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/base/files.h"
#include "gate/base/hash.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

std::string valid() {
  return *read_file(std::filesystem::path(GATE_SOURCE_DIR) /
                    "gate/test/golden/spec/valid_seed.toml");
}

TEST(read_seed, fields) {
  const auto seed = parse_seed(valid(), "seeds/rowsum/s.toml");
  ASSERT_TRUE(seed) << to_text(seed.failure());
  EXPECT_EQ(seed->file, "seeds/rowsum/s.toml");
  EXPECT_EQ(seed->kernel, "rowsum_tiled");
  EXPECT_EQ(seed->kind, Kind::wrong);
  EXPECT_EQ(seed->status, Seed::Status::open);
  EXPECT_EQ(seed->number, 1);
  EXPECT_EQ(seed->pattern, "last partial tile");
  EXPECT_EQ(to_text(seed->test_case),
            "rowsum/f32 value cols=129 rows=1 group=2i scale=0x1p-1 "
            "x=row_pitch+3,normal@1[128:0x7fc00000] y=contiguous key=0x00000000000000ff "
            "schedule=shuffled:0x0000000000000007");
  EXPECT_EQ(seed->embedded.at("x"), "000080bf");
  EXPECT_EQ(seed->found_on, "2026-11-30");
  EXPECT_EQ(seed->device, "emu");
  EXPECT_EQ(seed->note, "fails exactly when cols % 128 != 0");
}

TEST(read_seed, writing_undoes_reading) {
  const auto seed = parse_seed(valid(), "s.toml");
  ASSERT_TRUE(seed);
  EXPECT_EQ(to_toml(*seed), valid());
}

TEST(read_seed, fingerprint_is_sha256_of_nul_separated_parts) {
  using namespace std::string_literals;
  const std::string text = "v1\0op\0f16\0law:scaling\0law_broken\0k"s;
  EXPECT_EQ(fingerprint("op", "f16", "law:scaling", Kind::law_broken, "k"),
            sha256_hex(text).substr(0, 32));
}

TEST(read_seed, fingerprint_has_every_part) {
  const std::string base = fingerprint("o", "c", "value", Kind::wrong, "k");
  EXPECT_NE(base, fingerprint("p", "c", "value", Kind::wrong, "k"));
  EXPECT_NE(base, fingerprint("o", "d", "value", Kind::wrong, "k"));
  EXPECT_NE(base, fingerprint("o", "c", "special", Kind::wrong, "k"));
  EXPECT_NE(base, fingerprint("o", "c", "value", Kind::crash, "k"));
  EXPECT_NE(base, fingerprint("o", "c", "value", Kind::wrong, "l"));
  EXPECT_NE(fingerprint("oc", "c", "value", Kind::wrong, "k"),
            fingerprint("o", "cc", "value", Kind::wrong, "k"));
}

}  // namespace
}  // namespace gate
