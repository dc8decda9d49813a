// [axes], [attributes] and [fixed_shape] of op.toml.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gate/spec/op_parts.h"
#include "gate/spec/scalar_text.h"

namespace gate {
namespace {

constexpr std::int64_t axis_max = std::int64_t{1} << 40;  // products of two still fit

/// Sorted, distinct, in range; nothing if one is not.
std::vector<std::int64_t> axis_values(Problems& problems, const TomlValue& value,
                                      const std::string& what) {
  std::vector<std::int64_t> values;
  const auto* items = as_array(value);
  if (!items || items->empty()) {
    problems.add(value, fmt::format("{} must be an array of at least one integer", what));
    return values;
  }
  for (const TomlValue& item : *items) {
    const auto size = integer_of(problems, item, "an item of " + what);
    if (!size) continue;
    if (*size < 0 || *size > axis_max) {
      problems.add(item,
                   fmt::format("an item of {} must be 0 to {}; it is {}", what, axis_max, *size));
    } else if (std::find(values.begin(), values.end(), *size) != values.end()) {
      problems.add(item, fmt::format("{} has {} twice", what, *size));
    } else {
      values.push_back(*size);
    }
  }
  std::sort(values.begin(), values.end());
  return values;
}

void read_axis_table(OpReading& reading, const TomlValue& value, Axis& axis) {
  TableReader table(reading.problems, value, "axes." + axis.name);
  const IntegerRange range{0, axis_max};
  if (const TomlValue* values = table.find("values")) {
    axis.values = axis_values(reading.problems, *values, table.name_of("values"));
    if (!axis.values.empty()) {
      axis.min = axis.values.front();
      axis.max = axis.values.back();
    }
    if (table.find("min") || table.find("max")) {
      reading.problems.add(value, fmt::format("axes.{} has values and a range", axis.name),
                           "write either values = […] or min and max");
    }
  } else {
    axis.min = table.integer("min", range).value_or(1);
    const TomlValue* max = table.require("max");
    axis.max = table.integer("max", range).value_or(std::max<std::int64_t>(axis.min, 1));
    if (max && axis.max < axis.min) {
      reading.problems.add(
          *max, fmt::format("axes.{}: max {} is below min {}", axis.name, axis.max, axis.min));
    }
  }
  table.finish();
}

void read_attribute(OpReading& reading, const TomlEntry& entry) {
  Attribute attribute;
  attribute.name = entry.key;
  TableReader table(reading.problems, entry.value, "attributes." + entry.key);
  const auto type = table.word("type", {"f32", "f64", "i32", "i64", "bool"});
  if (!type && as_table(entry.value)) table.require("type");
  attribute.dtype = type ? *dtype_named(*type) : DType::f32;
  const TomlValue* fallback = table.require("default");
  const TomlValue* values = table.find("values");
  table.finish();
  if (!type || !fallback) return;
  const auto scalar =
      scalar_of(reading.problems, *fallback, table.name_of("default"), attribute.dtype);
  if (!scalar) return;
  attribute.fallback = *scalar;
  const auto* items = values ? as_array(*values) : nullptr;
  if (values && !items) {
    reading.problems.add(*values, fmt::format("{} must be an array", table.name_of("values")));
  }
  if (items) {
    for (const TomlValue& item : *items) {
      const auto one = scalar_of(reading.problems, item, "an item of " + table.name_of("values"),
                                 attribute.dtype);
      if (one) attribute.values.push_back(*one);
    }
  } else {
    attribute.values = {attribute.fallback};
  }
  if (std::find(attribute.values.begin(), attribute.values.end(), attribute.fallback) ==
      attribute.values.end()) {
    reading.problems.add(*fallback,
                         fmt::format("{} is not among the values", table.name_of("default")));
  }
  reading.schema.attributes.push_back(std::move(attribute));
}

void check_fixed_axis(OpReading& reading, const TomlValue& value, const Axis& axis,
                      std::int64_t size) {
  const bool listed =
      axis.values.empty() || std::binary_search(axis.values.begin(), axis.values.end(), size);
  if (size >= axis.min && size <= axis.max && listed) return;
  reading.problems.add(value, fmt::format("fixed_shape.{} is {}, which axes.{} does not allow",
                                          axis.name, size, axis.name));
}

/// The op's own constraints and shapes at the fixed shape.
void check_fixed_shape(OpReading& reading, const TomlValue& where) {
  const OpSchema& schema = reading.schema;
  IntegerValues values = schema.fixed_axes;
  for (const Attribute& attribute : schema.attributes) {
    const auto set = schema.fixed_attributes.find(attribute.name);
    const Scalar& scalar = set == schema.fixed_attributes.end() ? attribute.fallback : set->second;
    if (const auto* integer = std::get_if<std::int64_t>(&scalar)) values[attribute.name] = *integer;
  }
  for (const Expression& constraint : schema.contract.constraints) {
    if (constraint.value(values).value_or(0) == 0) {
      reading.problems.add(
          where, fmt::format("fixed_shape breaks the constraint \"{}\"", constraint.text()));
    }
  }
  for (const auto* tensors : {&schema.inputs, &schema.outputs}) {
    for (const TensorSchema& tensor : *tensors) {
      for (const Expression& size : tensor.shape) {
        if (size.value(values).value_or(-1) >= 0) continue;
        reading.problems.add(where, fmt::format("fixed_shape gives {} no valid size \"{}\"",
                                                tensor.name, size.text()));
      }
    }
  }
}

}  // namespace

std::optional<Scalar> scalar_of(Problems& problems, const TomlValue& value, const std::string& what,
                                DType dtype) {
  if (dtype == DType::boolean) {
    const auto boolean = boolean_of(problems, value, what);
    return boolean ? std::optional<Scalar>(std::int64_t{*boolean}) : std::nullopt;
  }
  if (!facts(dtype).is_float) {
    const auto integer = integer_of(problems, value, what);
    if (!integer) return std::nullopt;
    if (dtype == DType::i32 && (*integer < INT32_MIN || *integer > INT32_MAX)) {
      problems.add(value, fmt::format("{} does not fit i32: {}", what, *integer));
      return std::nullopt;
    }
    return *integer;
  }
  const auto number = number_of(problems, value, what);
  if (!number) return std::nullopt;
  if (std::isnan(*number)) {
    problems.add(value, fmt::format("{} must not be NaN", what));
    return std::nullopt;
  }
  return rounded(dtype, *number);
}

void read_axes(OpReading& reading, TableReader& root) {
  const TomlValue* value = root.table("axes");
  if (!value) {
    root.require("axes");
    return;
  }
  for (const TomlEntry& entry : *as_table(*value)) {
    if (!reading.take_name(entry, "an axis")) continue;
    Axis axis;
    axis.name = entry.key;
    const std::size_t before = reading.problems.count();
    if (const auto* constant = std::get_if<std::int64_t>(&entry.value.content)) {
      axis.min = axis.max = *constant;
      if (*constant < 0 || *constant > axis_max) {
        reading.problems.add(entry.value, fmt::format("axes.{} must be 0 to {}; it is {}",
                                                      axis.name, axis_max, *constant));
      }
    } else if (as_table(entry.value)) {
      read_axis_table(reading, entry.value, axis);
    } else {
      reading.problems.add(entry.value,
                           fmt::format("axes.{} must be an integer or a table, not {}", axis.name,
                                       type_text(entry.value)),
                           "for example { min = 1, max = 4096 } or { values = [1, 2, 4] }");
    }
    if (reading.problems.count() > before) reading.broken.push_back(axis.name);
    reading.schema.axes.push_back(std::move(axis));
  }
}

void read_attributes(OpReading& reading, TableReader& root) {
  const TomlValue* value = root.table("attributes");
  if (!value) return;
  for (const TomlEntry& entry : *as_table(*value)) {
    if (reading.take_name(entry, "an attribute")) read_attribute(reading, entry);
  }
}

void read_fixed_shape(OpReading& reading, TableReader& root) {
  const TomlValue* value = root.table("fixed_shape");
  if (!value) {
    root.require("fixed_shape");
    return;
  }
  TableReader table(reading.problems, *value, "fixed_shape");
  bool complete = true;
  for (const Axis& axis : reading.schema.axes) {
    const TomlValue* size = table.find(axis.name);
    if (reading.is_broken(axis.name)) {
      complete = false;
      continue;
    }
    if (!size) {
      if (axis.min != axis.max) {
        reading.problems.add(*value, fmt::format("fixed_shape.{} is missing", axis.name),
                             "[fixed_shape] gives every axis a size");
        complete = false;
      }
      reading.schema.fixed_axes[axis.name] = axis.min;
      continue;
    }
    const auto integer = integer_of(reading.problems, *size, table.name_of(axis.name));
    complete = complete && integer;
    if (!integer) continue;
    check_fixed_axis(reading, *size, axis, *integer);
    reading.schema.fixed_axes[axis.name] = *integer;
  }
  for (const Attribute& attribute : reading.schema.attributes) {
    const TomlValue* set = table.find(attribute.name);
    if (!set) continue;
    const auto scalar =
        scalar_of(reading.problems, *set, table.name_of(attribute.name), attribute.dtype);
    if (!scalar) continue;
    if (std::find(attribute.values.begin(), attribute.values.end(), *scalar) ==
        attribute.values.end()) {
      reading.problems.add(*set, fmt::format("{} is not among the attribute's values",
                                             table.name_of(attribute.name)));
    }
    reading.schema.fixed_attributes[attribute.name] = *scalar;
  }
  table.finish();
  if (complete) check_fixed_shape(reading, *value);
}

}  // namespace gate
