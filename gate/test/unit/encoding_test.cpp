// Safe UTF-8, base64url and zlib.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/base/text.h"

namespace gate {
namespace {

constexpr std::string_view bad = "\xEF\xBF\xBD";

std::string repeated(std::string_view text, int count) {
  std::string all;
  for (int number = 0; number < count; ++number) all += text;
  return all;
}

TEST(CleanText, KeepsPlainTextInAnyScript) {
  constexpr std::string_view text = "a\tb\nä € 𝄞 漢";
  EXPECT_EQ(clean_text(text, 100), text);
}

TEST(CleanText, RemovesWhatSteersTerminalsAndReaders) {
  EXPECT_EQ(clean_text("a\x1b[31mb\r\b\x7f", 100), "a[31mb");
  EXPECT_EQ(clean_text(std::string_view("a\0b", 3), 100), "ab");
  EXPECT_EQ(clean_text("a\xC2\x9B"
                       "b",
                       100),
            "ab")
      << "C1 control sequence introducer";
  EXPECT_EQ(clean_text("a\xE2\x80\xAE"
                       "b\xE2\x81\xA6"
                       "c",
                       100),
            "abc")
      << "bidi override, isolate";
  EXPECT_EQ(clean_text("a\xEF\xBF\xBF"
                       "b\xEF\xB7\x90"
                       "c",
                       100),
            "abc")
      << "noncharacters";
  EXPECT_EQ(clean_text("a\xF0\x9F\xBF\xBE"
                       "b",
                       100),
            "ab")
      << "U+1FFFE";
}

TEST(CleanText, ReplacesBadBytes) {
  EXPECT_EQ(clean_text("a\xFF"
                       "b",
                       100),
            "a" + std::string(bad) + "b");
  EXPECT_EQ(clean_text("\xC0\xAF", 100), repeated(bad, 2)) << "overlong slash";
  EXPECT_EQ(clean_text("\xE0\x80\xAF", 100), repeated(bad, 3)) << "overlong slash";
  EXPECT_EQ(clean_text("\xED\xA0\x80", 100), repeated(bad, 3)) << "surrogate";
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80", 100), repeated(bad, 4)) << "above U+10FFFF";
  EXPECT_EQ(clean_text("a\xE2\x82", 100), "a" + repeated(bad, 2)) << "cut short";
}

TEST(CleanText, CutsAtACharacter) {
  EXPECT_EQ(clean_text("0123456789", 10), "0123456789");
  EXPECT_EQ(clean_text("0123456789a", 10), "0123456…");
  EXPECT_EQ(clean_text("äääää", 9), "äää…");
  EXPECT_EQ(clean_text("äääää", 10), "äääää");
  EXPECT_EQ(clean_text("abc", 2), "");
  EXPECT_EQ(clean_text("abc", 0), "");
  for (std::size_t bytes_max = 0; bytes_max < 20; ++bytes_max) {
    EXPECT_LE(clean_text("a漢b𝄞c漢d", bytes_max).size(), bytes_max);
  }
}

// RFC 4648, section 10, without padding.
TEST(Base64Url, AgreesWithThePublishedVectors) {
  const std::vector<std::pair<std::string, std::string>> rows = {
      {"", ""},           {"f", "Zg"},          {"fo", "Zm8"},          {"foo", "Zm9v"},
      {"foob", "Zm9vYg"}, {"fooba", "Zm9vYmE"}, {"foobar", "Zm9vYmFy"}, {"\xfb\xff", "-_8"}};
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(base64url(bytes), text);
    EXPECT_EQ(from_base64url(text), bytes);
  }
}

TEST(Base64Url, AcceptsOneSpellingOnly) {
  for (const char* text : {"Z", "Zg==", "Zh", "Zm9", "+/8", "Zm 8", "Zm9vY"}) {
    EXPECT_FALSE(from_base64url(text)) << text;
  }
}

TEST(Zlib, GivesBackWhatItTook) {
  const std::string text = repeated("softmax ", 5000);
  const std::string packed = deflate(text);
  EXPECT_LT(packed.size(), text.size() / 50);
  EXPECT_EQ(inflate(packed, text.size()), text);
  EXPECT_EQ(inflate(deflate(""), 0), "");
}

TEST(Zlib, HoldsItsCap) {
  const std::string packed = deflate(std::string(1'000'000, 'a'));
  EXPECT_FALSE(inflate(packed, 999'999));
  EXPECT_TRUE(inflate(packed, 1'000'000));
}

TEST(Zlib, RefusesDamage) {
  const std::string packed = deflate("some text, long enough to be packed");
  EXPECT_FALSE(inflate(packed.substr(0, packed.size() - 1), 1000)) << "cut";
  EXPECT_FALSE(inflate(packed + "x", 1000)) << "trailing";
  EXPECT_FALSE(inflate("", 1000));
  EXPECT_FALSE(inflate("not zlib", 1000));
  std::size_t refused = 0;
  for (std::size_t at = 0; at < packed.size(); ++at) {
    std::string damaged = packed;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x40);
    // Padding bits may flip unnoticed; other bytes must never come out.
    const auto unpacked = inflate(damaged, 1000);
    EXPECT_TRUE(!unpacked || *unpacked == "some text, long enough to be packed") << at;
    refused += unpacked ? 0 : 1;
  }
  EXPECT_GE(refused, packed.size() - 2);
}

}  // namespace
}  // namespace gate
