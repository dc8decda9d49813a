// RapidCheck generators of spec values: cases, seeds, tolerance tables, and broken texts.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <rapidcheck.h>

#include <bit>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "gate/spec/read.h"

namespace gate::generators {

inline rc::Gen<std::string> identifier() {
  // The prefix keeps it off the reserved words.
  return rc::gen::map(rc::gen::container<std::string>(rc::gen::elementOf(
                          std::string("abcdefghijklmnopqrstuvwxyzABCXYZ0123456789_"))),
                      [](const std::string& rest) { return "n" + rest.substr(0, 12); });
}

/// Any double but NaN, by bits: subnormals, infinities and both zeros happen.
inline rc::Gen<double> real() {
  return rc::gen::map(
      rc::gen::oneOf(rc::gen::arbitrary<std::uint64_t>(),
                     rc::gen::element<std::uint64_t>(0, 1, 0x8000000000000000, 0x7ff0000000000000,
                                                     0xfff0000000000000, 0x3ff0000000000000)),
      [](std::uint64_t bits) {
        const double value = std::bit_cast<double>(bits);
        return std::isnan(value) ? 0.5 : value;
      });
}

inline rc::Gen<std::uint64_t> bits() {
  return rc::gen::resize(100, rc::gen::arbitrary<std::uint64_t>());
}

inline rc::Gen<std::int64_t> count(std::int64_t low, std::int64_t high) {
  return rc::gen::resize(100, rc::gen::inRange<std::int64_t>(low, high + 1));
}

inline rc::Gen<Scalar> scalar() {
  return rc::gen::oneOf(
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](std::int64_t v) { return Scalar(v); }),
      rc::gen::map(real(), [](double v) { return Scalar(v); }));
}

inline rc::Gen<ElementOverride> element() {
  return rc::gen::apply(
      [](std::int64_t at, std::uint64_t value) {
        return ElementOverride{at, value};
      },
      count(0, std::int64_t{1} << 40), bits());
}

inline rc::Gen<TensorChoice> tensor() {
  return rc::gen::apply(
      [](std::string layout, std::int64_t padding, std::int64_t step, std::int64_t offset,
         std::string profile, std::vector<ElementOverride> elements) {
        return TensorChoice{std::move(layout),  padding, step, offset, std::move(profile),
                            std::move(elements)};
      },
      rc::gen::element<std::string>("contiguous", "row_pitch", "strided", "offset", "transposed",
                                    "broadcast"),
      count(0, 70), count(1, 3), count(0, 15),
      rc::gen::element<std::string>("", "normal@1", "constant@1(0x3f800000)", "few@2(-1.5,3)"),
      rc::gen::container<std::vector<ElementOverride>>(element()));
}

inline rc::Gen<Schedule> schedule() {
  return rc::gen::oneOf(rc::gen::element(Schedule{}, Schedule{Schedule::Order::descending, 0}),
                        rc::gen::map(bits(), [](std::uint64_t key) {
                          return Schedule{Schedule::Order::shuffled, key};
                        }));
}

/// Names of axes, attributes and tensors never meet: each kind has its own first letter.
inline rc::Gen<Case> test_case() {
  return rc::gen::exec([] {
    Case value;
    value.op = *identifier();
    value.column = *identifier();
    value.property = *rc::gen::element<std::string>("value", "special", "repeat", "law:scaling");
    for (std::int64_t i = *count(0, 4); i > 0; --i) {
      value.axes["a" + *identifier()] = *count(0, std::int64_t{1} << 40);
    }
    for (std::int64_t i = *count(0, 3); i > 0; --i)
      value.attributes["b" + *identifier()] = *scalar();
    for (std::int64_t i = *count(0, 3); i > 0; --i) value.tensors["c" + *identifier()] = *tensor();
    value.key = *bits();
    value.schedule = *schedule();
    return value;
  });
}

/// Valid UTF-8 with quotes, backslashes, control characters and line ends.
inline rc::Gen<std::string> sentence() {
  return rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                          "a", "Z", " ", "\"", "\\", "'", "\n", "\t", "\r", "\x01", "\x7f", "#",
                          "=", "[", "é", "…", "%", "0")),
                      [](const std::vector<std::string>& parts) {
                        std::string text;
                        for (const std::string& part : parts) text += part;
                        return text;
                      });
}

inline rc::Gen<std::string> hex(std::size_t digits) {
  return rc::gen::container<std::string>(digits,
                                         rc::gen::elementOf(std::string("0123456789abcdef")));
}

inline rc::Gen<Seed> seed() {
  return rc::gen::exec([] {
    Seed value;
    value.test_case = *test_case();
    value.kernel = *identifier();
    value.kind = *rc::gen::element(Kind::wrong, Kind::crash, Kind::nondeterministic);
    value.property = *rc::gen::element<std::string>("value", "memory", "law:scaling");
    value.pattern = *sentence();
    value.note = *sentence();
    value.fingerprint = fingerprint(value.test_case.op, value.test_case.column, value.property,
                                    value.kind, value.kernel);
    value.number = static_cast<int>(*count(1, 9));
    value.status = *rc::gen::element(Seed::Status::open, Seed::Status::known, Seed::Status::fixed);
    if (value.status == Seed::Status::known) {
      value.reason = "r" + *sentence();
      value.owner = "o" + *sentence();
      value.expires = "2027-01-31";
    }
    value.input_digest = *hex(64);
    value.output_digest = *rc::gen::oneOf(rc::gen::just(std::string()), hex(64));
    for (const auto& [name, choice] : value.test_case.tensors) {
      if (*rc::gen::arbitrary<bool>()) {
        value.embedded[name] = *hex(2 * static_cast<std::size_t>(*count(0, 40)));
      }
    }
    value.found_at = *sentence();
    value.found_on = *rc::gen::element<std::string>("", "2026-11-30");
    value.device = *rc::gen::element<std::string>("", "emu", "cuda");
    return value;
  });
}

inline rc::Gen<Tolerance> tolerance() {
  return rc::gen::exec([] {
    Tolerance row;
    row.exact = *rc::gen::arbitrary<bool>();
    const double factor = std::fabs(*real());
    row.c = row.exact ? 1 : std::isfinite(factor) && factor > 1 ? factor : 1.25;
    const double ratio = std::fabs(*real());
    row.largest_ratio = std::isfinite(ratio) ? ratio : 0;
    row.cases = *count(1, std::int64_t{1} << 50);
    row.kernels = *rc::gen::container<std::vector<std::string>>(sentence());
    row.devices = *rc::gen::container<std::vector<std::string>>(sentence());
    row.date = "2026-11-30";
    row.reason = *sentence();
    row.origin = row.kernels.empty() ? "default" : "calibrated";
    return row;
  });
}

inline rc::Gen<ToleranceTable> tolerance_table() {
  return rc::gen::exec([] {
    ToleranceTable table;
    table.op = *identifier();
    for (std::int64_t i = *count(0, 4); i > 0; --i) table.rows[*identifier()] = *tolerance();
    return table;
  });
}

}  // namespace gate::generators
