// Reading poison and digests off an outcome.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/outcome.h"

#include <cstring>

#include "gate/base/hash.h"

namespace gate {

namespace {

/// Elements that lie side by side, compared as machine words.
template <class Word>
void add_equal(const Tensor& tensor, std::uint64_t bits, std::vector<std::int64_t>& elements) {
  const auto wanted = static_cast<Word>(bits);
  const std::byte* from =
      tensor.storage.data() + static_cast<std::size_t>(tensor.view.offset) * sizeof(Word);
  const std::int64_t count = tensor.elements();
  for (std::int64_t i = 0; i < count; ++i) {
    Word word;
    std::memcpy(&word, from + static_cast<std::size_t>(i) * sizeof(Word), sizeof(Word));
    if (word == wanted) elements.push_back(i);
  }
}

}  // namespace

std::vector<std::int64_t> unwritten_elements(const Tensor& output, bool second_poison) {
  std::vector<std::int64_t> elements;
  const std::uint64_t poison = poison_bits(output.dtype, second_poison);
  if (is_contiguous(output.view)) {
    switch (facts(output.dtype).bytes) {
      case 1:
        add_equal<std::uint8_t>(output, poison, elements);
        return elements;
      case 2:
        add_equal<std::uint16_t>(output, poison, elements);
        return elements;
      case 4:
        add_equal<std::uint32_t>(output, poison, elements);
        return elements;
      default:
        add_equal<std::uint64_t>(output, poison, elements);
        return elements;
    }
  }
  const std::int64_t count = output.elements();
  for (std::int64_t i = 0; i < count; ++i) {
    if (output.bits_at(i) == poison) elements.push_back(i);
  }
  return elements;
}

std::string output_digest(const Outcome& outcome) {
  Sha256 digest;
  for (const Tensor& tensor : outcome.after) {
    if (tensor.role == Role::output || tensor.role == Role::inout) digest.add(tensor.storage);
  }
  return digest.hex();
}

}  // namespace gate
