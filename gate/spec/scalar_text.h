// Scalars as text that loses nothing: floats in hexadecimal, equal values as equal texts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gate/spec/op_schema.h"

namespace gate {

/// "0x1.8p+1", "-0x0p+0", "inf", "-inf"; never asked for NaN.
std::string hex_float(double value);
/// The inverse; only canonical-looking texts: optional minus, "0x", hex digits, "p", exponent; inf.
std::optional<double> parse_hex_float(std::string_view text);
/// As case texts write it: integers with an i ("4i"), which tells them from axes; floats in hex.
std::string scalar_text(const Scalar& scalar);
/// Only lower-case hexadecimal digits.
bool is_hex(std::string_view text);

}  // namespace gate
