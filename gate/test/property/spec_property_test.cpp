// Laws of spec texts: reading undoes writing, writing is canonical, and no text crashes a reader.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "gate/spec/tiles.h"
#include "gate/test/property/generators.h"

namespace gate {
namespace {

bool same_values(const Seed& a, const Seed& b) {
  return a.kernel == b.kernel && a.test_case == b.test_case && a.kind == b.kind &&
         a.property == b.property && a.pattern == b.pattern && a.fingerprint == b.fingerprint &&
         a.number == b.number && a.status == b.status && a.reason == b.reason &&
         a.owner == b.owner && a.expires == b.expires && a.input_digest == b.input_digest &&
         a.output_digest == b.output_digest && a.embedded == b.embedded &&
         a.found_at == b.found_at && a.found_on == b.found_on && a.device == b.device &&
         a.note == b.note;
}

bool same_values(const Tolerance& a, const Tolerance& b) {
  return a.c == b.c && a.exact == b.exact && a.origin == b.origin &&
         a.largest_ratio == b.largest_ratio && a.cases == b.cases && a.kernels == b.kernels &&
         a.devices == b.devices && a.date == b.date && a.reason == b.reason;
}

RC_GTEST_PROP(SpecLaws, CasesReadBack, ()) {
  const Case value = *generators::test_case();
  const std::string text = to_text(value);
  const auto back = parse_case(text);
  if (!back) RC_FAIL(text + "\n" + to_text(back.failure()));
  RC_ASSERT(*back == value);
  RC_ASSERT(to_text(*back) == text);
  RC_ASSERT(text.find('\n') == std::string::npos);
}

RC_GTEST_PROP(SpecLaws, SeedsReadBack, ()) {
  const Seed value = *generators::seed();
  const std::string text = to_toml(value);
  const auto back = parse_seed(text, "seed.toml");
  if (!back) RC_FAIL(text + "\n" + to_text(back.failure()));
  RC_ASSERT(same_values(*back, value));
  RC_ASSERT(to_toml(*back) == text);
}

RC_GTEST_PROP(SpecLaws, SeedsAndCaseTextsAgree, ()) {
  const Seed value = *generators::seed();
  const auto back = parse_seed(to_toml(value), "seed.toml");
  RC_ASSERT(static_cast<bool>(back));
  RC_ASSERT(to_text(back->test_case) == to_text(value.test_case));
}

RC_GTEST_PROP(SpecLaws, TolerancesReadBack, ()) {
  const ToleranceTable value = *generators::tolerance_table();
  const std::string text = to_toml(value);
  const auto back = parse_tolerances(text, value.op + ".toml");
  if (!back) RC_FAIL(text + "\n" + to_text(back.failure()));
  RC_ASSERT(back->op == value.op);
  RC_ASSERT(back->rows.size() == value.rows.size());
  for (const auto& [column, row] : value.rows) {
    RC_ASSERT(same_values(back->rows.at(column), row));
  }
  RC_ASSERT(to_toml(*back) == text);
}

/// Reads any text as every type; what matters is that it returns.
void read_as_everything(const std::string& text) {
  (void)parse_op(text, "op.toml");
  (void)parse_kernel(text, "k.toml", OpSchema{});
  (void)parse_kernel_op(text, "k.toml");
  (void)parse_tolerances(text, "t.toml");
  (void)parse_seed(text, "s.toml");
  (void)parse_config(text, "gate.toml");
  (void)parse_case(text);
  (void)mine_tiles(text);
}

RC_GTEST_PROP(SpecLaws, AnyBytesAreFine, (const std::string& bytes)) { read_as_everything(bytes); }

RC_GTEST_PROP(SpecLaws, AnyTomlLikeTextIsFine, ()) {
  const auto parts = *rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
      "[op]\n", "[kernel]\n", "[case]\n", "[axes]\n", "[[launch]]\n", "[expect]\n", "[f32]\n",
      "[columns]\n", "[inputs.x]\n", "[contract]\n", "[fixed_shape]\n", "[profiles.pr]\n", "name",
      "op", "c", "rows", "shape", "args", "class", "key", " = ", "1", "-1", "1e400", "nan", "true",
      "\"x\"", "\"rows\"", "\"rows +\"", "{", "}", "[", "]", ", ", "\n", ".", "'", "\"", "#",
      "\\"));
  std::string text;
  for (const std::string& part : parts) text += part;
  read_as_everything(text);
}

}  // namespace
}  // namespace gate
