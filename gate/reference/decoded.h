// The decoded form of one reference call: owns what a ReferenceCall points to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <string>
#include <vector>

#include "gate/reference/call.h"
#include "gate/reference/expected.h"
#include "gate/tensor/tensor.h"

namespace gate {

/// Where a tensor's elements lie, without owning them.
struct TensorBytes {
  std::string name;
  DType dtype = DType::f32;
  View view;
  const std::byte* data = nullptr;  // element 0 of the storage
};

class DecodedCall {
 public:
  explicit DecodedCall(const Arithmetic& arithmetic);
  DecodedCall(const DecodedCall&) = delete;
  DecodedCall& operator=(const DecodedCall&) = delete;

  void add_input(const TensorBytes& tensor);
  void add_output(const std::string& name, DType dtype, const std::vector<std::int64_t>& shape);
  /// The largest value of the last output added, where its dtype is known by that alone.
  void limit_output(double largest) { tensors_.back().largest = largest; }
  void add_axis(const std::string& name, std::int64_t value);
  /// `dtype`: as declared; the value is rounded to it, as a kernel would receive it.
  void add_attribute(const std::string& name, const Scalar& value, DType dtype);

  /// Runs `body`; the text of its first mistake, empty if none.
  std::string run(PluginEntry body);
  /// Outputs in the order they were added; after run.
  Expected take_expected();

 private:
  struct Buffers {
    std::string name;
    std::vector<double> values, envelope;
    std::vector<std::int64_t> integers;
    std::vector<std::uint8_t> free;
    std::map<std::int64_t, std::vector<std::int64_t>> also;
  };
  CallTensor& add(const std::string& name, DType dtype, const std::vector<std::int64_t>& shape);
  static void receive_also(void* self, std::int32_t tensor, std::int64_t element,
                           std::int64_t value);

  std::deque<Buffers> buffers_;  // one per tensor; addresses stay
  std::vector<CallTensor> tensors_;
  std::deque<std::string> names_;
  std::vector<CallScalar> scalars_;
  ReferenceCall call_;
  std::vector<char> problem_;
};

/// Logical elements in row-major order, as fp64; integers exactly where `integers` is given.
void decode(const TensorBytes& tensor, std::vector<double>& values,
            std::vector<std::int64_t>* integers);

}  // namespace gate
