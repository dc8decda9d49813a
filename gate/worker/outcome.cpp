// Reading poison and digests off an outcome.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/outcome.h"

#include "gate/base/hash.h"

namespace gate {

std::vector<std::int64_t> unwritten_elements(const Tensor& output, bool second_poison) {
  std::vector<std::int64_t> elements;
  const std::uint64_t poison = poison_bits(output.dtype, second_poison);
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
