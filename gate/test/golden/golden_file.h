// Comparison with a file of expected text. GATE_UPDATE_GOLDEN=1 writes it instead: look at the
// difference before it is committed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "gate/base/files.h"

namespace gate {

inline void expect_golden(const std::string& name, const std::string& text) {
  const std::string file = std::string(GATE_SOURCE_DIR) + "/gate/test/golden/expected/" + name;
  if (std::getenv("GATE_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(static_cast<bool>(write_file(file, text)));
  }
  const Result<std::string> expected = read_file(file);
  ASSERT_TRUE(static_cast<bool>(expected)) << file;
  EXPECT_EQ(text, *expected);
}

}  // namespace gate
