// Hypotheses on the output alone: a factor, a shift, a transposition, a factor for each row.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <cmath>

#include "gate/explain/hypothesis.h"

namespace gate {
namespace {

double number_of(const Scalar& scalar) {
  return std::visit([](const auto& number) { return static_cast<double>(number); }, scalar);
}

struct Matrix {
  std::int64_t rows = 1, columns = 1;
};

Matrix matrix_of(const Tensor& tensor) {
  const std::int64_t columns = tensor.view.shape.empty() ? 1 : tensor.view.shape.back();
  return {columns > 0 ? tensor.elements() / columns : 0, columns};
}

/// Each element of each output from a function of the wanted one; `pick` gives the wanted value's
/// place and a factor, or nothing where nothing is said of an element.
struct Source {
  std::int64_t element;
  double factor;
};
using Pick = std::function<std::optional<Source>(const Tensor& output, std::int64_t element)>;

std::optional<Expected> rearranged(const Sample& sample, const Pick& pick) {
  Expected result = sample.want;
  for (std::size_t t = 0; t < result.outputs.size() && t < sample.got.size(); ++t) {
    const ExpectedTensor& want = sample.want.outputs[t];
    ExpectedTensor& to = result.outputs[t];
    if (want.value.empty()) return std::nullopt;  // integers
    to.free.assign(want.value.size(), 0);
    for (std::size_t i = 0; i < want.value.size(); ++i) {
      const std::optional<Source> source = pick(sample.got[t], static_cast<std::int64_t>(i));
      if (!source) {
        to.free[i] = 1;
        continue;
      }
      const auto from = static_cast<std::size_t>(source->element);
      to.value[i] = want.value[from] * source->factor;
      to.envelope[i] = want.envelope[from] * std::abs(source->factor);
    }
  }
  return result;
}

std::function<std::optional<Expected>(const Sample&)> shifted(std::int64_t by_row,
                                                              std::int64_t by_column) {
  return [=](const Sample& sample) {
    return rearranged(sample, [=](const Tensor& output, std::int64_t i) -> std::optional<Source> {
      const Matrix matrix = matrix_of(output);
      const std::int64_t row = i / matrix.columns - by_row;
      const std::int64_t column = i % matrix.columns - by_column;
      const bool inside = row >= 0 && row < matrix.rows && column >= 0 && column < matrix.columns;
      if (!inside) return std::nullopt;
      return Source{row * matrix.columns + column, 1};
    });
  };
}

/// The transposed matrix, written in the order of the right one.
std::optional<Expected> transposed(const Sample& sample) {
  return rearranged(sample, [](const Tensor& output, std::int64_t i) -> std::optional<Source> {
    const Matrix matrix = matrix_of(output);
    if (matrix.rows < 2 || matrix.columns < 2) return std::nullopt;
    return Source{i % matrix.rows * matrix.columns + i / matrix.rows, 1};
  });
}

}  // namespace

std::vector<NamedNumber> named_numbers(const OpSchema& op) {
  std::vector<NamedNumber> list;
  for (const auto& [text, value] : std::vector<std::pair<std::string, double>>{
           {"2", 2.0}, {"1/2", 0.5}, {"4", 4.0}, {"1/4", 0.25}, {"3", 3.0}, {"-1", -1.0}}) {
    list.push_back({text, [value](const Case&) { return value; }});
  }
  const auto add = [&](const std::string& name, const std::function<double(const Case&)>& value) {
    list.push_back({"sqrt(" + name + ")", [value](const Case& c) { return std::sqrt(value(c)); }});
    list.push_back(
        {"1/sqrt(" + name + ")", [value](const Case& c) { return 1 / std::sqrt(value(c)); }});
    list.push_back({name, value});
    list.push_back({"1/" + name, [value](const Case& c) { return 1 / value(c); }});
  };
  for (const Axis& axis : op.axes) {
    add(axis.name,
        [name = axis.name](const Case& value) { return static_cast<double>(value.axes.at(name)); });
  }
  for (const Attribute& attribute : op.attributes) {
    add(attribute.name, [attribute](const Case& value) {
      const auto given = value.attributes.find(attribute.name);
      return number_of(given == value.attributes.end() ? attribute.fallback : given->second);
    });
  }
  return list;
}

std::vector<Hypothesis> output_hypotheses(const HypothesisSpace& space) {
  std::vector<Hypothesis> list;
  for (const NamedNumber& number : named_numbers(*space.target.op)) {
    const std::string text = number.text == "-1"
                                 ? "the negated right result"
                                 : fmt::format("{} times the right result", number.text);
    list.push_back({text, [number](const Sample& sample) {
                      const double factor = number.value(sample.test_case);
                      return rearranged(sample, [factor](const Tensor&, std::int64_t i) {
                        return std::optional<Source>({i, factor});
                      });
                    }});
  }
  list.push_back({"each column holds what belongs to the one before it", shifted(0, 1)});
  list.push_back({"each column holds what belongs to the next one", shifted(0, -1)});
  list.push_back({"each row holds what belongs to the one before it", shifted(1, 0)});
  list.push_back({"each row holds what belongs to the next one", shifted(-1, 0)});
  list.push_back({"the transposed result", transposed});
  return list;
}

std::vector<Hypothesis> row_hypotheses(const HypothesisSpace& space) {
  std::vector<NamedNumber> offsets;
  for (const Attribute& attribute : space.target.op->attributes) {
    offsets.push_back({" + " + attribute.name, [attribute](const Case& value) {
                         const auto given = value.attributes.find(attribute.name);
                         return number_of(given == value.attributes.end() ? attribute.fallback
                                                                          : given->second);
                       }});
  }
  offsets.push_back({"", [](const Case&) { return 0.0; }});
  std::vector<Hypothesis> list;
  for (const TensorSchema& input : space.target.op->inputs) {
    for (const NamedNumber& offset : offsets) {
      for (const bool mean : {true, false}) {
        for (const double power : {-0.5, 0.5, -1.0, 1.0}) {
          const std::string sum =
              fmt::format("{}({}²){}", mean ? "mean" : "sum", input.name, offset.text);
          const std::string text =
              fmt::format("each row {} by {}", power > 0 ? "multiplied" : "divided",
                          std::abs(power) == 0.5 ? "sqrt(" + sum + ")" : sum);
          const auto name = input.name;
          list.push_back(
              {text, [=](const Sample& sample) -> std::optional<Expected> {
                 const Tensor* tensor = find_tensor(sample.inputs, name);
                 if (tensor == nullptr || sample.got.empty()) return std::nullopt;
                 const Matrix of = matrix_of(*tensor), to = matrix_of(sample.got.front());
                 if (of.rows != to.rows || of.columns < 1) return std::nullopt;
                 std::vector<double> factors;
                 for (std::int64_t r = 0; r < of.rows; ++r) {
                   double squares = 0;
                   for (std::int64_t c = 0; c < of.columns; ++c) {
                     const double value = tensor->at(r * of.columns + c);
                     squares += value * value;
                   }
                   if (mean) squares /= static_cast<double>(of.columns);
                   factors.push_back(std::pow(squares + offset.value(sample.test_case), power));
                 }
                 return rearranged(sample, [&](const Tensor& output, std::int64_t i) {
                   const auto row = static_cast<std::size_t>(i / matrix_of(output).columns);
                   const double factor = row < factors.size() ? factors[row] : 1;
                   return std::isfinite(factor) ? std::optional<Source>({i, factor}) : std::nullopt;
                 });
               }});
        }
      }
    }
  }
  return list;
}

}  // namespace gate
