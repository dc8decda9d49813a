// Correct elementwise formulas in f32, several per function, and with library functions one unit
// off in the last place.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/test/property/correct_rows.h"

namespace gate::correct {

/// One legal form: f(x, attribute).
struct Form {
  std::string op;
  std::string name;
  float (*function)(float x, float attribute);
  std::string attribute = {};
};

inline float gelu_argument(float x) { return 0.797884561f * (x + 0.044715f * x * x * x); }
inline float gelu_argument_fused(float x) {
  return 0.797884561f * x * std::fma(0.044715f * x, x, 1.0f);
}

/// Libraries saturate exactly.
inline float nudged_tanh(float x) {
  const float exact = std::tanh(x);
  return std::abs(exact) == 1 ? exact : nudged(exact);
}

inline const std::vector<Form>& all_forms() {
  static const std::vector<Form> forms = {
      {"gelu", "tanh", [](float x, float) { return 0.5f * x * (1 + std::tanh(gelu_argument(x))); }},
      {"gelu", "tanh, one ulp off",
       [](float x, float) { return 0.5f * x * (1 + nudged_tanh(gelu_argument(x))); }},
      {"gelu", "fused argument",
       [](float x, float) { return 0.5f * x * (1 + std::tanh(gelu_argument_fused(x))); }},
      {"gelu", "sigmoid", [](float x, float) { return x / (1 + std::exp(-2 * gelu_argument(x))); }},
      {"silu", "division", [](float x, float) { return x / (1 + std::exp(-x)); }},
      {"silu", "one ulp off", [](float x, float) { return x / (1 + nudged(std::exp(-x))); }},
      {"silu", "product", [](float x, float) { return x * (1 / (1 + std::exp(-x))); }},
      {"silu", "exp2", [](float x, float) { return x / (1 + std::exp2(-x * 1.44269504f)); }},
      {"silu", "tanh", [](float x, float) { return 0.5f * x * (1 + std::tanh(0.5f * x)); }},
      {"sigmoid", "division", [](float x, float) { return 1 / (1 + std::exp(-x)); }},
      {"sigmoid", "one ulp off", [](float x, float) { return 1 / (1 + nudged(std::exp(-x))); }},
      {"sigmoid", "exp2", [](float x, float) { return 1 / (1 + std::exp2(-x * 1.44269504f)); }},
      {"sigmoid", "by sign",
       [](float x, float) {
         const float e = std::exp(-std::abs(x));
         return x >= 0 ? 1 / (1 + e) : e / (1 + e);
       }},
      {"tanh", "library", [](float x, float) { return std::tanh(x); }},
      {"tanh", "one ulp off", [](float x, float) { return nudged_tanh(x); }},
      {"elu", "exp", [](float x, float) { return x < 0 ? std::exp(x) - 1 : x; }},
      {"elu", "expm1", [](float x, float) { return x < 0 ? std::expm1(x) : x; }},
      {"elu", "exp2", [](float x, float) { return x < 0 ? std::exp2(x * 1.44269504f) - 1 : x; }},
      {"elu", "one ulp off", [](float x, float) { return x < 0 ? nudged(std::exp(x)) - 1 : x; }},
      {"relu", "fmax", [](float x, float) { return std::fmax(x, 0.0f); }},
      {"relu", "branch", [](float x, float) { return x > 0 ? x : 0; }},
      {"scale", "product", [](float x, float a) { return a * x; }, "a"},
      {"leaky_relu", "branch", [](float x, float slope) { return x > 0 ? x : slope * x; }, "slope"},
      {"leaky_relu", "two parts",
       [](float x, float slope) {
         const float up = x > 0 ? x : 0, down = x > 0 ? 0 : x;
         return std::isnan(x) ? x : up + slope * down;
       },
       "slope"},
  };
  return forms;
}

}  // namespace gate::correct
