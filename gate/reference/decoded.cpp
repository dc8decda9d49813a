// Decoding tensors to fp64 in logical order, and gathering outputs.
// SPDX-License-Identifier: Apache-2.0
#include "gate/reference/decoded.h"

#include <bit>
#include <cstring>

#include "gate/base/check.h"

namespace gate {
namespace {

constexpr int problem_bytes = 256;

/// Calls `visit(storage position)` for every element in logical order.
template <class Visit>
void each_position(const View& view, Visit visit) {
  const std::int64_t count = element_count(view.shape);
  if (count == 0) return;
  if (view.shape.empty()) return visit(view.offset);
  const std::size_t last = view.shape.size() - 1;
  const std::int64_t width = view.shape[last], step = view.strides[last];
  std::vector<std::int64_t> index(last, 0);
  std::int64_t start = view.offset;
  for (std::int64_t done = 0; done < count; done += width) {
    for (std::int64_t i = 0; i < width; ++i) visit(start + i * step);
    for (std::size_t d = last; d-- > 0;) {
      start += view.strides[d];
      if (++index[d] < view.shape[d]) break;
      start -= view.strides[d] * view.shape[d];
      index[d] = 0;
    }
  }
}

double value_of_half(std::uint16_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffu;
  // Shifted into place, the exponent is short by 112: subnormals come out right as well.
  float value = std::bit_cast<float>(magnitude << 13) * 0x1p112f;
  if (magnitude >= 0x7c00u) value = std::bit_cast<float>(0x7f800000u | (magnitude & 0x3ff) << 13);
  return (bits & 0x8000u) != 0 ? -value : value;
}

double value_of_brain(std::uint16_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16);
}

/// `convert` makes a double of one element read as T.
template <class T, class Convert>
void decode_elements(const TensorBytes& tensor, std::vector<double>& values, Convert convert) {
  double* next = values.data();
  each_position(tensor.view, [&](std::int64_t at) {
    T element;
    std::memcpy(&element, tensor.data + static_cast<std::size_t>(at) * sizeof(T), sizeof(T));
    *next++ = convert(element);
  });
}

}  // namespace

void decode(const TensorBytes& tensor, std::vector<double>& values,
            std::vector<std::int64_t>* integers) {
  values.resize(static_cast<std::size_t>(element_count(tensor.view.shape)));
  const std::size_t bytes = facts(tensor.dtype).bytes;
  switch (tensor.dtype) {
    case DType::f64:
      decode_elements<double>(tensor, values, [](double x) { return x; });
      break;
    case DType::f32:
      decode_elements<float>(tensor, values, [](float x) -> double { return x; });
      break;
    case DType::f16:
      decode_elements<std::uint16_t>(tensor, values, value_of_half);
      break;
    case DType::bf16:
      decode_elements<std::uint16_t>(tensor, values, value_of_brain);
      break;
    default:
      double* next = values.data();
      each_position(tensor.view, [&](std::int64_t at) {
        *next++ = load(tensor.dtype, tensor.data + static_cast<std::size_t>(at) * bytes);
      });
  }
  if (integers == nullptr) return;
  integers->clear();
  each_position(tensor.view, [&](std::int64_t at) {
    integers->push_back(
        load_integer(tensor.dtype, tensor.data + static_cast<std::size_t>(at) * bytes));
  });
}

DecodedCall::DecodedCall(const Arithmetic& arithmetic) : problem_(problem_bytes, '\0') {
  call_.arithmetic = arithmetic;
}

CallTensor& DecodedCall::add(const std::string& name, DType dtype,
                             const std::vector<std::int64_t>& shape) {
  check(shape.size() <= call_rank_max, "a tensor of a reference has at most 8 dimensions");
  buffers_.emplace_back().name = name;
  CallTensor tensor;
  tensor.name = buffers_.back().name.c_str();
  tensor.rank = static_cast<std::int32_t>(shape.size());
  tensor.is_integer = facts(dtype).is_float ? 0 : 1;
  tensor.largest = facts(dtype).largest;
  tensor.elements = element_count(shape);
  const View view = contiguous_view(shape);
  for (std::size_t d = 0; d < shape.size(); ++d) {
    tensor.shape[d] = shape[d];
    tensor.strides[d] = view.strides[d];
  }
  tensors_.push_back(tensor);
  return tensors_.back();
}

void DecodedCall::add_input(const TensorBytes& bytes) {
  CallTensor& tensor = add(bytes.name, bytes.dtype, bytes.view.shape);
  Buffers& buffers = buffers_.back();
  decode(bytes, buffers.values, tensor.is_integer != 0 ? &buffers.integers : nullptr);
  buffers.values.resize(std::max<std::size_t>(buffers.values.size(), 1));
  tensor.values = buffers.values.data();
  if (tensor.is_integer == 0) return;
  buffers.integers.resize(std::max<std::size_t>(buffers.integers.size(), 1));
  tensor.integers = buffers.integers.data();
}

void DecodedCall::add_output(const std::string& name, DType dtype,
                             const std::vector<std::int64_t>& shape) {
  CallTensor& tensor = add(name, dtype, shape);
  Buffers& buffers = buffers_.back();
  const auto count = static_cast<std::size_t>(std::max<std::int64_t>(tensor.elements, 1));
  tensor.is_output = 1;
  buffers.values.resize(count);
  buffers.envelope.resize(count);
  buffers.free.resize(count);
  if (tensor.is_integer != 0) buffers.integers.resize(count);
  tensor.value_out = buffers.values.data();
  tensor.envelope_out = buffers.envelope.data();
  tensor.free_out = buffers.free.data();
  tensor.integers_out = tensor.is_integer != 0 ? buffers.integers.data() : nullptr;
}

void DecodedCall::add_axis(const std::string& name, std::int64_t value) {
  names_.push_back(name);
  scalars_.push_back({names_.back().c_str(), static_cast<double>(value), value, 1});
}

void DecodedCall::add_attribute(const std::string& name, const Scalar& value, DType dtype) {
  names_.push_back(name);
  const auto* integer = std::get_if<std::int64_t>(&value);
  const double real = integer ? static_cast<double>(*integer) : std::get<double>(value);
  const double seen = facts(dtype).is_float ? rounded(dtype, real) : real;
  const std::int64_t whole = integer ? *integer : static_cast<std::int64_t>(real);
  scalars_.push_back({names_.back().c_str(), seen, whole, 0});
}

void DecodedCall::receive_also(void* self, std::int32_t tensor, std::int64_t element,
                               std::int64_t value) {
  auto& call = *static_cast<DecodedCall*>(self);
  call.buffers_[static_cast<std::size_t>(tensor)].also[element].push_back(value);
}

std::string DecodedCall::run(PluginEntry body) {
  call_.tensor_count = static_cast<std::int32_t>(tensors_.size());
  call_.scalar_count = static_cast<std::int32_t>(scalars_.size());
  add_output("", DType::f64, {});  // the spare ones that mistakes read and write
  tensors_.back().values = buffers_.back().values.data();
  call_.tensors = tensors_.data();
  call_.scalars = scalars_.data();
  call_.receiver = this;
  call_.also = receive_also;
  call_.problem = problem_.data();
  call_.problem_bytes = problem_bytes;
  body(&call_);
  return std::string(problem_.data());
}

Expected DecodedCall::take_expected() {
  Expected expected;
  for (std::int32_t i = 0; i < call_.tensor_count; ++i) {
    const CallTensor& tensor = tensors_[static_cast<std::size_t>(i)];
    if (tensor.is_output == 0) continue;
    Buffers& buffers = buffers_[static_cast<std::size_t>(i)];
    const auto count = static_cast<std::size_t>(tensor.elements);
    buffers.values.resize(count);
    buffers.envelope.resize(count);
    buffers.free.resize(count);
    if (tensor.is_integer != 0) buffers.integers.resize(count);
    expected.outputs.push_back({buffers.name, std::move(buffers.values),
                                std::move(buffers.envelope), std::move(buffers.integers),
                                std::move(buffers.also), std::move(buffers.free)});
  }
  return expected;
}

}  // namespace gate
