// The thirteen suites, and our reference on their inputs.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/suite.h"

#include "gate/base/check.h"
#include "gate/reference/decoded.h"

namespace gate {
namespace {

TensorBytes matrix(const std::string& name, const std::vector<double>& values, std::int64_t rows,
                   std::int64_t cols) {
  return {name, DType::f64, contiguous_view({rows, cols}),
          reinterpret_cast<const std::byte*>(values.data())};
}

}  // namespace

std::string_view name(SuiteFault fault) {
  switch (fault) {
    case SuiteFault::none:
      return "none";
    case SuiteFault::last_term:
      return "last term dropped";
    case SuiteFault::last_tile:
      return "last tile dropped";
    case SuiteFault::term_doubled:
      return "a term doubled";
    case SuiteFault::low_accumulator:
      return "accumulator in the input dtype";
    case SuiteFault::other_row:
      return "neighbour's row";
    case SuiteFault::scale_missing:
      return "scale left out";
    case SuiteFault::root_missing:
      return "root left out";
    case SuiteFault::epsilon_missing:
      return "epsilon left out";
    case SuiteFault::maximum_kept:
      return "max not subtracted";
    case SuiteFault::no_rescale:
      return "no rescale";
    case SuiteFault::mean_of_v:
      return "mean of V";
    case SuiteFault::p_in_e4m3:
      return "P in e4m3";
    case SuiteFault::cancelling_variance:
      return "variance as E[x^2]-E[x]^2";
    case SuiteFault::zeros:
      return "zeros";
  }
  return "";
}

const std::vector<Suite>& all_suites() {
  using enum DType;
  static const std::vector<Suite> suites = {
      {"dot fp32", suite_dot(), f32, f32, false, 2, "f32", "0/99"},
      {"dot tf32", suite_dot(), f32, f32, true, 2, "f32", "0/97"},
      {"dot fp16", suite_dot(), f16, f16, false, 2, "f16", "0/96"},
      {"dot bf16", suite_dot(), bf16, bf16, false, 2, "bf16", "0/97"},
      {"dot e4m3 to bf16", suite_dot(), f8e4m3, bf16, false, 1, "f8e4m3", "0/82"},
      {"softmax fp32", suite_softmax(), f32, f32, false, 2, "f32", "0/95"},
      {"softmax fp16", suite_softmax(), f16, f16, false, 2, "f16", "0/94"},
      {"softmax bf16", suite_softmax(), bf16, bf16, false, 2, "bf16", "0/96"},
      {"LayerNorm fp32", suite_layernorm(), f32, f32, false, 2, "f32", "0/75"},
      {"LayerNorm fp16", suite_layernorm(), f16, f16, false, 2, "f16", "0/75"},
      {"LayerNorm bf16", suite_layernorm(), bf16, bf16, false, 2, "bf16", "0/78"},
      {"attention fp16", suite_attention(), f16, f16, false, 2, "f16", "0/94"},
      {"attention bf16", suite_attention(), bf16, bf16, false, 2, "bf16", "0/83"},
  };
  return suites;
}

SuiteBounds suite_bounds(const SuiteFamily& family, const SuiteInput& input) {
  ErrorModel model;
  model.input = input.in;
  model.tf32 = input.tf32;
  model.intermediate = input.v.empty() ? DType::f32 : input.in;
  DecodedCall call(arithmetic_of(model));
  const std::int64_t cols = input.v.empty() ? input.n : input.d;
  call.add_input(matrix("a", input.a, input.rows, cols));
  if (!input.b.empty()) {
    const bool keys = !input.v.empty();
    call.add_input(matrix("b", input.b, keys ? input.n : input.rows, cols));
    if (keys) call.add_input(matrix("v", input.v, input.n, input.d));
  }
  const bool scalar = !input.b.empty() && input.v.empty();
  std::vector<std::int64_t> shape = {input.rows};
  if (!scalar) shape.push_back(cols);
  call.add_output("y", input.out, shape);
  call.add_attribute("eps", input.eps, DType::f32);
  const std::string mistake = call.run(family.ours);
  check(mistake.empty(), "references of suites make no mistake: " + mistake);
  Expected expected = call.take_expected();
  return {std::move(expected.outputs.front().value), std::move(expected.outputs.front().envelope)};
}

}  // namespace gate
