// Laws of the comparison itself.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <limits>

#include "gate/oracle/comparison.h"

namespace gate {
namespace {

DType float_dtype() {
  return *rc::gen::element(DType::f64, DType::f32, DType::f16, DType::bf16, DType::f8e4m3,
                           DType::f8e5m2);
}

/// A tensor of any bits at all: NaN, infinities, subnormals.
Tensor any_bits(DType dtype, std::size_t count) {
  Tensor tensor =
      make_tensor("y", Role::output, dtype, contiguous_view({static_cast<std::int64_t>(count)}));
  const std::uint64_t mask = facts(dtype).bytes == 8
                                 ? ~std::uint64_t{0}
                                 : (std::uint64_t{1} << (8 * facts(dtype).bytes)) - 1;
  for (std::size_t i = 0; i < count; ++i) {
    tensor.set_bits(static_cast<std::int64_t>(i), *rc::gen::arbitrary<std::uint64_t>() & mask);
  }
  return tensor;
}

ExpectedTensor values_of(const Tensor& tensor, double envelope) {
  ExpectedTensor want;
  want.name = tensor.name;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) want.value.push_back(tensor.at(i));
  want.envelope.assign(want.value.size(), envelope);
  return want;
}

std::int64_t failures(const Comparison& comparison) {
  return comparison.wrong + comparison.nonfinite;
}

Tolerance multiplier(double c, bool exact = false) {
  Tolerance tolerance;
  tolerance.c = c;
  tolerance.exact = exact;
  return tolerance;
}

RC_GTEST_PROP(comparison, a_tensor_equals_itself_whatever_its_bits, ()) {
  const Tensor tensor = any_bits(float_dtype(), 16);
  const bool exact = *rc::gen::arbitrary<bool>();
  Contract contract;
  contract.signed_zero = *rc::gen::arbitrary<bool>();
  const Comparison result = compare(tensor, values_of(tensor, 0), multiplier(1, exact), contract);
  RC_ASSERT(failures(result) == 0);
  RC_ASSERT(result.unjudgeable == 0);
  RC_ASSERT(result.worst == -1);
}

RC_GTEST_PROP(comparison, a_wider_tolerance_fails_nothing_more, ()) {
  const DType dtype = float_dtype();
  const Tensor got = any_bits(dtype, 16);
  const Tensor want = any_bits(dtype, 16);
  const double envelope = std::abs(*rc::gen::arbitrary<float>());
  const double narrow = 1 + *rc::gen::inRange(0, 4), wide = narrow * 2;
  const auto run = [&](double c) {
    return compare(got, values_of(want, envelope), multiplier(c), {});
  };
  RC_ASSERT(failures(run(wide)) <= failures(run(narrow)));
}

RC_GTEST_PROP(comparison, a_wider_envelope_fails_nothing_more, ()) {
  const DType dtype = float_dtype();
  const Tensor got = any_bits(dtype, 16);
  const Tensor want = any_bits(dtype, 16);
  const double envelope = std::abs(*rc::gen::arbitrary<float>());
  const auto run = [&](double t) { return compare(got, values_of(want, t), multiplier(1), {}); };
  RC_ASSERT(failures(run(2 * envelope)) <= failures(run(envelope)));
}

RC_GTEST_PROP(comparison, what_exact_columns_accept_others_accept_too, ()) {
  const DType dtype = float_dtype();
  const Tensor got = any_bits(dtype, 16);
  const Tensor want = any_bits(dtype, 16);
  const std::int64_t loose = failures(compare(got, values_of(want, 0), multiplier(1), {}));
  const std::int64_t exact = failures(compare(got, values_of(want, 0), multiplier(1, true), {}));
  RC_ASSERT(loose <= exact);
}

RC_GTEST_PROP(comparison, counts_and_marks_agree, ()) {
  const DType dtype = float_dtype();
  const Comparison result =
      compare(any_bits(dtype, 16), values_of(any_bits(dtype, 16), 0), multiplier(1), {});
  std::int64_t wrong = 0, nonfinite = 0;
  for (const std::uint8_t mark : result.failed) {
    wrong += mark == 1;
    nonfinite += mark == 2;
  }
  RC_ASSERT(wrong == result.wrong);
  RC_ASSERT(nonfinite == result.nonfinite);
  RC_ASSERT((result.worst >= 0) == (wrong + nonfinite > 0));
}

RC_GTEST_PROP(comparison, a_correctly_rounded_result_passes_with_c_1, ()) {
  const DType dtype = float_dtype();
  const double value = *rc::gen::arbitrary<double>();
  Tensor got = make_tensor("y", Role::output, dtype, contiguous_view({1}));
  got.set(0, value);
  ExpectedTensor want;
  want.name = "y";
  want.value = {value};
  want.envelope = {0};
  RC_ASSERT(failures(compare(got, want, multiplier(1), {})) == 0);
}

}  // namespace
}  // namespace gate
