// Correct algorithms of the bundled ops in the precision that kernels use, by op: envelopes must
// admit every one of them, and at least one must come near.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/base/check.h"
#include "gate/cases/inputs.h"
#include "gate/test/property/correct_attention.h"
#include "gate/test/property/correct_elementwise.h"

namespace gate::correct {

struct Algorithm {
  std::string op;
  std::string name;
  /// Fills the outputs of `inputs` in place.
  std::function<void(Inputs& inputs)> run;
};

/// The logical elements of a matrix, by rows.
inline std::vector<Floats> rows_of(const Tensor& tensor) {
  const auto rows = static_cast<std::size_t>(tensor.view.shape[0]);
  const auto cols = static_cast<std::size_t>(tensor.view.shape[1]);
  std::vector<Floats> result(rows, Floats(cols));
  for (std::size_t i = 0; i < rows * cols; ++i) {
    result[i / cols][i % cols] = static_cast<float>(tensor.at(static_cast<std::int64_t>(i)));
  }
  return result;
}

inline void set_rows(Tensor& tensor, const std::vector<Floats>& rows) {
  std::int64_t at = 0;
  for (const Floats& row : rows) {
    for (const float value : row) tensor.set(at++, value);
  }
}

inline float attribute_of(const Inputs& inputs, const std::string& name) {
  const auto at = inputs.attributes.find(name);
  return at == inputs.attributes.end() ? 0 : static_cast<float>(std::get<double>(at->second));
}

using RowFunction = std::function<Floats(std::span<const float> row, float attribute)>;

inline Algorithm row_algorithm(std::string op, std::string name, std::string attribute,
                               RowFunction function) {
  return {std::move(op), std::move(name), [=](Inputs& inputs) {
            const float value = attribute_of(inputs, attribute);
            std::vector<Floats> rows = rows_of(*find_tensor(inputs, "x"));
            for (Floats& row : rows) row = function(row, value);
            set_rows(*find_tensor(inputs, "y"), rows);
          }};
}

inline std::vector<RowStyle> row_styles() {
  std::vector<RowStyle> styles;
  for (const Adding adding : all_addings) styles.push_back({adding, false, false});
  styles.push_back({Adding::sequential, true, false});
  styles.push_back({Adding::warp, true, true});
  styles.push_back({Adding::pairwise, false, true});
  return styles;
}

inline std::string style_name(const std::string& what, const RowStyle& style) {
  return what + " " + name(style.adding) + (style.library_noise ? " noisy" : "") +
         (style.reciprocal ? " reciprocal" : "");
}

inline void add_row_algorithms(std::vector<Algorithm>& all) {
  for (const RowStyle& style : row_styles()) {
    const auto add = [&](std::string op, const std::string& what, RowFunction function) {
      all.push_back(row_algorithm(std::move(op), style_name(what, style), "eps", function));
    };
    add("softmax", "three passes", [=](auto row, float) { return softmax_three_pass(row, style); });
    add("softmax", "exp2", [=](auto row, float) { return softmax_exp2(row, style); });
    add("softmax", "online", [=](auto row, float) { return softmax_online(row, style); });
    add("layernorm", "two passes",
        [=](auto row, float eps) { return layernorm_two_pass(row, eps, style); });
    add("layernorm", "welford",
        [=](auto row, float eps) { return layernorm_welford(row, eps, style); });
    add("rmsnorm", "scale", [=](auto row, float eps) {
      return unit_norm(row, static_cast<float>(row.size()), eps, style);
    });
    add("l2norm", "scale", [=](auto row, float eps) { return unit_norm(row, 1, eps, style); });
  }
}

inline void add_elementwise_algorithms(std::vector<Algorithm>& all) {
  for (const Form& form : all_forms()) {
    all.push_back(row_algorithm(form.op, form.name, form.attribute, [=](auto row, float attribute) {
      Floats y;
      for (const float x : row) y.push_back(form.function(x, attribute));
      return y;
    }));
  }
}

/// How a product of two matrices forms one element.
using DotFunction = std::function<float(std::span<const float>, std::span<const float>)>;

inline Algorithm matrix_algorithm(std::string name, DotFunction function) {
  return {"matmul", std::move(name), [=](Inputs& inputs) {
            const std::vector<Floats> a = rows_of(*find_tensor(inputs, "a"));
            const std::vector<Floats> b = rows_of(*find_tensor(inputs, "b"));
            std::vector<Floats> columns(b[0].size());
            for (std::size_t j = 0; j < columns.size(); ++j) {
              for (const Floats& row : b) columns[j].push_back(row[j]);
            }
            std::vector<Floats> c(a.size());
            for (std::size_t i = 0; i < a.size(); ++i) {
              for (const Floats& column : columns) c[i].push_back(function(a[i], column));
            }
            set_rows(*find_tensor(inputs, "c"), c);
          }};
}

/// Tensor cores take narrow inputs only.
inline bool is_narrow(const Inputs& inputs) {
  return facts(inputs.tensors.front().dtype).bytes == 2;
}

inline void add_matrix_algorithms(std::vector<Algorithm>& all) {
  for (const Adding adding : all_addings) {
    all.push_back(
        matrix_algorithm(name(adding), [=](auto a, auto b) { return dot(adding, a, b); }));
  }
  all.push_back(matrix_algorithm("fused", [](auto a, auto b) { return fused_dot(a, b); }));
  const Algorithm tensor_core =
      matrix_algorithm("tensor core", [](auto a, auto b) { return tensor_core_dot(a, b); });
  const Algorithm plain =
      matrix_algorithm("tensor core", [](auto a, auto b) { return fused_dot(a, b); });
  all.push_back({"matmul", "tensor core",
                 [=](Inputs& inputs) { (is_narrow(inputs) ? tensor_core : plain).run(inputs); }});
}

inline Algorithm attention_algorithm(std::string name, AttentionStyle style) {
  return {"attention", std::move(name), [=](Inputs& inputs) {
            AttentionStyle own = style;
            const bool narrow = is_narrow(inputs);
            own.tensor_core = style.tensor_core && narrow;
            own.stored = style.tensor_core ? inputs.tensors.front().dtype : DType::f32;
            const std::vector<Floats> k = rows_of(*find_tensor(inputs, "k"));
            const std::vector<Floats> v = rows_of(*find_tensor(inputs, "v"));
            std::vector<Floats> rows = rows_of(*find_tensor(inputs, "q"));
            for (Floats& row : rows) row = attention(row, k, v, own);
            set_rows(*find_tensor(inputs, "o"), rows);
          }};
}

inline void add_attention_algorithms(std::vector<Algorithm>& all) {
  for (const Adding adding : {Adding::sequential, Adding::pairwise, Adding::warp}) {
    AttentionStyle style;
    style.row = {adding, adding == Adding::warp, adding == Adding::pairwise};
    all.push_back(attention_algorithm("three passes " + name(adding), style));
    style.tile = 32;
    all.push_back(attention_algorithm("tiled " + name(adding), style));
    style.scaled_query = true;
    all.push_back(attention_algorithm("tiled, scaled query " + name(adding), style));
    style.scaled_query = false;
    style.tensor_core = true;
    all.push_back(attention_algorithm("tiled, tensor core " + name(adding), style));
  }
}

/// Every algorithm known for an op; empty where none is.
inline std::vector<Algorithm> algorithms_of(const std::string& op) {
  std::vector<Algorithm> all;
  add_row_algorithms(all);
  add_elementwise_algorithms(all);
  add_matrix_algorithms(all);
  add_attention_algorithms(all);
  std::erase_if(all, [&](const Algorithm& algorithm) { return algorithm.op != op; });
  return all;
}

}  // namespace gate::correct
