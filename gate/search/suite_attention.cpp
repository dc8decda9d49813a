// Family attention: one head, probabilities stored as the inputs are, matrix products on tensor
// cores, softmax in fp32.
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

constexpr std::int64_t tile = 64;

SuiteInput draw(const SuiteInput& shape, std::string_view distribution, std::uint64_t key) {
  SuiteInput input = shape;
  input.rows = 2;
  input.d = 64;
  const bool values_only = distribution == "large_v";
  const bool keys_only = distribution == "peaky" || distribution == "sink";
  const std::string_view plain = "normal";
  input.a = suite_values(
      {keys_only || values_only ? plain : distribution, input.rows, input.d, input.in, key, 1});
  input.b = suite_values({values_only ? plain : distribution, input.n, input.d, input.in, key, 2});
  input.v = suite_values({keys_only ? plain : distribution, input.n, input.d, input.in, key, 3});
  return input;
}

std::vector<SuiteKernel> kernels(const SuiteInput&) {
  std::vector<SuiteKernel> list = {{"one pass", 0}, {"online, tiles", 1}};
  for (const SuiteFault fault :
       {SuiteFault::last_term, SuiteFault::last_tile, SuiteFault::term_doubled,
        SuiteFault::low_accumulator, SuiteFault::other_row, SuiteFault::scale_missing,
        SuiteFault::maximum_kept, SuiteFault::mean_of_v, SuiteFault::p_in_e4m3,
        SuiteFault::zeros}) {
    list.push_back({"one pass", 0, fault});
  }
  list.push_back({"online, tiles", 1, SuiteFault::no_rescale});
  return list;
}

std::vector<float> scores_of(const SuiteInput& input, SuiteFault fault, std::int64_t row) {
  const std::int64_t query = fault == SuiteFault::other_row ? (row + 1) % input.rows : row;
  const double* q = &input.a[static_cast<std::size_t>(query * input.d)];
  const float scale =
      fault == SuiteFault::scale_missing ? 1 : 1 / std::sqrt(static_cast<float>(input.d));
  std::vector<float> scores;
  for (std::int64_t j = 0; j < input.n; ++j) {
    const double* k = &input.b[static_cast<std::size_t>(j * input.d)];
    const auto term = [&](std::int64_t i) { return q[i] * k[i]; };
    scores.push_back(to_f32(suite_sum(input.d, term, Summation::tensor_core)) * scale);
  }
  return scores;
}

/// Weights, unnormalised, as stored for the second product, and their sum.
struct Weights {
  std::vector<double> p;
  float sum = 0;
};

Weights weights_of(const SuiteInput& input, SuiteFault fault, const std::vector<float>& scores) {
  std::int64_t count = input.n;
  if (fault == SuiteFault::last_term) count -= 1;
  if (fault == SuiteFault::last_tile) count = (input.n - 1) / tile * tile;
  float top = -std::numeric_limits<float>::infinity();
  for (std::int64_t j = 0; j < count; ++j) {
    top = std::max(top, scores[static_cast<std::size_t>(j)]);
  }
  if (fault == SuiteFault::maximum_kept) top = 0;
  const DType stored = fault == SuiteFault::p_in_e4m3 ? DType::f8e4m3 : input.in;
  Weights w;
  for (std::int64_t j = 0; j < count; ++j) {
    float p =
        fault == SuiteFault::mean_of_v ? 1 : std::exp(scores[static_cast<std::size_t>(j)] - top);
    if (fault == SuiteFault::term_doubled && j == 0) p *= 2;
    w.sum += p;
    w.p.push_back(rounded(stored, p));
  }
  return w;
}

void one_pass(const SuiteInput& input, SuiteFault fault, std::int64_t row,
              std::vector<double>& out) {
  const Weights w = weights_of(input, fault, scores_of(input, fault, row));
  const auto count = static_cast<std::int64_t>(w.p.size());
  const bool low = fault == SuiteFault::low_accumulator;
  for (std::int64_t e = 0; e < input.d; ++e) {
    const auto term = [&](std::int64_t j) {
      return w.p[static_cast<std::size_t>(j)] * input.v[static_cast<std::size_t>(j * input.d + e)];
    };
    const double sum = suite_sum(count, term, low ? Summation::serial : Summation::tensor_core,
                                 low ? input.in : DType::f32);
    out.push_back(rounded(input.out, to_f32(sum) / w.sum));
  }
}

void online(const SuiteInput& input, SuiteFault fault, std::int64_t row, std::vector<double>& out) {
  const std::vector<float> scores = scores_of(input, fault, row);
  std::vector<float> acc(static_cast<std::size_t>(input.d), 0);
  float top = -std::numeric_limits<float>::infinity(), sum = 0;
  for (std::int64_t first = 0; first < input.n; first += tile) {
    const std::int64_t count = std::min(tile, input.n - first);
    const float* s = &scores[static_cast<std::size_t>(first)];
    const float tile_top = std::max(top, *std::max_element(s, s + count));
    const float shrink = std::exp(top - tile_top);
    sum *= shrink;
    std::vector<double> p;
    for (std::int64_t j = 0; j < count; ++j) {
      const float weight = std::exp(s[j] - tile_top);
      sum += weight;
      p.push_back(rounded(input.in, weight));
    }
    for (std::int64_t e = 0; e < input.d; ++e) {
      float& at = acc[static_cast<std::size_t>(e)];
      if (fault != SuiteFault::no_rescale) at *= shrink;
      const auto term = [&](std::int64_t j) {
        return p[static_cast<std::size_t>(j)] *
               input.v[static_cast<std::size_t>((first + j) * input.d + e)];
      };
      at += to_f32(suite_sum(count, term, Summation::tensor_core));
    }
    top = tile_top;
  }
  for (const float at : acc) out.push_back(rounded(input.out, at / sum));
}

std::vector<double> run(const SuiteInput& input, const SuiteKernel& kernel) {
  std::vector<double> out;
  for (std::int64_t row = 0; row < input.rows; ++row) {
    if (kernel.fault == SuiteFault::zeros) {
      out.insert(out.end(), static_cast<std::size_t>(input.d), 0.0);
    } else if (kernel.number == 1) {
      online(input, kernel.fault, row, out);
    } else {
      one_pass(input, kernel.fault, row, out);
    }
  }
  return out;
}

void ours(const ReferenceCall* call) {
  const Context<Tracked> c(*call);
  const auto q = c.input("a"), k = c.input("b"), v = c.input("v");
  const auto y = c.output("y");
  AttentionKeys<Tracked> keys;
  keys.count = k.shape(0);
  keys.key = [&](std::int64_t j) { return k.row(j); };
  keys.value = [&](std::int64_t j) { return v.row(j); };
  keys.scale = 1 / std::sqrt(static_cast<double>(q.shape(1)));
  for (std::int64_t i = 0; i < q.shape(0); ++i) y.set_row(attention(c, q.row(i), keys), i);
}

/// What the closed form needs of one query.
struct Scores {
  std::vector<double> p, delta;
  double shifted = 0;  // sum p delta
  double total = 0;    // sum exp(S - m)
};

Scores closed_scores(const SuiteInput& input, std::int64_t row) {
  constexpr double u = 0x1p-24;
  const double scale = 1 / std::sqrt(static_cast<double>(input.d));
  const double factor = tensor_factor(static_cast<double>(input.d));
  const double* q = &input.a[static_cast<std::size_t>(row * input.d)];
  Scores s;
  std::vector<double> score, error;
  double top = -infinity, at_top = 0;
  for (std::int64_t j = 0; j < input.n; ++j) {
    double sum = 0, magnitude = 0;
    for (std::int64_t i = 0; i < input.d; ++i) {
      const double product = q[i] * input.b[static_cast<std::size_t>(j * input.d + i)];
      sum += product;
      magnitude += std::abs(product);
    }
    score.push_back(scale * sum);
    error.push_back(scale * factor * magnitude + 2 * u * std::abs(score.back()));
    if (score.back() > top) at_top = error.back();
    top = std::max(top, score.back());
  }
  for (const double x : score) s.total += std::exp(x - top);
  for (std::size_t j = 0; j < score.size(); ++j) {
    s.p.push_back(std::exp(score[j] - top) / s.total);
    s.delta.push_back(error[j] + at_top + u * (std::abs(score[j]) + std::abs(top) + 4));
    s.shifted += s.p[j] * s.delta[j];
  }
  return s;
}

SuiteBounds split(const SuiteInput& input) {
  SuiteBounds bounds;
  const double factor = tensor_factor(static_cast<double>(input.n));
  const double unit = facts(input.in).unit_roundoff;
  const double underflow = input.in == DType::f16 ? 0x1p-25 : 0;
  for (std::int64_t row = 0; row < input.rows; ++row) {
    const Scores s = closed_scores(input, row);
    for (std::int64_t e = 0; e < input.d; ++e) {
      double value = 0, magnitude = 0, squares = 0, shifted = 0, entire = 0;
      for (std::int64_t j = 0; j < input.n; ++j) {
        const double v = input.v[static_cast<std::size_t>(j * input.d + e)];
        const double p = s.p[static_cast<std::size_t>(j)];
        value += p * v;
        magnitude += p * std::abs(v);
        squares += p * p * v * v;
        shifted += p * std::abs(v) * s.delta[static_cast<std::size_t>(j)];
        entire += std::abs(v);
      }
      bounds.value.push_back(value);
      bounds.envelope.push_back(shifted + unit * std::min(magnitude, 6 * std::sqrt(squares)) +
                                factor * magnitude + std::abs(value) * (s.shifted + factor) +
                                underflow / s.total * entire);
    }
  }
  return bounds;
}

}  // namespace

const SuiteFamily& suite_attention() {
  static const SuiteFamily family = {
      "attention",
      {"normal", "scale_large", "uniform01", "peaky", "sink", "large_v"},
      {17, 512, 4096},
      draw,
      kernels,
      run,
      ours,
      split};
  return family;
}

}  // namespace gate
