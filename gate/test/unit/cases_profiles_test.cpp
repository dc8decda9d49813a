// The profile table: names, text form, and what each profile promises about its values.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "gate/cases/fill.h"
#include "gate/cases/profiles.h"

namespace gate {
namespace {

std::vector<double> floats(const std::string& text, DType dtype = DType::f32,
                           std::int64_t rows = 16, std::int64_t cols = 64) {
  const auto profile = parse_profile(text);
  check(profile.has_value(), "tests name known profiles");
  FillRequest request;
  request.rows = rows;
  request.cols = cols;
  request.matrix_rows = rows;
  request.dtype = request.output = dtype;
  request.largest = facts(dtype).largest;
  request.parameter = profile->parameter;
  request.stream = RandomStream(0xabc, 1);
  return fill_floats(profile_row(*profile->facts), request);
}

std::vector<std::int64_t> integers(const std::string& text, IntegerRange range,
                                   std::int64_t rows = 1, std::int64_t cols = 256) {
  const auto profile = parse_profile(text);
  check(profile.has_value(), "tests name known profiles");
  FillRequest request;
  request.rows = rows;
  request.cols = cols;
  request.dtype = DType::i64;
  request.range = std::move(range);
  request.parameter = profile->parameter;
  request.stream = RandomStream(0xabc, 1);
  return fill_integers(profile_row(*profile->facts), request);
}

template <class Values>
std::size_t distinct(const Values& values) {
  return std::set<typename Values::value_type>(values.begin(), values.end()).size();
}

double mean(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return sum / static_cast<double>(values.size());
}

TEST(Profiles, NamesAreUniqueAndFoundWithAndWithoutVersion) {
  std::set<std::string_view> names;
  for (const ProfileFacts& profile : all_profiles()) {
    EXPECT_TRUE(names.insert(profile.name).second) << profile.name;
    EXPECT_FALSE(profile.purpose.empty());
    EXPECT_TRUE(profile.floats || profile.integers);
    ASSERT_NE(find_profile(profile.name), nullptr);
    EXPECT_EQ(find_profile(profile_text(profile.name)), find_profile(profile.name));
  }
  EXPECT_EQ(find_profile("normal@2"), nullptr);
  EXPECT_EQ(find_profile("normal@"), nullptr);
  EXPECT_EQ(find_profile("gaussian"), nullptr);
}

TEST(Profiles, TextFormTakesOnlyFittingParameters) {
  EXPECT_EQ(parse_profile("impulse@1(17)")->parameter, "17");
  EXPECT_EQ(parse_profile("constant@1(0x3f800000)")->parameter, "0x3f800000");
  for (const char* bad : {"impulse@1(-1)", "impulse@1()", "impulse@1(1", "normal@1(3)",
                          "constant@1(1.5)", "density@1(101)", "few_distinct@1(0)", "", "@1"})
    EXPECT_FALSE(parse_profile(bad).has_value()) << bad;
}

TEST(Profiles, EveryFiniteProfileIsFiniteAndInRangeInEveryFloatDtype) {
  for (const ProfileFacts& profile : all_profiles()) {
    if (!profile.floats || profile.special) continue;
    for (const DType dtype : all_dtypes()) {
      if (!facts(dtype).is_float) continue;
      for (const double value : floats(profile_text(profile.name), dtype)) {
        const double stored = rounded(dtype, value);
        ASSERT_TRUE(std::isfinite(stored)) << profile.name << " " << facts(dtype).name;
      }
    }
  }
}

TEST(Profiles, SpecialProfilesCarryFewSpecialValues) {
  for (const ProfileFacts& profile : all_profiles()) {
    if (!profile.special) continue;
    const auto values = floats(profile_text(profile.name));
    const auto special = std::count_if(values.begin(), values.end(),
                                       [](double value) { return !std::isfinite(value); });
    EXPECT_GT(special, 0) << profile.name;
    EXPECT_LT(special, static_cast<std::ptrdiff_t>(values.size() * 3 / 4)) << profile.name;
  }
}

TEST(Profiles, ScalesAndOffsetsAreWhatTheyAreCalled) {
  EXPECT_NEAR(mean(floats("offset10@1")), 10, 0.2);
  EXPECT_NEAR(mean(floats("offset100@1")), 100, 0.2);
  EXPECT_NEAR(mean(floats("offset1000@1")), 1000, 0.2);
  const auto rms = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value * value;
    return std::sqrt(sum / static_cast<double>(values.size()));
  };
  EXPECT_NEAR(rms(floats("tiny@1")), 1e-3, 1e-4);
  EXPECT_NEAR(rms(floats("scale_small@1")), 1e-2, 1e-3);
  EXPECT_NEAR(rms(floats("scale_large@1")), 10, 1);
  EXPECT_NEAR(rms(floats("scale_100@1")), 100, 10);
  for (const double value : floats("uniform10@1")) EXPECT_LE(std::abs(value), 10);
  for (const double value : floats("negative@1")) EXPECT_LT(value, 0);
  for (const double value : floats("large_logits@1")) EXPECT_GT(std::abs(value), 80);
}

TEST(Profiles, ExactProfilesAreSmallDyadicNumbers) {
  for (const ProfileFacts& profile : all_profiles()) {
    if (!profile.exact) continue;
    for (const double value : floats(profile_text(profile.name)))
      EXPECT_TRUE(std::abs(value) <= 2 && value * 2 == std::floor(value * 2)) << profile.name;
  }
  const auto impulse = floats("impulse@1(17)");
  for (std::size_t i = 0; i < impulse.size(); ++i) EXPECT_EQ(impulse[i] != 0, i == 17);
}

TEST(Profiles, DuplicatesAreAsManyAsAsked) {
  EXPECT_EQ(distinct(floats("constant@1")), 1u);
  EXPECT_EQ(floats("constant@1(0x3f800000)").front(), 1.0);
  EXPECT_LE(distinct(floats("few_distinct@1(3)")), 3u);
  EXPECT_LE(distinct(floats("ties@1")), 9u);
  EXPECT_LE(distinct(integers("few_distinct@1(31)", {"index", 0, 100000})), 31u);
  EXPECT_GT(distinct(integers("few_distinct@1(31)", {"index", 0, 100000})), 20u);
}

TEST(Profiles, DenormalsAreBelowTheSmallestNormal) {
  for (const DType dtype : {DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e5m2}) {
    const auto values = floats("denormal@1", dtype);
    EXPECT_TRUE(std::all_of(values.begin(), values.end(), [&](double value) {
      return std::abs(value) < facts(dtype).normal_min && rounded(dtype, value) == value;
    })) << facts(dtype).name;
    EXPECT_GT(distinct(values), 2u);
  }
}

TEST(Profiles, HolesCoverTheLeadingElementOfSomeRow) {
  const auto values = floats("neg_inf_holes@1");
  int leading = 0;
  for (std::size_t row = 0; row < 16; ++row) leading += std::isinf(values[row * 64]) ? 1 : 0;
  EXPECT_GT(leading, 0);
}

TEST(Profiles, IntegersFollowTheirDomain) {
  const auto within = [](const std::vector<std::int64_t>& values, std::int64_t low,
                         std::int64_t high) {
    return std::all_of(values.begin(), values.end(),
                       [&](std::int64_t value) { return value >= low && value <= high; });
  };
  for (const ProfileFacts& profile : all_profiles()) {
    if (!profile.integers) continue;
    EXPECT_TRUE(within(integers(profile_text(profile.name), {"index", 0, 9}), 0, 9))
        << profile.name;
    EXPECT_TRUE(within(integers(profile_text(profile.name), {"range", -3, 3}), -3, 3));
    EXPECT_FALSE(integers(profile_text(profile.name), {"full", INT64_MIN, INT64_MAX}).empty());
  }
  auto sorted = integers("uniform@1", {"sorted", 0, 1000}, 2, 128);
  EXPECT_TRUE(std::is_sorted(sorted.begin(), sorted.begin() + 128));
  EXPECT_TRUE(std::is_sorted(sorted.begin() + 128, sorted.end()));
  auto order = integers("uniform@1", {"permutation", 0, 255});
  EXPECT_FALSE(std::is_sorted(order.begin(), order.end()));
  EXPECT_EQ(distinct(order), 256u);
  EXPECT_EQ(integers("lowest@1", {"index", 0, 9}).front(), 0);
  EXPECT_EQ(integers("highest@1", {"index", 0, 9}).front(), 9);
  EXPECT_EQ(distinct(integers("density@1(0)", {"boolean", 0, 1})), 1u);
}

}  // namespace
}  // namespace gate
