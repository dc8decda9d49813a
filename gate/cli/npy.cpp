// The .npy format: magic, version, length of a header that is a Python dictionary, then the bytes.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/npy.h"

#include <cstring>

namespace gate {
namespace {

constexpr std::size_t header_alignment = 64;
constexpr std::size_t preamble_bytes = 10;  // magic, version, length

/// NumPy's name of a dtype; nothing where it has none.
std::string_view descriptor(DType dtype) {
  switch (dtype) {
    case DType::f64:
      return "<f8";
    case DType::f32:
      return "<f4";
    case DType::f16:
      return "<f2";
    case DType::i8:
      return "|i1";
    case DType::u8:
      return "|u1";
    case DType::i32:
      return "<i4";
    case DType::i64:
      return "<i8";
    case DType::boolean:
      return "|b1";
    case DType::bf16:
    case DType::f8e4m3:
    case DType::f8e5m2:
      return {};
  }
  return {};
}

std::string header(std::string_view dtype, const std::vector<std::int64_t>& shape) {
  std::string sizes;
  for (const std::int64_t size : shape) sizes += std::to_string(size) + ", ";
  if (shape.size() > 1) sizes.resize(sizes.size() - 2);
  std::string text = "{'descr': '" + std::string(dtype) + "', 'fortran_order': False, 'shape': (" +
                     (shape.size() == 1 ? sizes.substr(0, sizes.size() - 1) : sizes) + "), }";
  const std::size_t used = preamble_bytes + text.size() + 1;
  text.append((header_alignment - used % header_alignment) % header_alignment, ' ');
  text += '\n';
  std::string result("\x93NUMPY\x01\x00", 8);
  result += static_cast<char>(text.size() & 0xff);
  result += static_cast<char>(text.size() >> 8);
  return result + text;
}

template <class T>
std::string file(std::string_view dtype, const std::vector<T>& values,
                 const std::vector<std::int64_t>& shape) {
  std::string text = header(dtype, shape);
  const std::size_t begin = text.size();
  text.resize(begin + values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(text.data() + begin, values.data(), values.size() * sizeof(T));
  return text;
}

}  // namespace

std::string to_npy(const Tensor& tensor) {
  const std::string_view dtype = descriptor(tensor.dtype);
  if (dtype.empty()) {
    std::vector<float> values;
    for (std::int64_t i = 0; i < tensor.elements(); ++i) {
      values.push_back(static_cast<float>(tensor.at(i)));
    }
    return file("<f4", values, tensor.view.shape);
  }
  std::string text = header(dtype, tensor.view.shape);
  const std::size_t bytes = facts(tensor.dtype).bytes;
  for (std::int64_t i = 0; i < tensor.elements(); ++i) {
    const std::uint64_t bits = tensor.bits_at(i);
    for (std::size_t byte = 0; byte < bytes; ++byte) {
      text += static_cast<char>(bits >> (8 * byte) & 0xff);
    }
  }
  return text;
}

std::string to_npy(const std::vector<double>& values, const std::vector<std::int64_t>& shape) {
  return file("<f8", values, shape);
}

std::string to_npy(const std::vector<std::int64_t>& values,
                   const std::vector<std::int64_t>& shape) {
  return file("<i8", values, shape);
}

}  // namespace gate
