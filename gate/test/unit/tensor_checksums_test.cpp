// 200 tensors, every profile in several dtypes, layouts and shapes: their bytes are the same on
// every machine and in every build. GATE_WRITE_CHECKSUMS=1 rewrites the committed file, which is
// right only together with new profile versions.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "gate/base/files.h"
#include "gate/base/hash.h"
#include "gate/base/random.h"
#include "gate/base/text.h"
#include "gate/cases/inputs.h"
#include "gate/test/unit/cases_fixture.h"

namespace gate {
namespace {

constexpr std::size_t tensors = 200;

TensorChoice layout_number(std::size_t number) {
  TensorChoice choice;
  const char* layouts[] = {"contiguous", "row_pitch", "strided", "offset", "transposed"};
  choice.layout = layouts[number % 5];
  if (choice.layout == "row_pitch") choice.padding = 3;
  if (choice.layout == "strided") choice.step = 2;
  if (choice.layout == "offset") choice.offset = 7;
  return choice;
}

IntegerDomain domain_number(std::size_t number) {
  const char* kinds[] = {"index", "permutation", "sorted", "range", "full"};
  IntegerDomain domain;
  domain.kind = kinds[number % 5];
  domain.low = cases_test::expression(domain.kind == "index" ? "0" : "-5");
  domain.high = cases_test::expression("100");
  return domain;
}

/// An op whose only input has the profile under test among its own.
OpSchema op_for(const ProfileFacts& profile, DType dtype, std::size_t number) {
  OpSchema op;
  op.name = "sample";
  op.axes = {{"rows", 1, 64, {}}, {"cols", 1, 512, {}}};
  op.columns = {"c"};
  op.dtypes["c"] = {{"x", dtype}, {"y", DType::f16}};
  TensorSchema x;
  x.name = "x";
  x.shape = {cases_test::expression("rows"), cases_test::expression("cols")};
  x.layouts = {"contiguous", "row_pitch", "strided", "offset", "transposed"};
  x.profiles = {std::string(profile.name), "normal"};
  TensorSchema y = x;
  y.name = "y";
  if (!facts(dtype).is_float) x.domain = domain_number(number);
  op.inputs = {x};
  op.outputs = {y};
  return op;
}

std::string checksum_line(const ProfileFacts& profile, DType dtype, std::size_t number) {
  const OpSchema op = op_for(profile, dtype, number);
  const std::int64_t cols[] = {1, 37, 128, 129, 301};
  Case value = cases_test::plain_case(
      op, {{"rows", 1 + static_cast<std::int64_t>(number % 4)}, {"cols", cols[number / 3 % 5]}},
      mix(number, 0x6a7e));
  value.property = profile.special ? "special" : "value";
  value.tensors["x"] = layout_number(number);
  value.tensors["x"].profile = profile_text(profile.name);
  EXPECT_TRUE(validate(value, op, nullptr)) << to_text(value);
  const Inputs inputs = make_inputs(value, op, nullptr);
  Sha256 hash;
  hash.add(std::span<const std::byte>(inputs.tensors[0].storage));
  return fmt::format("{} {} {} {}x{} {} {}", number, value.tensors["x"].profile, facts(dtype).name,
                     value.axes["rows"], value.axes["cols"], value.tensors["x"].layout, hash.hex());
}

std::vector<std::string> checksum_lines() {
  const DType floats[] = {DType::f32, DType::f16,    DType::bf16,
                          DType::f64, DType::f8e4m3, DType::f8e5m2};
  const DType integers[] = {DType::i32, DType::i64, DType::i8, DType::u8, DType::boolean};
  std::vector<std::string> lines;
  for (std::size_t round = 0; lines.size() < tensors; ++round) {
    for (const ProfileFacts& profile : all_profiles()) {
      const std::size_t number = lines.size();
      const DType dtype = profile.floats && (!profile.integers || round % 2 == 0)
                              ? floats[(number + round) % 6]
                              : integers[(number + round) % 5];
      if (number < tensors) lines.push_back(checksum_line(profile, dtype, number));
    }
  }
  return lines;
}

TEST(TensorChecksums, EqualTheCommittedOnes) {
  const std::string path = std::string(GATE_SOURCE_DIR) + "/gate/test/unit/tensor_checksums.txt";
  const std::vector<std::string> lines = checksum_lines();
  ASSERT_EQ(lines.size(), tensors);
  if (std::getenv("GATE_WRITE_CHECKSUMS") != nullptr) {
    ASSERT_TRUE(write_file(path, join(lines, "\n") + "\n"));
  }
  const auto committed = read_file(path);
  ASSERT_TRUE(static_cast<bool>(committed)) << to_text(committed.failure());
  const auto expected = split(trim(*committed), '\n');
  ASSERT_EQ(expected.size(), lines.size());
  for (std::size_t i = 0; i < lines.size(); ++i) EXPECT_EQ(lines[i], expected[i]);
}

}  // namespace
}  // namespace gate
