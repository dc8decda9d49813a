// resolve(): a launch step with every expression evaluated and every scalar in its dtype.
// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "gate/device/device.h"

namespace gate {

namespace {

bool fits(DType dtype, std::int64_t value) {
  if (dtype == DType::boolean) return value == 0 || value == 1;
  std::byte element[8] = {};
  store_integer(dtype, value, element);
  return load_integer(dtype, element) == value;
}

Result<std::uint64_t> integer_bits(DType dtype, std::int64_t value, const std::string& what) {
  std::byte element[8] = {};
  if (facts(dtype).is_float) {
    store(dtype, static_cast<double>(value), element);
  } else if (fits(dtype, value)) {
    store_integer(dtype, value, element);
  } else {
    return user_failure("value does not fit " + std::string(facts(dtype).name) + ": " + what +
                        " = " + std::to_string(value));
  }
  return load_bits(dtype, element);
}

Result<std::uint64_t> scalar_bits(DType dtype, const Scalar& value, const std::string& what) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) {
    return integer_bits(dtype, *integer, what);
  }
  const double number = std::get<double>(value);
  if (!facts(dtype).is_float) {
    if (number != std::trunc(number) || std::abs(number) >= 0x1p62) {
      return user_failure("attribute is not an integer: " + what);
    }
    return integer_bits(dtype, static_cast<std::int64_t>(number), what);
  }
  std::byte element[8] = {};
  store(dtype, number, element);
  return load_bits(dtype, element);
}

Result<ResolvedArgument> tensor_argument(const LaunchArgument& argument, const DeviceJob& job) {
  for (std::size_t i = 0; i < job.tensors.size(); ++i) {
    const DeviceTensor& tensor = job.tensors[i];
    if (tensor.name != argument.name) continue;
    ResolvedArgument resolved;
    resolved.is_pointer = true;
    resolved.tensor = i;
    resolved.dtype = tensor.dtype;
    const auto bytes = static_cast<std::int64_t>(facts(tensor.dtype).bytes);
    resolved.pointer = tensor.data + tensor.view.offset * bytes;
    return resolved;
  }
  return user_failure("no such tensor or workspace: " + argument.name);
}

Result<ResolvedArgument> resolve_argument(const LaunchArgument& argument, const DeviceJob& job) {
  ResolvedArgument resolved;
  resolved.dtype = argument.dtype;
  switch (argument.what) {
    case LaunchArgument::What::tensor:
    case LaunchArgument::What::workspace:
      return tensor_argument(argument, job);
    case LaunchArgument::What::stream:
      resolved.is_stream = true;
      return resolved;
    case LaunchArgument::What::integer: {
      const auto value = argument.value.evaluate(job.integers);
      if (!value) return value.failure();
      const auto bits = integer_bits(argument.dtype, *value, argument.value.text());
      if (!bits) return bits.failure();
      resolved.bits = *bits;
      return resolved;
    }
    case LaunchArgument::What::attribute: {
      const auto found = job.attributes.find(argument.name);
      if (found == job.attributes.end()) {
        return user_failure("no such attribute: " + argument.name);
      }
      const auto bits = scalar_bits(argument.dtype, found->second, argument.name);
      if (!bits) return bits.failure();
      resolved.bits = *bits;
      return resolved;
    }
  }
  return resolved;
}

/// Evaluates up to three sizes; a negative one is passed on as 0, which no device launches.
Result<Done> sizes(const std::vector<Expression>& expressions, const DeviceJob& job,
                   std::uint64_t (&out)[3]) {
  for (std::size_t i = 0; i < expressions.size() && i < 3; ++i) {
    const auto value = expressions[i].evaluate(job.integers);
    if (!value) return value.failure();
    out[i] = *value < 0 ? 0 : static_cast<std::uint64_t>(*value);
  }
  return Done{};
}

}  // namespace

Result<ResolvedStep> resolve(const LaunchStep& step, const std::string& column,
                             const DeviceJob& job) {
  ResolvedStep resolved;
  const auto entry = step.entry.find(column);
  if (entry == step.entry.end()) return user_failure("no entry for column: " + column);
  resolved.entry = entry->second;
  resolved.host_launcher = step.grid.empty();
  if (const auto done = sizes(step.grid, job, resolved.grid); !done) return done.failure();
  if (const auto done = sizes(step.block, job, resolved.block); !done) return done.failure();
  const auto shared = step.shared.evaluate(job.integers);
  if (!shared) return shared.failure();
  if (*shared < 0) return user_failure("shared memory is negative: " + step.shared.text());
  resolved.shared_bytes = static_cast<std::uint64_t>(*shared);
  resolved.arguments.reserve(step.arguments.size());
  for (const LaunchArgument& argument : step.arguments) {
    auto value = resolve_argument(argument, job);
    if (!value) return value.failure();
    resolved.arguments.push_back(*value);
  }
  return resolved;
}

}  // namespace gate
