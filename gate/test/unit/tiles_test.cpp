// Which constants of a source count as tiles.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/tiles.h"

#include <gtest/gtest.h>

namespace gate {
namespace {

std::vector<std::int64_t> values_of(std::string_view source) {
  std::vector<std::int64_t> values;
  for (const MinedTile& tile : mine_tiles(source)) values.push_back(tile.value);
  return values;
}

using Values = std::vector<std::int64_t>;

TEST(tiles, constants) {
  EXPECT_EQ(values_of("constexpr int TILE = 32;"), Values{32});
  EXPECT_EQ(values_of("static const unsigned block = 0x80u;"), Values{128});
  EXPECT_EQ(values_of("#define BLOCK 256\nint x;"), Values{256});
  EXPECT_EQ(values_of("enum { lanes = 32, width = 48 };"), (Values{32, 48}));
  EXPECT_EQ(values_of("template <typename T, int Rows = 20> void f();"), Values{20});
}

TEST(tiles, constants_are_computed_from_earlier_ones) {
  EXPECT_EQ(values_of("constexpr int warp = 32;\nconstexpr int block = warp * 6;"),
            (Values{32, 192}));
  EXPECT_EQ(values_of("#define T 24\n#define TT (T * 2)\n"), (Values{24, 48}));
}

TEST(tiles, both_branches_of_a_choice) {
  EXPECT_EQ(values_of("constexpr int k = sizeof(T) == 2 ? 64 : 48;"), (Values{48, 64}));
}

TEST(tiles, shared_memory_and_templates) {
  EXPECT_EQ(values_of("__shared__ float tile[32][48];"), (Values{32, 48}));
  EXPECT_EQ(values_of("softmax<float, 96><<<grid, 160>>>(x);"), (Values{96, 160}));
  EXPECT_EQ(values_of("dim3 block(32, 20);"), (Values{20, 32}));
}

TEST(tiles, index_arithmetic_without_its_rounding) {
  EXPECT_EQ(values_of("int padded = (n + 127) / 128 * 128;"), Values{128});
  EXPECT_EQ(values_of("for (int i = t; i < n; i += 96) f(i);"), Values{96});
}

TEST(tiles, python) {
  EXPECT_EQ(values_of("import triton\nBLOCK = 48\ndef f(x, TILE: tl.constexpr = 80):\n  n = 7\n"),
            (Values{48, 80}));
}

TEST(tiles, what_is_no_tile) {
  EXPECT_EQ(values_of("// constexpr int a = 32;\n/* #define B 64\n*/ const char* s = \"x % 96\";"),
            Values{});
  EXPECT_EQ(values_of("int a = 32; f(48); float b = 1.5e2f; const int c = 3, d = 5000;"), Values{});
  EXPECT_EQ(values_of("if (a < 128 && b > 3) return;"), Values{});
}

TEST(tiles, line_and_text_lead_to_the_place) {
  const auto tiles = mine_tiles("int a;\n\nconstexpr int TILE = 48;\n");
  ASSERT_EQ(tiles.size(), 1u);
  EXPECT_EQ(tiles[0].line, 3);
  EXPECT_EQ(tiles[0].text, "TILE = 48");
}

TEST(tiles, unfinished_text_is_fine) {
  for (const char* text : {"", "#define", "#define A", "constexpr int a =", "__shared__ x[", "a<",
                           "/* open", "\"open", "'", "0x", "1e", "template<", "\\", "dim3"}) {
    values_of(text);
  }
}

TEST(tiles, of_ptx) {
  const auto tiles = mine_tiles(
      ".version 7.8\n.target sm_90\n.visible .entry softmax(.param .u64 p)\n.maxntid 192, 1, 1\n{\n"
      " .shared .align 4 .b8 sums[1152];   // 288 floats\n"
      " shl.b32 \t%r3, %r1, 7;\n and.b32 %r4, %r1, 31;\n and.b32 %r4, %r1, 12;\n"
      " mad.lo.s32 %r5, %r2, 96, %r1;\n add.s32 %r6, %r5, 77;\n rem.s32 %r7, %r6, %r1;\n}\n");
  std::vector<std::string> found;
  for (const MinedTile& tile : tiles) {
    found.push_back(std::to_string(tile.value) + ":" + std::to_string(tile.line));
  }
  EXPECT_EQ(found, (std::vector<std::string>{"32:8", "96:10", "128:7", "192:4", "288:6"}));
  EXPECT_EQ(tiles[1].text, "mad.lo.s32 %r5, %r2, 96, %r1");
}

}  // namespace
}  // namespace gate
