// Correct algorithms of the catalogue's other ops, by shape: formulas of several tensors, sums and
// means, scans, losses, norms along other axes, pooling, quantisation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/test/property/correct_rows.h"
#include "gate/test/property/correct_tensors.h"

namespace gate::correct {

/// Elementwise over several tensors, in f32: values in the order of `inputs`. A tensor of another
/// shape than the output's serves by row ("name/row") or by column ("name/column").
struct ManyForm {
  std::string op, name;
  std::vector<std::string> inputs;
  float (*function)(const Floats& x, float attribute);
  std::string attribute = {};
};

inline float clamped(float x, float most) { return std::fmin(std::fmax(x, -most), most); }

inline std::vector<ManyForm> many_forms() {
  using F = const Floats&;
  return {
      {"add", "plain", {"a", "b"}, [](F x, float) { return x[0] + x[1]; }},
      {"add", "fused", {"a", "b"}, [](F x, float) { return std::fma(x[0], 1.0f, x[1]); }},
      {"add_bias", "plain", {"x", "bias/column"}, [](F x, float) { return x[0] + x[1]; }},
      {"multiply", "plain", {"a", "b"}, [](F x, float) { return x[0] * x[1]; }},
      {"multiply", "fused", {"a", "b"}, [](F x, float) { return std::fma(x[0], x[1], -0.0f); }},
      {"divide", "plain", {"a", "b"}, [](F x, float) { return x[0] / x[1]; }},
      {"sqrt", "plain", {"x"}, [](F x, float) { return std::sqrt(x[0]); }},
      {"sqrt", "one ulp off", {"x"}, [](F x, float) { return nudged(std::sqrt(x[0])); }},
      {"exp", "library", {"x"}, [](F x, float) { return std::exp(x[0]); }},
      {"exp", "one ulp off", {"x"}, [](F x, float) { return nudged(std::exp(x[0])); }},
      {"softplus",
       "log1p",
       {"x"},
       [](F x, float) { return std::fmax(x[0], 0.0f) + std::log1p(std::exp(-std::abs(x[0]))); }},
      {"softplus",
       "one ulp off",
       {"x"},
       [](F x, float) {
         return std::fmax(x[0], 0.0f) + nudged(std::log1p(nudged(std::exp(-std::abs(x[0])))));
       }},
      {"cast", "plain", {"x"}, [](F x, float) { return x[0]; }},
      {"dropout",
       "quotient",
       {"x", "mask"},
       [](F x, float p) { return x[1] != 0 ? x[0] / (1 - p) : 0; },
       "p"},
      {"dropout",
       "factor",
       {"x", "mask"},
       [](F x, float p) { return x[1] != 0 ? x[0] * (1 / (1 - p)) : 0; },
       "p"},
      {"dequantise_int8", "plain", {"code", "scale/row"}, [](F x, float) { return x[0] * x[1]; }},
      {"quantise_fp8",
       "quotient",
       {"x", "scale/row"},
       [](F x, float) { return clamped(x[0] / x[1], 448); }},
  };
}

inline Algorithm many_algorithm(const ManyForm& form) {
  return {form.op, form.name, [=](Inputs& inputs) {
            std::vector<std::pair<Cells, char>> read;
            for (const std::string& input : form.inputs) {
              const std::size_t slash = input.find('/');
              const char how = slash == std::string::npos ? 'e' : input[slash + 1];
              read.emplace_back(Cells(inputs, input.substr(0, slash)), how);
            }
            const float attribute = attribute_of(inputs, form.attribute);
            const std::int64_t cols = read.front().first.shape(1);
            set_cells(inputs, "y", [&](std::int64_t i) {
              Floats x;
              for (const auto& [cells, how] : read) {
                x.push_back(cells[how == 'r' ? i / cols : how == 'c' ? i % cols : i]);
              }
              // fmax and fmin of the formulas lose a NaN, library functions do not.
              const bool lost = std::isnan(x[0]) && x.back() != 0;
              return lost ? x[0] : form.function(x, attribute);
            });
          }};
}

/// Rows of "x" to one number each, or to a row; with the row's target where the op has one.
using RowLoss = std::function<Floats(const Floats& row, std::int64_t target, float gradient)>;

inline Algorithm row_loss(std::string op, std::string name, RowLoss function) {
  return {std::move(op), std::move(name), [=](Inputs& inputs) {
            const Cells x(inputs, "x");
            const bool targeted = find_tensor(inputs, "target") != nullptr;
            const bool weighted = find_tensor(inputs, "gradient") != nullptr;
            Tensor& y = *find_tensor(inputs, "y");
            for (std::int64_t r = 0; r < x.shape(0); ++r) {
              const std::int64_t target =
                  targeted ? find_tensor(inputs, "target")->integer_at(r) : 0;
              const float gradient = weighted ? Cells(inputs, "gradient")[r] : 1;
              set_row(y, r, function(x.row(r), target, gradient));
            }
          }};
}

/// Logarithm of the sum of exponentials behind the maximum.
inline float log_total(const Floats& x, const RowStyle& style) {
  const float largest = largest_of(x);
  Floats terms;
  for (const float value : x) terms.push_back(finish(std::exp(value - largest), style));
  return finish(std::log(add_up(style.adding, terms)), style);
}

inline void add_losses(const RowStyle& style, const std::string& name,
                       std::vector<Algorithm>& all) {
  const Adding adding = style.adding;
  all.push_back(row_loss("sum", name, [=](const Floats& x, std::int64_t, float) {
    return Floats{add_up(adding, x)};
  }));
  all.push_back(row_loss("mean", name, [=](const Floats& x, std::int64_t, float) {
    const auto n = static_cast<float>(x.size());
    return Floats{style.reciprocal ? add_up(adding, x) * (1 / n) : add_up(adding, x) / n};
  }));
  all.push_back(row_loss("log_softmax", name, [=](Floats x, std::int64_t, float) {
    const float largest = largest_of(x), total = log_total(x, style);
    for (float& value : x) {
      value = style.reciprocal ? value - (largest + total) : value - largest - total;
    }
    return x;
  }));
  all.push_back(row_loss("cross_entropy", name, [=](const Floats& x, std::int64_t target, float) {
    const float at = x[static_cast<std::size_t>(target)], largest = largest_of(x);
    const float total = log_total(x, style);
    return Floats{style.reciprocal ? (largest + total) - at : -(at - largest - total)};
  }));
  all.push_back(row_loss(
      "cross_entropy_gradient", name, [=](const Floats& x, std::int64_t target, float gradient) {
        Floats y = style.reciprocal ? softmax_exp2(x, style) : softmax_three_pass(x, style);
        y[static_cast<std::size_t>(target)] -= 1;
        for (float& value : y) value *= gradient;
        return y;
      }));
}

/// Prefix sums: one after the other, or in tiles (Hillis and Steele) with a carry.
inline Floats scanned(const Floats& x, std::size_t tile) {
  Floats y(x);
  float carry = 0;
  for (std::size_t from = 0; from < x.size(); from += tile) {
    const std::size_t count = std::min(tile, x.size() - from);
    const auto begin = y.begin() + static_cast<std::ptrdiff_t>(from);
    Floats part(begin, begin + static_cast<std::ptrdiff_t>(count));
    for (std::size_t step = 1; step < count; step *= 2) {
      for (std::size_t i = count; i-- > step;) part[i] += part[i - step];
    }
    for (std::size_t i = 0; i < count; ++i) y[from + i] = carry + part[i];
    carry = y[from + count - 1];
  }
  return y;
}

/// Lines of x along `axis` (the last for -1, the first for 0) become lines of y.
inline Algorithm line_algorithm(std::string op, std::string name, bool down,
                                std::function<Floats(const Floats&, float eps)> function) {
  return {std::move(op), std::move(name), [=](Inputs& inputs) {
            const Cells x(inputs, "x");
            const float eps = attribute_of(inputs, "eps");
            Tensor& y = *find_tensor(inputs, "y");
            const std::int64_t rows = x.shape(0), cols = x.shape(1);
            for (std::int64_t l = 0; l < (down ? cols : rows); ++l) {
              Floats line;
              for (std::int64_t i = 0; i < (down ? rows : cols); ++i) {
                line.push_back(down ? x(i, l) : x(l, i));
              }
              line = function(line, eps);
              for (std::size_t i = 0; i < line.size(); ++i) {
                const auto at = static_cast<std::int64_t>(i);
                y.set(down ? at * cols + l : l * cols + at, line[i]);
              }
            }
          }};
}

inline void add_scans(std::vector<Algorithm>& all) {
  for (const std::size_t tile : {1u, 32u, 256u}) {
    for (const bool down : {false, true}) {
      all.push_back(line_algorithm(down ? "cumsum_columns" : "cumsum",
                                   "tiles of " + std::to_string(tile), down,
                                   [=](const Floats& x, float) { return scanned(x, tile); }));
    }
  }
}

using NormFunction = Floats (*)(std::span<const float>, float, const RowStyle&);

inline Algorithm group_norm(std::string name, NormFunction norm, const RowStyle& style) {
  return {"group_norm", std::move(name), [=](Inputs& inputs) {
            const Cells x(inputs, "x"), weight(inputs, "weight"), bias(inputs, "bias");
            const float eps = attribute_of(inputs, "eps");
            Tensor& y = *find_tensor(inputs, "y");
            for (std::int64_t r = 0; r < x.rows(); ++r) {
              Floats row = norm(x.row(r), eps, style);
              const std::int64_t first = r % x.shape(1) * x.shape(2);
              for (std::size_t i = 0; i < row.size(); ++i) {
                const std::int64_t at = first + static_cast<std::int64_t>(i);
                row[i] = style.reciprocal ? std::fma(row[i], weight[at], bias[at])
                                          : row[i] * weight[at] + bias[at];
              }
              set_row(y, r, row);
            }
          }};
}

inline void add_norms(const RowStyle& style, const std::string& name, std::vector<Algorithm>& all) {
  const std::pair<const char*, NormFunction> norms[] = {{"two passes ", layernorm_two_pass},
                                                        {"welford ", layernorm_welford}};
  for (const auto& [what, norm] : norms) {
    all.push_back(group_norm(what + name, norm, style));
    all.push_back(line_algorithm(
        "batch_norm", what + name, true,
        [norm = norm, style](const Floats& x, float eps) { return norm(x, eps, style); }));
  }
}

inline Algorithm average_pool(const RowStyle& style, std::string name) {
  return {"average_pool", std::move(name), [=](Inputs& inputs) {
            const Cells x(inputs, "x");
            const std::int64_t size = integer_of(inputs, "size");
            const std::int64_t stride = integer_of(inputs, "stride");
            const std::int64_t positions = (x.shape(1) - size) / stride + 1;
            set_cells(inputs, "y", [&](std::int64_t i) {
              Floats window;
              for (std::int64_t k = 0; k < size; ++k) {
                window.push_back(x(i / positions, i % positions * stride + k));
              }
              const float total = add_up(style.adding, window), n = static_cast<float>(size);
              return style.reciprocal ? total * (1 / n) : total / n;
            });
          }};
}

inline Algorithm rope(std::string name, bool fused) {
  return {"rope", std::move(name), [=](Inputs& inputs) {
            const Cells x(inputs, "x"), cosine(inputs, "cosine"), sine(inputs, "sine");
            const std::int64_t half = cosine.shape(1), cols = 2 * half;
            set_cells(inputs, "y", [&](std::int64_t i) {
              const std::int64_t r = i / cols, k = i % cols, j = k % half;
              const float a = x(r, k), b = x(r, k < half ? j + half : j);
              const float turned = k < half ? -sine(r, j) : sine(r, j);
              return fused ? std::fma(a, cosine(r, j), b * turned) : a * cosine(r, j) + b * turned;
            });
          }};
}

inline Algorithm scatter_add(Adding adding) {
  return {"scatter_add", name(adding), [=](Inputs& inputs) {
            const Cells values(inputs, "values"), index(inputs, "index");
            std::vector<Floats> terms(static_cast<std::size_t>(inputs.axes.at("slots")));
            for (std::int64_t i = 0; i < values.size(); ++i) {
              terms[static_cast<std::size_t>(index[i])].push_back(values[i]);
            }
            set_cells(inputs, "y", [&](std::int64_t s) {
              return add_up(adding, terms[static_cast<std::size_t>(s)]);
            });
          }};
}

inline Algorithm dequantise_int4() {
  return {"dequantise_int4", "plain", [](Inputs& inputs) {
            const Cells code(inputs, "code"), scale(inputs, "scale");
            const std::int64_t cols = 2 * code.shape(1);
            set_cells(inputs, "y", [&](std::int64_t i) {
              const auto both = static_cast<int>(code(i / cols, i % cols / 2));
              return scale[i / cols] * static_cast<float>((i % 2 == 0 ? both % 16 : both / 16) - 8);
            });
          }};
}

inline Algorithm quantise_int8(std::string name, bool reciprocal) {
  return {"quantise_int8", std::move(name), [=](Inputs& inputs) {
            const Cells x(inputs, "x");
            Tensor& code = *find_tensor(inputs, "code");
            Tensor& scale = *find_tensor(inputs, "scale");
            for (std::int64_t r = 0; r < x.shape(0); ++r) {
              float most = 0;
              for (const float value : x.row(r)) most = std::fmax(most, std::abs(value));
              const float step = most / 127;
              scale.set(r, step);
              for (std::int64_t i = 0; i < x.shape(1); ++i) {
                const float factor = 127 / most;  // infinite for denormal rows
                const bool multiplies = reciprocal && std::isfinite(factor);
                const float exact = multiplies ? x(r, i) * factor : x(r, i) / step;
                const float limited = most == 0 ? 0 : clamped(exact, 127);
                code.set_integer(r * x.shape(1) + i, std::lrint(limited));
              }
            }
          }};
}

}  // namespace gate::correct
