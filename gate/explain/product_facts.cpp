// Facts of the products of two inputs that share one dimension: what a kernel compares or weighs
// before it writes anything.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gate/explain/facts.h"

namespace gate {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::int64_t operations_max = 4'000'000;

struct Pair {
  const Tensor* left = nullptr;
  const Tensor* right = nullptr;
  std::string along;  // the dimension of the right one that is not shared
};

struct ProductRows {
  double late = unknown;    // largest position of a row's (first) maximum
  double spread = unknown;  // largest difference within a row
  double lead = unknown;    // smallest lead of a row's maximum over its second
};

std::vector<double> values_of(const Tensor& tensor) {
  std::vector<double> values;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) values.push_back(tensor.at(i));
  return values;
}

ProductRows rows_of(const Pair& pair) {
  ProductRows result;
  const std::int64_t rows = pair.left->view.shape[0], shared = pair.left->view.shape[1];
  const std::int64_t columns = pair.right->view.shape[0];
  if (rows * columns * shared > operations_max || columns == 0) return result;
  const std::vector<double> left = values_of(*pair.left), right = values_of(*pair.right);
  for (std::int64_t r = 0; r < rows; ++r) {
    double first = -std::numeric_limits<double>::infinity(), second = first;
    double least = std::numeric_limits<double>::infinity();
    std::int64_t place = 0;
    for (std::int64_t c = 0; c < columns; ++c) {
      double sum = 0;
      for (std::int64_t i = 0; i < shared; ++i) {
        sum += left[static_cast<std::size_t>(r * shared + i)] *
               right[static_cast<std::size_t>(c * shared + i)];
      }
      if (!std::isfinite(sum)) continue;
      if (sum > first) {
        second = first;
        first = sum;
        place = c;
      } else {
        second = std::max(second, sum);
      }
      least = std::min(least, sum);
    }
    if (!std::isfinite(first)) continue;
    result.late = std::fmax(result.late, static_cast<double>(place));
    result.spread = std::fmax(result.spread, first - least);
    if (std::isfinite(second)) result.lead = std::fmin(result.lead, first - second);
  }
  return result;
}

/// a[i,k] and b[j,k] that share their last dimension and nothing else.
bool pairs(const TensorSchema& left, const TensorSchema& right) {
  return left.shape.size() == 2 && right.shape.size() == 2 &&
         left.shape[1].text() == right.shape[1].text() &&
         left.shape[0].text() != right.shape[0].text();
}

}  // namespace

void add_product_facts(std::vector<Fact>& facts, const OpSchema& op, const Inputs& inputs) {
  for (std::size_t a = 0; a < op.inputs.size(); ++a) {
    for (std::size_t b = a + 1; b < op.inputs.size(); ++b) {
      const TensorSchema& left = op.inputs[a];
      const TensorSchema& right = op.inputs[b];
      if (!pairs(left, right)) continue;
      const Pair pair{find_tensor(inputs, left.name), find_tensor(inputs, right.name),
                      right.shape[0].text()};
      if (pair.left == nullptr || pair.right == nullptr) continue;
      if (!gate::facts(pair.left->dtype).is_float || !gate::facts(pair.right->dtype).is_float)
        continue;
      const ProductRows rows = rows_of(pair);
      const std::string product = fmt::format("{}·{}", left.name, right.name);
      const auto add = [&](std::string text, double cost, double value) {
        facts.push_back({FactKind::number, std::move(text), "", cost, value});
      };
      facts.push_back({FactKind::position,
                       fmt::format("the largest {} of a row is at {}", product, pair.along), "",
                       1.2, rows.late});
      add(fmt::format("the spread of {} within a row", product), 1.2, rows.spread);
      add(fmt::format("the lead of the largest {} of a row", product), 1.2, rows.lead);
    }
  }
}

}  // namespace gate
