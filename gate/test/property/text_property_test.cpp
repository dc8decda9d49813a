// Laws of text and encodings: reading undoes writing, and hostile text ends up harmless.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>

#include "gate/base/text.h"

namespace gate {
namespace {

RC_GTEST_PROP(TextLaws, HexReadsBack, (std::uint64_t value)) {
  RC_ASSERT(parse_hex64(hex64(value)) == value);
}

RC_GTEST_PROP(TextLaws, NumbersReadBackToTheSameBits, (std::uint64_t bits)) {
  const double value = std::bit_cast<double>(bits);
  const auto back = parse_number(number_text(value));
  RC_ASSERT(back.has_value());
  if (std::isnan(value)) {
    RC_ASSERT(std::isnan(*back));
  } else {
    RC_ASSERT(std::bit_cast<std::uint64_t>(*back) == bits);
  }
}

RC_GTEST_PROP(TextLaws, IntegersReadBack, (std::int64_t value)) {
  RC_ASSERT(parse_integer(std::to_string(value)) == value);
}

RC_GTEST_PROP(TextLaws, JoiningUndoesSplitting, (const std::string& text)) {
  const std::string commas = text + ",," + text;
  RC_ASSERT(join(split(commas, ','), ",") == commas);
}

RC_GTEST_PROP(TextLaws, Base64UrlReadsBack, (const std::string& bytes)) {
  const std::string text = base64url(bytes);
  RC_ASSERT(text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                   "0123456789-_") == std::string::npos);
  RC_ASSERT(from_base64url(text) == bytes);
}

RC_GTEST_PROP(TextLaws, Base64UrlHasOneSpelling, ()) {
  const auto text =
      *rc::gen::container<std::string>(rc::gen::elementOf(std::string("ABCDabcd0189-_+/=")));
  const auto bytes = from_base64url(text);
  if (bytes) RC_ASSERT(base64url(*bytes) == text);
}

RC_GTEST_PROP(TextLaws, InflatingUndoesDeflating, (const std::string& bytes)) {
  RC_ASSERT(inflate(deflate(bytes), bytes.size()) == bytes);
}

RC_GTEST_PROP(TextLaws, CleaningIsFinalAndBounded, ()) {
  const auto text = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
  const auto bytes_max = *rc::gen::inRange<std::size_t>(0, 40);
  const std::string clean = clean_text(text, bytes_max);
  RC_ASSERT(clean.size() <= bytes_max);
  RC_ASSERT(clean_text(clean, bytes_max) == clean);
  for (const char letter : clean) {
    const auto byte = static_cast<unsigned char>(letter);
    RC_ASSERT(byte >= 0x20 || letter == '\n' || letter == '\t');
    RC_ASSERT(byte != 0x7F);
  }
}

RC_GTEST_PROP(TextLaws, ATextMatchesItselfWithPartsStarred,
              (const std::string& left, const std::string& middle)) {
  RC_PRE(left.find_first_of("*?") == std::string::npos);
  RC_ASSERT(matches_glob(left + middle, left + "*"));
  RC_ASSERT(matches_glob(middle + left, "*" + left));
  RC_ASSERT(matches_glob(left + middle + left, left + "*" + left));
}

}  // namespace
}  // namespace gate
