// What the words of compute-sanitizer amount to.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/sanitized.h"

#include <gtest/gtest.h>

namespace gate {
namespace {

const SanitizerReport clean_memory{"memcheck", true, false, "ERROR SUMMARY: 0 errors"};
const SanitizerReport absent{"memcheck", false, false, "compute-sanitizer cannot be started"};

TEST(Sanitized, nothing_found_and_nothing_run_are_no_verdict) {
  EXPECT_FALSE(sanitizer_verdict({}, Case{}));
  EXPECT_FALSE(sanitizer_verdict({clean_memory}, Case{}));
  EXPECT_FALSE(sanitizer_verdict({absent}, Case{}));
}

TEST(Sanitized, errors_have_the_kind_of_their_tool) {
  const SanitizerReport read{"memcheck", true, true, "Invalid __global__ read of size 4\nat x"};
  const auto memory = sanitizer_verdict({read}, Case{});
  ASSERT_TRUE(memory);
  EXPECT_EQ(memory->kind, Kind::out_of_bounds);
  EXPECT_EQ(memory->property, property_memory);
  EXPECT_EQ(memory->text, "memcheck: Invalid __global__ read of size 4");
  const SanitizerReport race{"racecheck", true, true, "Error: Race reported between …"};
  const auto repeat = sanitizer_verdict({clean_memory, race}, Case{});
  ASSERT_TRUE(repeat);
  EXPECT_EQ(repeat->kind, Kind::nondeterministic);
  EXPECT_EQ(repeat->property, property_repeat);
}

TEST(Sanitized, people_read_which_tool_did_what) {
  const SanitizerReport read{"memcheck", true, true, "Invalid __global__ read of size 4"};
  EXPECT_EQ(to_text({clean_memory}), "memcheck found nothing");
  EXPECT_EQ(to_text({absent}), "memcheck did not run:\ncompute-sanitizer cannot be started");
  EXPECT_EQ(to_text({read}), "memcheck found errors:\nInvalid __global__ read of size 4");
  EXPECT_EQ(to_text(std::vector<SanitizerReport>{}), "");
}

}  // namespace
}  // namespace gate
