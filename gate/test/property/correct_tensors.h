// Reading and writing tensors of any rank in correct algorithms: cells by their indices, as f32.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "gate/base/check.h"
#include "gate/cases/inputs.h"
#include "gate/test/property/correct_sums.h"

namespace gate::correct {

struct Algorithm {
  std::string op;
  std::string name;
  /// Fills the outputs of `inputs` in place.
  std::function<void(Inputs& inputs)> run;
};

/// Logical elements of a tensor, row-major.
class Cells {
 public:
  Cells(const Inputs& inputs, const std::string& name) : Cells(*find_tensor(inputs, name)) {}
  explicit Cells(const Tensor& tensor) : shape_(tensor.view.shape) {
    const bool is_float = facts(tensor.dtype).is_float;
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
      values_.push_back(is_float ? static_cast<float>(tensor.at(i))
                                 : static_cast<float>(tensor.integer_at(i)));
    }
  }
  template <class... Index>
  float operator()(Index... index) const {
    const std::int64_t indices[] = {index...};
    std::int64_t at = 0;
    for (std::size_t d = 0; d < sizeof...(index); ++d) at = at * shape_[d] + indices[d];
    return values_[static_cast<std::size_t>(at)];
  }
  float operator[](std::int64_t linear) const { return values_[static_cast<std::size_t>(linear)]; }
  std::int64_t shape(std::size_t d) const { return shape_[d]; }
  std::int64_t size() const { return static_cast<std::int64_t>(values_.size()); }
  /// Row number `row` of all rows along the last axis.
  Floats row(std::int64_t row) const {
    const auto from = values_.begin() + row * shape_.back();
    return {from, from + shape_.back()};
  }
  std::int64_t rows() const { return shape_.back() == 0 ? 0 : size() / shape_.back(); }

 private:
  std::vector<std::int64_t> shape_;
  Floats values_;
};

inline float attribute_of(const Inputs& inputs, const std::string& name) {
  const auto at = inputs.attributes.find(name);
  return at == inputs.attributes.end() ? 0 : static_cast<float>(std::get<double>(at->second));
}

inline std::int64_t integer_of(const Inputs& inputs, const std::string& name) {
  return std::get<std::int64_t>(inputs.attributes.at(name));
}

/// Output element number i becomes cell(i).
inline void set_cells(Inputs& inputs, const std::string& name,
                      const std::function<float(std::int64_t)>& cell) {
  Tensor& output = *find_tensor(inputs, name);
  for (std::int64_t i = 0; i < output.elements(); ++i) output.set(i, cell(i));
}

inline void set_row(Tensor& output, std::int64_t row, const Floats& values) {
  std::int64_t at = row * static_cast<std::int64_t>(values.size());
  for (const float value : values) output.set(at++, value);
}

/// The logical elements of a matrix, by rows.
inline std::vector<Floats> rows_of(const Tensor& tensor) {
  const Cells cells(tensor);
  std::vector<Floats> rows;
  for (std::int64_t r = 0; r < tensor.view.shape[0]; ++r) rows.push_back(cells.row(r));
  return rows;
}

inline void set_rows(Tensor& tensor, const std::vector<Floats>& rows) {
  for (std::size_t r = 0; r < rows.size(); ++r) {
    set_row(tensor, static_cast<std::int64_t>(r), rows[r]);
  }
}

/// Tensor cores take narrow inputs only.
inline bool is_narrow(const Inputs& inputs) {
  return facts(inputs.tensors.front().dtype).bytes == 2;
}

}  // namespace gate::correct
