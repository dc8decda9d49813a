// The .npy format, byte by byte; NumPy itself reads it in integration/regression_test.sh.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/npy.h"

#include <gtest/gtest.h>

namespace gate {
namespace {

std::string header_of(const std::string& file) {
  const std::size_t length = static_cast<unsigned char>(file[8]) +
                             (static_cast<std::size_t>(static_cast<unsigned char>(file[9])) << 8);
  return file.substr(10, length);
}

TEST(Npy, header_is_aligned_and_names_dtype_and_shape) {
  const std::string file = to_npy(std::vector<double>{1, 2, 3}, {3});
  EXPECT_EQ(file.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
  const std::string header = header_of(file);
  EXPECT_EQ((10 + header.size()) % 64, 0u);
  EXPECT_EQ(header.back(), '\n');
  EXPECT_EQ(header.find("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }"), 0u);
  EXPECT_EQ(file.size(), 10 + header.size() + 3 * sizeof(double));
  EXPECT_NE(header_of(to_npy(std::vector<double>{1}, {})).find("'shape': ()"), std::string::npos);
}

TEST(Npy, a_strided_tensor_is_written_in_logical_order) {
  Tensor tensor = make_tensor("x", Role::input, DType::i32, {{2, 2}, {1, 2}, 1});
  for (int i = 0; i < 4; ++i) tensor.set_integer(i, i + 1);
  const std::string file = to_npy(tensor);
  EXPECT_EQ(file.substr(file.size() - 16),
            std::string("\x01\0\0\0\x02\0\0\0\x03\0\0\0\x04\0\0\0", 16));
}

TEST(Npy, dtypes_that_numpy_lacks_become_float32) {
  Tensor tensor = make_tensor("x", Role::input, DType::bf16, contiguous_view({1}));
  tensor.set(0, 1.5);
  const std::string file = to_npy(tensor);
  EXPECT_NE(header_of(file).find("'<f4'"), std::string::npos);
  EXPECT_EQ(file.substr(file.size() - 4), std::string("\0\0\xc0\x3f", 4));
}

}  // namespace
}  // namespace gate
