// Who may see the token, and what foreign words become in a path.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "gate/publish/address.h"
#include "gate/publish/encoded.h"

namespace gate {
namespace {

TEST(Address, OnlyWhatLiesBelowTheBaseIsOurs) {
  const std::string api = "https://api.github.com";
  EXPECT_TRUE(is_below("https://api.github.com/repos/a/b", api));
  EXPECT_TRUE(is_below("https://API.github.com/repos", api));
  for (const char* foreign :
       {"https://api.github.com.evil.test/x", "https://api.github.com@evil.test/x",
        "http://api.github.com/x", "https://evil.test/https://api.github.com/",
        "https://api.github.com:444/x", "https://api.github.comx", "ftp://api.github.com/", "",
        "https://api.github.com\\@evil.test/", "//api.github.com/"}) {
    EXPECT_FALSE(is_below(foreign, api)) << foreign;
  }
  const std::string server = "https://ghe.test/api/v3";
  EXPECT_TRUE(is_below("https://ghe.test/api/v3/repos", server));
  EXPECT_FALSE(is_below("https://ghe.test/api/v30/repos", server));
  EXPECT_FALSE(is_below("https://ghe.test/other", server));
  EXPECT_FALSE(is_below("https://ghe.test/api/v3/../../x", server));
}

TEST(Address, ForeignWordsAreEncoded) {
  EXPECT_EQ(percent_encoded("a b&c=d/é?#"), "a%20b%26c%3Dd%2F%C3%A9%3F%23");
  EXPECT_EQ(percent_encoded_path("seeds/a b"), "seeds/a%20b");
}

TEST(Address, NextLinkIsTheOneNamedNext) {
  EXPECT_EQ(next_link("<https://a/1>; rel=\"prev\", <https://a/3>; rel=\"next\""), "https://a/3");
  EXPECT_EQ(next_link("<https://a/1>; rel=\"last\""), std::nullopt);
  EXPECT_EQ(next_link(""), std::nullopt);
  EXPECT_EQ(next_link("<broken"), std::nullopt);
}

TEST(Address, NamesOfRepositoriesAndCommits) {
  EXPECT_TRUE(is_repository("octo-org/kernels.cu"));
  for (const char* bad : {"", "a", "a/", "/b", "a/b/c", "a/..", "a b/c", "a/b?x"}) {
    EXPECT_FALSE(is_repository(bad)) << bad;
  }
  EXPECT_TRUE(is_commit(std::string(40, 'a')));
  EXPECT_FALSE(is_commit(std::string(39, 'a')));
  EXPECT_FALSE(is_commit(std::string(40, 'G')));
}

TEST(Encoded, Base64HasStandardLettersAndPadding) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("\xfb\xff"), "+/8=");
}

TEST(Encoded, GzipHasItsHeader) {
  const std::string packed = gzip("text text text");
  ASSERT_GT(packed.size(), 18u);
  EXPECT_EQ(packed.substr(0, 3), "\x1f\x8b\x08");
}

}  // namespace
}  // namespace gate
