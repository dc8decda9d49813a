// Family dot: rows of products summed up.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "gate/reference/reference.h"
#include "gate/search/suite.h"
#include "gate/search/suite_draws.h"
#include "gate/search/suite_sums.h"

namespace gate {
namespace {

constexpr std::int64_t tile = 64;

SuiteInput draw(const SuiteInput& shape, std::string_view distribution, std::uint64_t key) {
  SuiteInput input = shape;
  input.rows = 2;
  input.a = suite_values({distribution, input.rows, input.n, input.in, key, 1});
  input.b = suite_values({distribution, input.rows, input.n, input.in, key, 2});
  if (distribution != "cancelling") return input;
  // Products cancel only where the other factor is the same for both of a pair.
  for (std::size_t i = 1; i < input.b.size(); i += 2) input.b[i] = input.b[i - 1];
  return input;
}

std::vector<SuiteKernel> kernels(const SuiteInput& shape) {
  std::vector<SuiteKernel> list = {{"serial fp32", 0}, {"pairwise", 1}, {"split-K", 2}};
  if (shape.tf32 || shape.in != DType::f32) list[0] = {"tensor core", 3};
  for (const SuiteFault fault :
       {SuiteFault::last_term, SuiteFault::last_tile, SuiteFault::term_doubled,
        SuiteFault::other_row, SuiteFault::zeros}) {
    list.push_back({list[0].algorithm, list[0].number, fault});
  }
  if (shape.in == DType::f16 || shape.in == DType::bf16 || shape.in == DType::f8e4m3) {
    list.push_back({"serial", 0, SuiteFault::low_accumulator});
  }
  return list;
}

/// Nearest value with 10 stored bits.
double to_tf32(double x) {
  if (x == 0 || !std::isfinite(x)) return x;
  const int quantum = std::ilogb(x) - 10;
  return std::ldexp(std::nearbyint(std::ldexp(x, -quantum)), quantum);
}

Summation summation(const SuiteInput& input, int number) {
  if (number == 1) return Summation::pairwise;
  if (number == 2) return Summation::split;
  if (number == 0) return Summation::serial;
  return input.in == DType::f8e4m3 ? Summation::fp8_core : Summation::tensor_core;
}

double dot_row(const SuiteInput& input, const SuiteKernel& kernel, std::int64_t row) {
  const SuiteFault fault = kernel.fault;
  const std::int64_t source = fault == SuiteFault::other_row ? (row + 1) % input.rows : row;
  const double* a = &input.a[static_cast<std::size_t>(source * input.n)];
  const double* b = &input.b[static_cast<std::size_t>(row * input.n)];
  std::int64_t count = input.n;
  if (fault == SuiteFault::last_term) count -= 1;
  if (fault == SuiteFault::last_tile) count = (input.n - 1) / tile * tile;
  const bool narrow = input.in == DType::f32 && !input.tf32;
  const auto product = [&](std::int64_t i) -> double {
    if (input.tf32) return to_tf32(a[i]) * to_tf32(b[i]);
    return narrow ? to_f32(a[i]) * to_f32(b[i]) : a[i] * b[i];
  };
  const auto term = [&](std::int64_t i) {
    return fault == SuiteFault::term_doubled && i == 0 ? 2 * product(0) : product(i);
  };
  const bool low = fault == SuiteFault::low_accumulator;
  return suite_sum(count, term, summation(input, kernel.number), low ? input.in : DType::f32);
}

std::vector<double> run(const SuiteInput& input, const SuiteKernel& kernel) {
  std::vector<double> out;
  for (std::int64_t row = 0; row < input.rows; ++row) {
    const double sum = kernel.fault == SuiteFault::zeros ? 0 : dot_row(input, kernel, row);
    out.push_back(rounded(input.out, sum));
  }
  return out;
}

void ours(const ReferenceCall* call) {
  const Context<Tracked> c(*call);
  const auto a = c.input("a"), b = c.input("b");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < a.shape(0); ++r) y[r] = dot(c, a.row(r), b.row(r));
}

SuiteBounds split(const SuiteInput& input) {
  SuiteBounds bounds;
  for (std::int64_t row = 0; row < input.rows; ++row) {
    double value = 0, magnitude = 0;
    for (std::int64_t i = 0; i < input.n; ++i) {
      const auto at = static_cast<std::size_t>(row * input.n + i);
      value += input.a[at] * input.b[at];
      magnitude += std::abs(input.a[at] * input.b[at]);
    }
    double factor = matrix_factor(input.in, input.tf32, static_cast<double>(input.n));
    if (input.tf32) factor += 2 * 0x1p-11;
    bounds.value.push_back(value);
    bounds.envelope.push_back(factor * magnitude);
  }
  return bounds;
}

}  // namespace

const SuiteFamily& suite_dot() {
  static const SuiteFamily family = {"dot",
                                     {"normal", "uniform01", "tiny", "heavy", "cancelling"},
                                     {65, 1000, 40000},
                                     draw,
                                     kernels,
                                     run,
                                     ours,
                                     split};
  return family;
}

}  // namespace gate
