// Family softmax: rows of exp(x - max) over their sum.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include "gate/reference/reference.h"
#include "gate/search/suite.h"
#include "gate/search/suite_draws.h"
#include "gate/search/suite_sums.h"

namespace gate {
namespace {

constexpr std::int64_t tile = 128;
constexpr float log2_of_e = 1.44269504f;

SuiteInput draw(const SuiteInput& shape, std::string_view distribution, std::uint64_t key) {
  SuiteInput input = shape;
  input.rows = 2;
  input.a = suite_values({distribution, input.rows, input.n, input.in, key, 1});
  return input;
}

std::vector<SuiteKernel> kernels(const SuiteInput& shape) {
  std::vector<SuiteKernel> list = {{"three passes", 0}, {"online", 1}, {"scaled exp2", 2}};
  for (const SuiteFault fault :
       {SuiteFault::last_term, SuiteFault::last_tile, SuiteFault::term_doubled,
        SuiteFault::other_row, SuiteFault::maximum_kept, SuiteFault::zeros}) {
    list.push_back({"three passes", 0, fault});
  }
  list.push_back({"online", 1, SuiteFault::no_rescale});
  if (shape.in != DType::f32) list.push_back({"three passes", 0, SuiteFault::low_accumulator});
  return list;
}

/// Sum of the exponentials as the online algorithm forms it, one accumulator per tile.
struct Running {
  float top = -std::numeric_limits<float>::infinity(), sum = 0;
};
Running online(const float* x, std::int64_t count, bool rescale) {
  Running r;
  for (std::int64_t first = 0; first < count; first += tile) {
    const std::int64_t end = std::min(first + tile, count);
    float top = r.top;
    for (std::int64_t i = first; i < end; ++i) top = std::max(top, x[i]);
    if (rescale && r.sum > 0) r.sum *= std::exp(r.top - top);
    r.top = top;
    for (std::int64_t i = first; i < end; ++i) r.sum += std::exp(x[i] - top);
  }
  return r;
}

struct Row {
  std::vector<float> x;
  float top = 0;
  std::int64_t counted = 0;  // terms of the sum
};

Row row_of(const SuiteInput& input, SuiteFault fault, std::int64_t row) {
  const std::int64_t source = fault == SuiteFault::other_row ? (row + 1) % input.rows : row;
  Row r;
  for (std::int64_t i = 0; i < input.n; ++i) {
    r.x.push_back(to_f32(input.a[static_cast<std::size_t>(source * input.n + i)]));
  }
  r.top = fault == SuiteFault::maximum_kept ? 0 : *std::max_element(r.x.begin(), r.x.end());
  r.counted = input.n;
  if (fault == SuiteFault::last_term) r.counted -= 1;
  if (fault == SuiteFault::last_tile) r.counted = (input.n - 1) / tile * tile;
  return r;
}

/// Exponentials and their sum, by algorithm.
std::vector<float> softmax_row(const SuiteInput& input, const SuiteKernel& kernel,
                               std::int64_t number) {
  Row row = row_of(input, kernel.fault, number);
  const bool doubled = kernel.fault == SuiteFault::term_doubled;
  const auto exponential = [&](std::int64_t i) -> float {
    const float x = row.x[static_cast<std::size_t>(i)];
    if (kernel.number == 2) return std::exp2(x * log2_of_e - row.top * log2_of_e);
    return std::exp(x - row.top);
  };
  const auto term = [&](std::int64_t i) -> double {
    return doubled && i == 0 ? 2 * exponential(0) : exponential(i);
  };
  float sum = 0;
  if (kernel.number == 1) {
    const Running r = online(row.x.data(), row.counted, kernel.fault != SuiteFault::no_rescale);
    sum = r.sum;
  } else {
    const bool low = kernel.fault == SuiteFault::low_accumulator;
    const Summation how = kernel.number == 0 ? Summation::serial : Summation::pairwise;
    sum = to_f32(suite_sum(row.counted, term, how, low ? input.in : DType::f32));
  }
  std::vector<float> y;
  for (std::int64_t i = 0; i < input.n; ++i) y.push_back(exponential(i) / sum);
  return y;
}

std::vector<double> run(const SuiteInput& input, const SuiteKernel& kernel) {
  std::vector<double> out;
  for (std::int64_t row = 0; row < input.rows; ++row) {
    if (kernel.fault == SuiteFault::zeros) {
      out.insert(out.end(), static_cast<std::size_t>(input.n), 0.0);
      continue;
    }
    for (const float y : softmax_row(input, kernel, row)) out.push_back(rounded(input.out, y));
  }
  return out;
}

void ours(const ReferenceCall* call) {
  const Context<Tracked> c(*call);
  const auto a = c.input("a");
  const auto y = c.output("y");
  for (std::int64_t r = 0; r < a.shape(0); ++r) y.set_row(softmax(c, a.row(r)), r);
}

SuiteBounds split(const SuiteInput& input) {
  SuiteBounds bounds;
  constexpr double u = 0x1p-24;
  const double factor = serial_factor(static_cast<double>(input.n));
  for (std::int64_t row = 0; row < input.rows; ++row) {
    const double* x = &input.a[static_cast<std::size_t>(row * input.n)];
    const double top = *std::max_element(x, x + input.n);
    double sum = 0, weighted = 0;
    for (std::int64_t i = 0; i < input.n; ++i) sum += std::exp(x[i] - top);
    for (std::int64_t i = 0; i < input.n; ++i) {
      weighted += std::exp(x[i] - top) / sum * (std::abs(x[i]) + std::abs(top) + 4);
    }
    for (std::int64_t i = 0; i < input.n; ++i) {
      const double y = std::exp(x[i] - top) / sum;
      const double own = std::abs(x[i]) + std::abs(top) + 4;
      bounds.value.push_back(y);
      bounds.envelope.push_back(y * (u * (1.5 * own + 1.5 * weighted) + factor + 4 * u));
    }
  }
  return bounds;
}

}  // namespace

const SuiteFamily& suite_softmax() {
  static const SuiteFamily family = {
      "softmax",
      {"normal", "scale_large", "uniform01", "offset100", "heavy", "peaky", "large_logits"},
      {65, 1024, 16384},
      draw,
      kernels,
      run,
      ours,
      split};
  return family;
}

}  // namespace gate
