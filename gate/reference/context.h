// What reference code sees: axes, attributes, tensors by name. Handles hold strides, so that an
// element costs no lookup. Mistakes (unknown name, index out of range) are kept as text.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdio>
#include <cstring>
#include <span>
#include <vector>

#include "gate/reference/call.h"
#include "gate/reference/functions.h"

namespace gate {

/// Keeps the first mistake of a reference.
inline void report_mistake(const ReferenceCall& call, const char* what, const char* name) {
  if (call.problem == nullptr || call.problem[0] != '\0') return;
  std::snprintf(call.problem, static_cast<std::size_t>(call.problem_bytes), "%s '%s'", what, name);
}

template <ReferenceScalar S>
S input_scalar(double value, const Arithmetic* arithmetic) {
  if constexpr (std::same_as<S, double>) {
    return value;
  } else {
    return Tracked{value, 0, arithmetic};
  }
}

/// Input elements along one dimension.
template <ReferenceScalar S>
class Line {
 public:
  Line(const double* first, std::int64_t step, std::int64_t count, const Arithmetic* arithmetic)
      : first_(first), step_(step), count_(count), arithmetic_(arithmetic) {}
  std::int64_t size() const { return count_; }
  S operator[](std::int64_t i) const { return input_scalar<S>(first_[i * step_], arithmetic_); }
  Line part(std::int64_t from, std::int64_t count) const {
    return Line(first_ + from * step_, step_, count, arithmetic_);
  }

 private:
  const double* first_;
  std::int64_t step_, count_;
  const Arithmetic* arithmetic_;
};

/// Shape and addressing, common to inputs and outputs.
class TensorHandle {
 public:
  TensorHandle(const ReferenceCall& call, const CallTensor& tensor)
      : call_(&call), tensor_(&tensor) {}
  std::int64_t size() const { return tensor_->elements; }
  std::int64_t rank() const { return tensor_->rank; }
  std::int64_t shape(std::int64_t dimension) const { return tensor_->shape[dimension]; }

 protected:
  template <class... Index>
  std::int64_t element(Index... index) const {
    const std::array<std::int64_t, sizeof...(Index)> indices{static_cast<std::int64_t>(index)...};
    return element_of(indices, tensor_->rank);
  }
  /// Element number of an index tuple that stops short of the last dimensions.
  std::int64_t element_of(std::span<const std::int64_t> indices, std::int64_t expected) const {
    if (static_cast<std::int64_t>(indices.size()) != expected) return mistake("wrong rank for");
    std::int64_t at = 0;
    for (std::size_t d = 0; d < indices.size(); ++d) {
      if (indices[d] < 0 || indices[d] >= tensor_->shape[d]) return mistake("index outside of");
      at += indices[d] * tensor_->strides[d];
    }
    return at;
  }
  std::int64_t mistake(const char* what) const {
    report_mistake(*call_, what, tensor_->name);
    return 0;
  }
  std::int64_t checked(std::int64_t linear) const {
    return linear >= 0 && linear < tensor_->elements ? linear : mistake("index outside of");
  }

  const ReferenceCall* call_;
  const CallTensor* tensor_;
};

template <ReferenceScalar S>
class Input : public TensorHandle {
 public:
  using TensorHandle::TensorHandle;
  template <class... Index>
  S operator()(Index... index) const {
    return input_scalar<S>(tensor_->values[element(index...)], &call_->arithmetic);
  }
  /// By logical element number.
  S operator[](std::int64_t linear) const {
    return input_scalar<S>(tensor_->values[checked(linear)], &call_->arithmetic);
  }
  /// All elements of the last dimension; `index` names the others.
  template <class... Index>
  Line<S> row(Index... index) const {
    const std::array<std::int64_t, sizeof...(Index)> indices{static_cast<std::int64_t>(index)...};
    const std::int64_t at = element_of(indices, tensor_->rank - 1);
    const std::int64_t count = tensor_->rank == 0 ? 1 : tensor_->shape[tensor_->rank - 1];
    return Line<S>(tensor_->values + at, 1, count, &call_->arithmetic);
  }
  /// All elements along `dimension`; `index` is a full tuple, its entry there is where to start.
  template <class... Index>
  Line<S> along(std::int64_t dimension, Index... index) const {
    const std::array<std::int64_t, sizeof...(Index)> indices{static_cast<std::int64_t>(index)...};
    const std::int64_t at = element_of(indices, tensor_->rank);
    const std::int64_t start = indices[static_cast<std::size_t>(dimension)];
    return Line<S>(tensor_->values + at, tensor_->strides[dimension],
                   tensor_->shape[dimension] - start, &call_->arithmetic);
  }
  template <class... Index>
  std::int64_t integer(Index... index) const {
    return integer_at(element(index...));
  }
  std::int64_t integer_at(std::int64_t linear) const {
    if (tensor_->integers == nullptr) return mistake("no integers in");
    return tensor_->integers[checked(linear)];
  }
};

template <ReferenceScalar S>
class Output : public TensorHandle {
 public:
  using TensorHandle::TensorHandle;

  /// One element, to be assigned once: y(i, j) = value.
  class Element {
   public:
    Element(const Output& output, std::int64_t at) : output_(output), at_(at) {}
    const Element& operator=(const S& value) const {
      output_.write(at_, value);
      return *this;
    }

   private:
    const Output& output_;
    std::int64_t at_;
  };

  template <class... Index>
  Element operator()(Index... index) const {
    return Element(*this, element(index...));
  }
  Element operator[](std::int64_t linear) const { return Element(*this, checked(linear)); }
  /// The last dimension in one go.
  template <class... Index>
  void set_row(std::span<const S> values, Index... index) const {
    const std::array<std::int64_t, sizeof...(Index)> indices{static_cast<std::int64_t>(index)...};
    const std::int64_t at = element_of(indices, tensor_->rank - 1);
    if (static_cast<std::int64_t>(values.size()) != tensor_->shape[tensor_->rank - 1]) {
      mistake("wrong row length for");
      return;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      write(at + static_cast<std::int64_t>(i), values[i]);
    }
  }
  void set_integer(std::int64_t linear, std::int64_t value) const {
    if (tensor_->integers_out == nullptr) {
      mistake("no integers in");
      return;
    }
    tensor_->integers_out[checked(linear)] = value;
    tensor_->value_out[checked(linear)] = static_cast<double>(value);
  }
  /// Another legal integer at that element: ties, rounding boundaries.
  void also(std::int64_t linear, std::int64_t value) const {
    const auto number = static_cast<std::int32_t>(tensor_ - call_->tensors);
    if (call_->also != nullptr) call_->also(call_->receiver, number, checked(linear), value);
  }
  /// The contract says nothing about that element.
  void leave_open(std::int64_t linear) const { tensor_->free_out[checked(linear)] = 1; }
  template <class... Index>
  void leave_row_open(Index... index) const {
    const std::array<std::int64_t, sizeof...(Index)> indices{static_cast<std::int64_t>(index)...};
    const std::int64_t at = element_of(indices, tensor_->rank - 1);
    for (std::int64_t i = 0; i < tensor_->shape[tensor_->rank - 1]; ++i) leave_open(at + i);
  }

 private:
  friend class Element;
  void write(std::int64_t at, const S& value) const {
    if (tensor_->is_integer != 0) {
      mistake("set_integer is how to write");
      return;
    }
    const double envelope = envelope_of(value);
    tensor_->value_out[at] = value_of(value);
    tensor_->envelope_out[at] = envelope;
    // A NaN or infinity that a correct kernel may miss says nothing about the element.
    if (!std::isfinite(value_of(value)) && !std::isfinite(envelope)) tensor_->free_out[at] = 1;
  }
  double envelope_of(double) const { return 0; }
  double envelope_of(const Tracked& x) const {
    // An intermediate may have overflowed: known only where the result overflows anyway.
    if (x.overflow && !(std::abs(x.value) - x.error > tensor_->largest)) return infinity;
    // fp64 arithmetic errs like an fp64 kernel does.
    return call_->arithmetic.unit <= 0x1p-53 ? 2 * x.error : x.error;
  }
};

template <ReferenceScalar S>
class Context {
 public:
  explicit Context(const ReferenceCall& call) : call_(&call) {}

  std::int64_t axis(const char* name) const { return scalar(name).integer; }
  /// An attribute as a kernel receives it: rounded to its declared dtype.
  double attribute(const char* name) const { return scalar(name).value; }
  std::int64_t integer(const char* name) const { return scalar(name).integer; }
  bool flag(const char* name) const { return scalar(name).integer != 0; }
  Input<S> input(const char* name) const { return Input<S>(*call_, tensor(name, 0)); }
  Output<S> output(const char* name) const { return Output<S>(*call_, tensor(name, 1)); }
  const Arithmetic& arithmetic() const { return call_->arithmetic; }
  /// An intermediate that the contract lets kernels store in a lower type.
  S intermediate(const S& x) const {
    return stored(x, call_->arithmetic.stored_unit, call_->arithmetic.stored_underflow);
  }

 private:
  const CallScalar& scalar(const char* name) const {
    for (std::int32_t i = 0; i < call_->scalar_count; ++i) {
      if (std::strcmp(call_->scalars[i].name, name) == 0) return call_->scalars[i];
    }
    report_mistake(*call_, "no axis or attribute", name);
    static constexpr CallScalar nothing{};
    return nothing;
  }
  const CallTensor& tensor(const char* name, std::int32_t is_output) const {
    for (std::int32_t i = 0; i < call_->tensor_count; ++i) {
      const CallTensor& candidate = call_->tensors[i];
      if (candidate.is_output == is_output && std::strcmp(candidate.name, name) == 0) {
        return candidate;
      }
    }
    report_mistake(*call_, is_output ? "no output" : "no input", name);
    return call_->tensors[call_->tensor_count];  // a spare one, so that reads stay in bounds
  }

  const ReferenceCall* call_;
};

}  // namespace gate
