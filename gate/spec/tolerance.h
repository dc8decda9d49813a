// Committed tolerances: tolerances/<op>.toml, the dimensionless multiplier of the envelope.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace gate {

struct Tolerance {
  double c = 2;                        // >= 1
  bool exact = false;                  // t = 0 for the whole column
  std::string origin = "default";      // default | calibrated
  double largest_ratio = 0;            // (|got-want| - final rounding) / envelope, over controls
  std::int64_t cases = 0;
  std::vector<std::string> kernels;
  std::vector<std::string> devices;
  std::string date;                    // YYYY-MM-DD
  std::string reason;
};

/// column -> row, for one op.
struct ToleranceTable {
  std::string op;
  std::filesystem::path file;
  std::map<std::string, Tolerance> rows;
};

}  // namespace gate
