// Family LayerNorm: rows less their mean, over their deviation; no affine parameters.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "gate/reference/reference.h"
#include "gate/search/suite.h"
#include "gate/search/suite_draws.h"
#include "gate/search/suite_sums.h"

namespace gate {
namespace {

constexpr std::int64_t tile = 128;

SuiteInput draw(const SuiteInput& shape, std::string_view distribution, std::uint64_t key) {
  SuiteInput input = shape;
  input.rows = 2;
  input.a = suite_values({distribution, input.rows, input.n, input.in, key, 1});
  return input;
}

std::vector<SuiteKernel> kernels(const SuiteInput& shape) {
  std::vector<SuiteKernel> list = {{"two passes", 0}, {"Welford", 1}, {"two passes, pairwise", 2}};
  for (const SuiteFault fault :
       {SuiteFault::last_term, SuiteFault::last_tile, SuiteFault::term_doubled,
        SuiteFault::other_row, SuiteFault::root_missing, SuiteFault::epsilon_missing,
        SuiteFault::cancelling_variance, SuiteFault::zeros}) {
    list.push_back({"two passes", 0, fault});
  }
  if (shape.in != DType::f32) list.push_back({"two passes", 0, SuiteFault::low_accumulator});
  return list;
}

struct Statistics {
  float mean = 0, variance = 0;
};

Statistics welford(const double* x, std::int64_t count) {
  float mean = 0, squares = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const float value = to_f32(x[i]), delta = value - mean;
    mean += delta / static_cast<float>(i + 1);
    squares += delta * (value - mean);
  }
  return {mean, squares / static_cast<float>(count)};
}

Statistics two_passes(const SuiteInput& input, const SuiteKernel& kernel, const double* x) {
  const SuiteFault fault = kernel.fault;
  std::int64_t count = input.n;
  if (fault == SuiteFault::last_term) count -= 1;
  if (fault == SuiteFault::last_tile) count = (input.n - 1) / tile * tile;
  const Summation how = kernel.number == 2 ? Summation::pairwise : Summation::serial;
  const DType accumulator = fault == SuiteFault::low_accumulator ? input.in : DType::f32;
  const auto n = static_cast<float>(input.n);
  const bool doubled = fault == SuiteFault::term_doubled;
  const auto value = [&](std::int64_t i) { return doubled && i == 0 ? 2 * x[0] : x[i]; };
  Statistics s;
  s.mean = to_f32(suite_sum(count, value, how, accumulator)) / n;
  if (fault == SuiteFault::cancelling_variance) {
    const auto square = [&](std::int64_t i) -> double { return to_f32(x[i]) * to_f32(x[i]); };
    s.variance = to_f32(suite_sum(count, square, how, accumulator)) / n - s.mean * s.mean;
    return s;
  }
  const auto square = [&](std::int64_t i) -> double {
    const float off = to_f32(x[i]) - s.mean;
    return doubled && i == 0 ? 2 * off * off : off * off;
  };
  s.variance = to_f32(suite_sum(count, square, how, accumulator)) / n;
  return s;
}

std::vector<double> run(const SuiteInput& input, const SuiteKernel& kernel) {
  std::vector<double> out;
  const SuiteFault fault = kernel.fault;
  for (std::int64_t row = 0; row < input.rows; ++row) {
    const std::int64_t source = fault == SuiteFault::other_row ? (row + 1) % input.rows : row;
    const double* x = &input.a[static_cast<std::size_t>(source * input.n)];
    const Statistics s = kernel.number == 1 ? welford(x, input.n) : two_passes(input, kernel, x);
    const float eps = fault == SuiteFault::epsilon_missing ? 0 : to_f32(input.eps);
    const float whole = s.variance + eps;
    const float scale = 1 / (fault == SuiteFault::root_missing ? whole : std::sqrt(whole));
    for (std::int64_t i = 0; i < input.n; ++i) {
      const float y = (to_f32(x[i]) - s.mean) * scale;
      out.push_back(fault == SuiteFault::zeros ? 0 : rounded(input.out, y));
    }
  }
  return out;
}

void ours(const ReferenceCall* call) {
  const Context<Tracked> c(*call);
  const auto a = c.input("a");
  const auto y = c.output("y");
  const double eps = c.attribute("eps");
  for (std::int64_t r = 0; r < a.shape(0); ++r) {
    const auto row = a.row(r);
    const auto m = moments(c, row, eps);
    for (std::int64_t i = 0; i < row.size(); ++i) y(r, i) = (row[i] - m.mean) * m.scale;
  }
}

SuiteBounds split(const SuiteInput& input) {
  SuiteBounds bounds;
  constexpr double u = 0x1p-24;
  const auto n = static_cast<double>(input.n);
  const double factor = serial_factor(n), eps = to_f32(input.eps);
  for (std::int64_t row = 0; row < input.rows; ++row) {
    const double* x = &input.a[static_cast<std::size_t>(row * input.n)];
    double mean = 0, magnitude = 0, variance = 0, spread = 0;
    for (std::int64_t i = 0; i < input.n; ++i) {
      mean += x[i] / n;
      magnitude += std::abs(x[i]) / n;
    }
    for (std::int64_t i = 0; i < input.n; ++i) {
      variance += (x[i] - mean) * (x[i] - mean) / n;
      spread += std::abs(x[i] - mean) / n;
    }
    const double whole = variance + eps, root = 1 / std::sqrt(whole);
    const double off = (factor + 2 * u) * magnitude;
    const double condition = std::sqrt((mean * mean + variance) / whole);
    const double relative =
        (factor + 6 * u) * condition * variance / whole + (2 * off * spread + off * off) / whole;
    for (std::int64_t i = 0; i < input.n; ++i) {
      const double y = (x[i] - mean) * root;
      bounds.value.push_back(y);
      bounds.envelope.push_back(root * (off + u * std::abs(x[i] - mean)) +
                                std::abs(y) * (0.5 * relative + 4 * u));
    }
  }
  return bounds;
}

}  // namespace

const SuiteFamily& suite_layernorm() {
  static const SuiteFamily family = {
      "layernorm",
      {"normal", "uniform01", "offset10", "offset100", "offset1000", "small_variance", "heavy"},
      {65, 1024, 16384},
      draw,
      kernels,
      run,
      ours,
      split};
  return family;
}

}  // namespace gate
