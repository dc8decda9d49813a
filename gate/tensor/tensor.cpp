// Element access through the view, and poison.
// SPDX-License-Identifier: Apache-2.0
#include "gate/tensor/tensor.h"

#include "gate/base/check.h"

namespace gate {

namespace {

/// Byte offset of a logical element, inside the storage.
std::size_t byte_offset(const Tensor& tensor, std::int64_t linear) {
  const std::int64_t place = position(tensor.view, linear);
  const std::size_t bytes = facts(tensor.dtype).bytes;
  const std::size_t offset = static_cast<std::size_t>(place) * bytes;
  check(place >= 0 && offset + bytes <= tensor.storage.size(), "elements are inside the storage");
  return offset;
}

}  // namespace

double Tensor::at(std::int64_t linear) const {
  return load(dtype, storage.data() + byte_offset(*this, linear));
}

std::int64_t Tensor::integer_at(std::int64_t linear) const {
  return load_integer(dtype, storage.data() + byte_offset(*this, linear));
}

std::uint64_t Tensor::bits_at(std::int64_t linear) const {
  return load_bits(dtype, storage.data() + byte_offset(*this, linear));
}

void Tensor::set(std::int64_t linear, double value) {
  store(dtype, value, storage.data() + byte_offset(*this, linear));
}

void Tensor::set_integer(std::int64_t linear, std::int64_t value) {
  store_integer(dtype, value, storage.data() + byte_offset(*this, linear));
}

void Tensor::set_bits(std::int64_t linear, std::uint64_t bits) {
  store_bits(dtype, bits, storage.data() + byte_offset(*this, linear));
}

Tensor make_tensor(std::string name, Role role, DType dtype, View view) {
  Tensor tensor{std::move(name), role, dtype, std::move(view), {}};
  const auto elements = static_cast<std::size_t>(storage_elements(tensor.view));
  tensor.storage.resize(elements * facts(dtype).bytes);
  poison(tensor);
  return tensor;
}

std::uint64_t poison_bits(DType dtype, bool second) {
  switch (dtype) {
    // Quiet NaNs; the second pattern differs in sign and payload (e4m3 has the sign only).
    case DType::f64:
      return second ? 0xFFFD'A5A5'A5A5'A5A5 : 0x7FFA'5A5A'5A5A'5A5A;
    case DType::f32:
      return second ? 0xFFE5'A5A5 : 0x7FDA'5A5A;
    case DType::f16:
      return second ? 0xFFA5 : 0x7E5A;
    case DType::bf16:
      return second ? 0xFFE5 : 0x7FDA;
    case DType::f8e4m3:
      return second ? 0xFF : 0x7F;
    case DType::f8e5m2:
      return second ? 0xFF : 0x7E;
    case DType::i8:
    case DType::u8:
    case DType::boolean:
      return second ? 0xA5 : 0x5A;
    case DType::i32:
      return second ? 0xA5A5'A5A5 : 0x5A5A'5A5A;
    case DType::i64:
      return second ? 0xA5A5'A5A5'A5A5'A5A5 : 0x5A5A'5A5A'5A5A'5A5A;
  }
  check(false, "every dtype has poison");
  return 0;
}

void poison(Tensor& tensor, bool second) {
  const std::uint64_t bits = poison_bits(tensor.dtype, second);
  const std::size_t bytes = facts(tensor.dtype).bytes;
  for (std::size_t at = 0; at + bytes <= tensor.storage.size(); at += bytes) {
    store_bits(tensor.dtype, bits, tensor.storage.data() + at);
  }
}

}  // namespace gate
