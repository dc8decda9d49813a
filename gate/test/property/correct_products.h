// Correct products of matrices and what is built on them: batches, transposed factors, bias and
// relu behind, convolutions, attention with masks, groups and pages.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gate/test/property/correct_attention.h"
#include "gate/test/property/correct_tensors.h"

namespace gate::correct {

/// How a sum of products forms one element.
struct DotStyle {
  std::string name;
  std::function<float(std::span<const float>, std::span<const float>)> dot;
  bool narrow_only = false;
};

inline std::vector<DotStyle> dot_styles() {
  std::vector<DotStyle> styles;
  for (const Adding adding : all_addings) {
    styles.push_back({name(adding), [=](auto a, auto b) { return dot(adding, a, b); }});
  }
  styles.push_back({"fused", [](auto a, auto b) { return fused_dot(a, b); }});
  styles.push_back({"tensor core", [](auto a, auto b) { return tensor_core_dot(a, b); }, true});
  return styles;
}

/// Both factors of one output element, and what happens to their product.
struct Terms {
  Floats a, b;
  float bias = 0;
};
struct ProductOp {
  std::string op, output;
  std::function<Terms(const std::map<std::string, Cells>& cells, std::int64_t element)> terms;
  bool adds_bias = false, is_relu = false;
};

using CellMap = std::map<std::string, Cells>;

inline Terms convolved_1d(const CellMap& cells, std::int64_t element) {
  const Cells &x = cells.at("x"), &w = cells.at("w");
  const std::int64_t positions = x.shape(1) - w.shape(2) + 1;
  const std::int64_t out = element / positions, at = element % positions;
  Terms terms;
  for (std::int64_t c = 0; c < w.shape(1); ++c) {
    for (std::int64_t t = 0; t < w.shape(2); ++t) {
      terms.a.push_back(x(c, at + t));
      terms.b.push_back(w(out, c, t));
    }
  }
  return terms;
}

inline Terms convolved_2d(const CellMap& cells, std::int64_t element) {
  const Cells &x = cells.at("x"), &w = cells.at("w");
  const std::int64_t taps = w.shape(2), across = x.shape(2) - taps + 1;
  const std::int64_t area = (x.shape(1) - taps + 1) * across;
  const std::int64_t out = element / area, p = element % area / across, q = element % across;
  Terms terms;
  for (std::int64_t c = 0; c < w.shape(1); ++c) {
    for (std::int64_t t = 0; t < taps * taps; ++t) {
      terms.a.push_back(x(c, p + t / taps, q + t % taps));
      terms.b.push_back(w(out, c, t / taps, t % taps));
    }
  }
  return terms;
}

inline Floats column_of(const Cells& matrix, std::int64_t first, std::int64_t rows,
                        std::int64_t stride) {
  Floats column;
  for (std::int64_t i = 0; i < rows; ++i) column.push_back(matrix[first + i * stride]);
  return column;
}

inline std::vector<ProductOp> product_ops() {
  const auto plain = [](const CellMap& cells, std::int64_t element) {
    const Cells &a = cells.at("a"), &b = cells.at("b");
    const std::int64_t n = b.shape(1), i = element / n, j = element % n;
    return Terms{a.row(i), column_of(b, j, b.shape(0), n),
                 cells.count("bias") == 0 ? 0 : cells.at("bias")(j)};
  };
  const auto batched = [](const CellMap& cells, std::int64_t element) {
    const Cells &a = cells.at("a"), &b = cells.at("b");
    const std::int64_t m = a.shape(1), k = b.shape(1), n = b.shape(2);
    const std::int64_t batch = element / (m * n);
    return Terms{a.row(element / n), column_of(b, batch * k * n + element % n, k, n)};
  };
  const auto transposed = [](const CellMap& cells, std::int64_t element) {
    const Cells &a = cells.at("a"), &b = cells.at("b");
    return Terms{a.row(element / b.shape(0)), b.row(element % b.shape(0))};
  };
  return {{"matmul", "c", plain},         {"batched_matmul", "y", batched},
          {"matmul_nt", "y", transposed}, {"linear_relu", "y", plain, true, true},
          {"conv1d", "y", convolved_1d},  {"conv2d", "y", convolved_2d}};
}

inline Algorithm product_algorithm(const ProductOp& op, const DotStyle& style) {
  return {op.op, style.name, [=](Inputs& inputs) {
            CellMap cells;
            for (const Tensor& tensor : inputs.tensors) {
              if (tensor.role == Role::input) cells.emplace(tensor.name, Cells(tensor));
            }
            const bool narrow = is_narrow(inputs);
            set_cells(inputs, op.output, [&](std::int64_t element) {
              const Terms terms = op.terms(cells, element);
              float y = style.narrow_only && !narrow ? fused_dot(terms.a, terms.b)
                                                     : style.dot(terms.a, terms.b);
              if (op.adds_bias) y += terms.bias;
              return op.is_relu && y <= 0 ? 0 : y;
            });
          }};
}

inline void add_products(std::vector<Algorithm>& all) {
  for (const ProductOp& op : product_ops()) {
    for (const DotStyle& style : dot_styles()) all.push_back(product_algorithm(op, style));
  }
}

/// Keys and values that one query may see.
struct Seen {
  std::vector<Floats> keys, values;
};
struct AttentionOp {
  std::string op;
  std::function<Seen(const Inputs& inputs, std::int64_t query)> seen;
};

inline Seen rows_seen(const Cells& k, const Cells& v, const std::vector<std::int64_t>& rows) {
  Seen seen;
  for (const std::int64_t row : rows) {
    seen.keys.push_back(k.row(row));
    seen.values.push_back(v.row(row));
  }
  return seen;
}

inline std::vector<std::int64_t> row_range(std::int64_t first, std::int64_t count) {
  std::vector<std::int64_t> rows;
  for (std::int64_t i = 0; i < count; ++i) rows.push_back(first + i);
  return rows;
}

inline std::vector<AttentionOp> attention_ops() {
  return {{"attention",
           [](const Inputs& inputs, std::int64_t) {
             const Cells k(inputs, "k"), v(inputs, "v");
             return rows_seen(k, v, row_range(0, k.shape(0)));
           }},
          {"causal_attention",
           [](const Inputs& inputs, std::int64_t query) {
             const Cells k(inputs, "k"), v(inputs, "v");
             const std::int64_t m = inputs.axes.at("m");
             return rows_seen(k, v,
                              row_range(0, std::max<std::int64_t>(0, query + k.shape(0) - m + 1)));
           }},
          {"grouped_query_attention",
           [](const Inputs& inputs, std::int64_t query) {
             const Cells k(inputs, "k"), v(inputs, "v");
             const std::int64_t head = query / inputs.axes.at("group"), n = k.shape(1);
             return rows_seen(k, v, row_range(head * n, n));
           }},
          {"paged_decode_attention", [](const Inputs& inputs, std::int64_t) {
             const Cells k(inputs, "k"), v(inputs, "v"), table(inputs, "table");
             const std::int64_t page = k.shape(1);
             const auto last = static_cast<std::int64_t>(Cells(inputs, "last")[0]);
             std::vector<std::int64_t> rows;
             for (std::int64_t j = 0; j <= (table.size() - 1) * page + last; ++j) {
               rows.push_back(static_cast<std::int64_t>(table[j / page]) * page + j % page);
             }
             return rows_seen(k, v, rows);
           }}};
}

inline Algorithm attention_algorithm(const AttentionOp& op, std::string name,
                                     AttentionStyle style) {
  return {op.op, std::move(name), [=](Inputs& inputs) {
            AttentionStyle own = style;
            const bool narrow = is_narrow(inputs);
            own.tensor_core = style.tensor_core && narrow;
            own.stored = style.tensor_core ? inputs.tensors.front().dtype : DType::f32;
            const Cells q(inputs, "q");
            Tensor& output = *find_tensor(inputs, "o");
            for (std::int64_t i = 0; i < q.rows(); ++i) {
              const Floats query = q.row(i);
              const Seen seen = op.seen(inputs, i);
              set_row(output, i,
                      seen.keys.empty() ? Floats(query.size(), 0.0f)
                                        : attention(query, seen.keys, seen.values, own));
            }
          }};
}

inline void add_attention_algorithms(std::vector<Algorithm>& all) {
  for (const AttentionOp& op : attention_ops()) {
    for (const Adding adding : {Adding::sequential, Adding::pairwise, Adding::warp}) {
      AttentionStyle style;
      style.row = {adding, adding == Adding::warp, adding == Adding::pairwise};
      all.push_back(attention_algorithm(op, "three passes " + name(adding), style));
      style.tile = 32;
      all.push_back(attention_algorithm(op, "tiled " + name(adding), style));
      style.scaled_query = true;
      all.push_back(attention_algorithm(op, "tiled, scaled query " + name(adding), style));
      style.scaled_query = false;
      style.tensor_core = true;
      all.push_back(attention_algorithm(op, "tiled, tensor core " + name(adding), style));
    }
  }
}

}  // namespace gate::correct
