// SHA-256 against FIPS 180-4 examples, and the stable hash.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/hash.h"

#include <gtest/gtest.h>

#include <array>

namespace gate {
namespace {

TEST(Sha256, AgreesWithThePublishedExamples) {
  EXPECT_EQ(sha256_hex(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256_hex("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, TakesPieces) {
  Sha256 hash;
  hash.add("a");
  hash.add("");
  constexpr std::array<std::byte, 2> rest = {std::byte{'b'}, std::byte{'c'}};
  hash.add(rest);
  EXPECT_EQ(hash.hex(), sha256_hex("abc"));
}

TEST(Sha256, IsSpentByReading) {
  Sha256 hash;
  (void)hash.hex();
  EXPECT_EXIT(hash.hex(), testing::ExitedWithCode(70), "read once");
  EXPECT_EXIT(hash.add("a"), testing::ExitedWithCode(70), "until its digest");
}

TEST(StableHash, IsTheHeadOfTheDigest) {
  EXPECT_EQ(stable_hash("abc"), 0xba7816bf8f01cfeau);
  EXPECT_EQ(stable_hash(""), 0xe3b0c44298fc1c14u);
}

}  // namespace
}  // namespace gate
