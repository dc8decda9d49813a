// Facts of what one input holds: signs, magnitudes, rows, where its largest elements are.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "gate/explain/facts.h"

namespace gate {
namespace {

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// A tensor as a matrix: last dimension columns, the rest rows.
struct Matrix {
  std::int64_t rows = 1, columns = 1;
  std::vector<double> values;  // row-major

  double at(std::int64_t r, std::int64_t c) const {
    return values[static_cast<std::size_t>(r * columns + c)];
  }
};

Matrix matrix_of(const Tensor& tensor) {
  Matrix matrix;
  const std::int64_t elements = tensor.elements();
  matrix.columns = tensor.view.shape.empty() ? 1 : tensor.view.shape.back();
  matrix.rows = matrix.columns > 0 ? elements / matrix.columns : 0;
  matrix.values.reserve(static_cast<std::size_t>(elements));
  for (std::int64_t i = 0; i < elements; ++i) matrix.values.push_back(tensor.at(i));
  return matrix;
}

/// What is gathered over all finite elements.
struct Extent {
  double largest = unknown, smallest = unknown, magnitude = 0, least = unknown;
  bool nan = false, infinite = false, negative_infinite = false, denormal = false;
  bool negative = false, positive = false, equal = true;
};

Extent extent_of(const Matrix& matrix, double normal_min) {
  Extent extent;
  for (const double value : matrix.values) {
    extent.nan = extent.nan || std::isnan(value);
    extent.infinite = extent.infinite || std::isinf(value);
    extent.negative_infinite = extent.negative_infinite || (std::isinf(value) && value < 0);
    extent.equal = extent.equal && value == matrix.values.front();
    if (!std::isfinite(value)) continue;
    extent.largest = std::fmax(extent.largest, value);
    extent.smallest = std::fmin(extent.smallest, value);
    extent.magnitude = std::max(extent.magnitude, std::abs(value));
    if (value != 0) extent.least = std::fmin(extent.least, std::abs(value));
    extent.negative = extent.negative || value < 0;
    extent.positive = extent.positive || value > 0;
    extent.denormal = extent.denormal || (value != 0 && std::abs(value) < normal_min);
  }
  return extent;
}

/// Extremes over the rows of what a single row has.
struct Rows {
  double low_maximum = unknown, high_minimum = unknown;  // smallest row maximum, largest minimum
  double mean = 0;                                       // largest |row mean|
  double mean_square = unknown;                          // largest
  double off_mean_square = 0;          // largest |root mean square - 1| of a row that is not zero
  double off_norm = 0;                 // largest |norm - 1| of a row that is not zero
  double late = unknown;               // largest position of a row's (first) maximum
  bool constant = true, alike = true;  // every row constant; all rows equal
};

void take_row(Rows& rows, const Matrix& matrix, std::int64_t r) {
  double maximum = -std::numeric_limits<double>::infinity();
  double minimum = std::numeric_limits<double>::infinity();
  double sum = 0, squares = 0;
  std::int64_t place = 0, finite = 0;
  for (std::int64_t c = 0; c < matrix.columns; ++c) {
    const double value = matrix.at(r, c);
    rows.constant = rows.constant && value == matrix.at(r, 0);
    rows.alike = rows.alike && value == matrix.at(0, c);
    if (!std::isfinite(value)) continue;
    ++finite;
    sum += value;
    squares += value * value;
    if (value > maximum) place = c;
    maximum = std::max(maximum, value);
    minimum = std::min(minimum, value);
  }
  if (finite == 0) return;
  const double mean_square = squares / static_cast<double>(finite);
  rows.low_maximum = std::fmin(rows.low_maximum, maximum);
  rows.high_minimum = std::fmax(rows.high_minimum, minimum);
  rows.mean = std::max(rows.mean, std::abs(sum) / static_cast<double>(finite));
  rows.mean_square = std::fmax(rows.mean_square, mean_square);
  rows.late = std::fmax(rows.late, static_cast<double>(place));
  if (squares == 0) return;
  rows.off_mean_square = std::fmax(rows.off_mean_square, std::abs(std::sqrt(mean_square) - 1));
  rows.off_norm = std::fmax(rows.off_norm, std::abs(std::sqrt(squares) - 1));
}

Rows rows_of(const Matrix& matrix) {
  Rows rows;
  for (std::int64_t r = 0; r < matrix.rows; ++r) take_row(rows, matrix, r);
  return rows;
}

/// Whether the last index of the first or last dimension holds all that is not zero.
bool only_last(const Matrix& matrix, bool of_columns) {
  for (std::int64_t r = 0; r < matrix.rows; ++r) {
    for (std::int64_t c = 0; c < matrix.columns; ++c) {
      const bool last = of_columns ? c == matrix.columns - 1 : r == matrix.rows - 1;
      if (!last && matrix.at(r, c) != 0) return false;
    }
  }
  return true;
}

class Sheet {
 public:
  Sheet(std::vector<Fact>& facts, std::string tensor) : facts_(facts), t_(std::move(tensor)) {}

  void flag(const std::string& text, const std::string& otherwise, bool value, double cost = 1.3) {
    facts_.push_back({FactKind::flag, t_ + text, t_ + otherwise, cost, value ? 1.0 : 0.0});
  }
  void number(const std::string& text, double value, double cost) {
    facts_.push_back({FactKind::number, text, "", cost, value});
  }
  void position(const std::string& text, double value) {
    facts_.push_back({FactKind::position, text, "", 1.8, value});
  }

 private:
  std::vector<Fact>& facts_;
  std::string t_;
};

void add_row_facts(Sheet& sheet, const TensorSchema& schema, const Matrix& matrix) {
  const std::string& t = schema.name;
  const Rows rows = rows_of(matrix);
  sheet.number(fmt::format("the smallest row maximum of {}", t), rows.low_maximum, 1.7);
  sheet.number(fmt::format("the largest row minimum of {}", t), rows.high_minimum, 2.0);
  sheet.number(fmt::format("the largest |row mean| of {}", t), rows.mean, 1.7);
  sheet.number(fmt::format("the largest row mean of {}²", t), rows.mean_square, 1.9);
  sheet.number(fmt::format("|root mean square - 1| of a row of {}", t), rows.off_mean_square, 1.7);
  sheet.number(fmt::format("|norm - 1| of a row of {}", t), rows.off_norm, 1.7);
  if (schema.shape.empty()) return;
  const std::string last = schema.shape.back().text();
  sheet.position(fmt::format("the largest position in {} of a row maximum of {}", last, t),
                 rows.late);
  sheet.flag(" is constant along " + last, " varies along " + last, rows.constant, 1.2);
  sheet.flag(" is 0 before the last " + last, " is not 0 before the last " + last,
             only_last(matrix, true), 1.5);
  if (schema.shape.size() < 2) return;
  const std::string first = schema.shape.front().text();
  sheet.flag(" is constant along " + first, " varies along " + first, rows.alike, 1.2);
  sheet.flag(" is 0 before the last " + first, " is not 0 before the last " + first,
             only_last(matrix, false), 1.5);
}

}  // namespace

void add_tensor_facts(std::vector<Fact>& facts, const TensorSchema& schema, const Tensor& tensor) {
  const Matrix matrix = matrix_of(tensor);
  const DTypeFacts& dtype = gate::facts(tensor.dtype);
  const Extent extent = extent_of(matrix, dtype.is_float ? dtype.normal_min : 0);
  const std::string& t = schema.name;
  Sheet sheet(facts, t);
  const bool zero = extent.magnitude == 0 && !extent.nan && !extent.infinite;
  sheet.flag(" is all zero", " is not all zero", zero, 1.0);
  sheet.flag(" has a negative element", " has no negative element", extent.negative, 1.0);
  sheet.flag(" has a positive element", " has no positive element", extent.positive, 1.2);
  sheet.flag(" is constant", " is not constant", extent.equal, 1.3);
  sheet.number(fmt::format("the largest |{}|", t), extent.magnitude, 1.6);
  sheet.number(fmt::format("the smallest non-zero |{}|", t), extent.least, 1.9);
  sheet.number(fmt::format("the largest {}", t), extent.largest, 1.7);
  sheet.number(fmt::format("the smallest {}", t), extent.smallest, 1.7);
  if (!dtype.is_float) return;
  sheet.flag(" holds NaN", " holds no NaN", extent.nan, 1.2);
  sheet.flag(" holds an infinity", " holds no infinity", extent.infinite, 1.2);
  sheet.flag(" holds -inf", " holds no -inf", extent.negative_infinite, 1.25);
  sheet.flag(" holds denormals", " holds no denormals", extent.denormal, 1.4);
  add_row_facts(sheet, schema, matrix);
}

}  // namespace gate
