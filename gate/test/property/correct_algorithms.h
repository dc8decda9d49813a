// Correct algorithms of the bundled ops in the precision that kernels use, by op: envelopes must
// admit every one of them, and at least one must come near.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/test/property/correct_catalogue.h"
#include "gate/test/property/correct_elementwise.h"
#include "gate/test/property/correct_products.h"

namespace gate::correct {

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

inline void add_catalogue(std::vector<Algorithm>& all) {
  for (const ManyForm& form : many_forms()) all.push_back(many_algorithm(form));
  for (const RowStyle& style : row_styles()) {
    const std::string name = style_name("", style);
    add_losses(style, name, all);
    add_norms(style, name, all);
    all.push_back(average_pool(style, name));
  }
  add_scans(all);
  for (const Adding adding : all_addings) all.push_back(scatter_add(adding));
  all.insert(all.end(), {rope("plain", false), rope("fused", true), dequantise_int4(),
                         quantise_int8("quotient", false), quantise_int8("factor", true)});
}

/// Every algorithm known for an op; empty where none is.
inline std::vector<Algorithm> algorithms_of(const std::string& op) {
  std::vector<Algorithm> all;
  add_row_algorithms(all);
  add_elementwise_algorithms(all);
  add_products(all);
  add_attention_algorithms(all);
  add_catalogue(all);
  std::erase_if(all, [&](const Algorithm& algorithm) { return algorithm.op != op; });
  return all;
}

}  // namespace gate::correct
