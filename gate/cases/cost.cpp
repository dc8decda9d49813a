// Costs and single-choice legality of cases.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/cost.h"

#include <algorithm>
#include <set>

#include "gate/cases/fill.h"
#include "gate/cases/layout.h"

namespace gate {
namespace {

// Products stop here; every cap is far below.
constexpr std::int64_t cost_limit = std::int64_t{1} << 60;
// A watched run of the emulator does about a million threads a second.
constexpr std::int64_t watched_elements_max = 1 << 12, watched_threads_max = 1 << 14;

std::int64_t times(std::int64_t a, std::int64_t b) {
  if (a <= 0 || b <= 0) return 0;
  return a > cost_limit / b ? cost_limit : a * b;
}

std::int64_t elements_of(const TensorSchema& tensor, const IntegerValues& values) {
  std::int64_t count = 1;
  for (const Expression& size : tensor.shape) count = times(count, size.value(values).value_or(0));
  return count;
}

bool listed(const TensorSchema& tensor, std::string_view profile) {
  return std::find(tensor.profiles.begin(), tensor.profiles.end(), profile) !=
         tensor.profiles.end();
}

}  // namespace

bool legal_size(const Axis& axis, std::int64_t size) {
  if (size < axis.min || size > axis.max) return false;
  return axis.values.empty() || std::binary_search(axis.values.begin(), axis.values.end(), size);
}

bool spans_zero(const TensorSchema& tensor) {
  return tensor.profiles.empty() || listed(tensor, "normal") || listed(tensor, "uniform10") ||
         listed(tensor, "small_integers");
}

bool profile_allowed(const TensorSchema& tensor, const ProfileFacts& profile, DType dtype) {
  if (!facts(dtype).is_float) return profile.integers;
  if (listed(tensor, profile.name) || is_study_profile(profile)) return true;
  if (profile.name == "normal" || profile.name == "uniform01") return true;
  constexpr std::string_view simple[] = {"zeros",          "constant",     "impulse",
                                         "small_integers", "few_distinct", "ties"};
  return spans_zero(tensor) &&
         std::find(std::begin(simple), std::end(simple), profile.name) != std::end(simple);
}

IntegerValues complete_values(const Case& value, const OpSchema& op) {
  Case complete = value;
  for (const Attribute& attribute : op.attributes)
    complete.attributes.emplace(attribute.name, attribute.fallback);
  return integer_values(complete);
}

IntegerValues launch_values(const Case& value, const OpSchema& op) {
  IntegerValues values = complete_values(value, op);
  const auto add = [&](const TensorSchema& tensor) {
    std::vector<std::int64_t> shape;
    for (const Expression& size : tensor.shape) shape.push_back(size.value(values).value_or(0));
    const auto choice = value.tensors.find(tensor.name);
    const View view =
        view_of(choice == value.tensors.end() ? TensorChoice{} : choice->second, shape);
    for (std::size_t d = 0; d < view.strides.size(); ++d) {
      values[tensor.name + ".stride(" + std::to_string(d) + ")"] = view.strides[d];
      values[tensor.name + ".size(" + std::to_string(d) + ")"] = shape[d];
    }
    values[tensor.name + ".offset"] = view.offset;
  };
  for (const TensorSchema& tensor : op.inputs) add(tensor);
  for (const TensorSchema& tensor : op.outputs) add(tensor);
  return values;
}

CaseCost cost_of(const Case& value, const OpSchema& op) {
  const IntegerValues values = complete_values(value, op);
  CaseCost cost;
  std::set<std::string> used;
  const auto add = [&](const TensorSchema& tensor) {
    cost.elements = std::max(cost.elements, elements_of(tensor, values));
    for (const Expression& size : tensor.shape)
      for (const std::string& name : size.names()) used.insert(name);
  };
  for (const TensorSchema& tensor : op.inputs) add(tensor);
  for (const TensorSchema& tensor : op.outputs) add(tensor);
  // A direct reference runs over every axis once: exact for products of matrices, rows and
  // elementwise ops, too much for gathers, which only makes their cases smaller.
  cost.operations = 1;
  for (const Axis& axis : op.axes) {
    const auto size = value.axes.find(axis.name);
    if (size != value.axes.end() && used.contains(axis.name))
      cost.operations = times(cost.operations, std::max<std::int64_t>(1, size->second));
  }
  cost.operations = std::max(cost.operations, cost.elements);
  return cost;
}

std::int64_t threads_of(const Case& value, const OpSchema& op, const KernelSpec& kernel) {
  const IntegerValues values = launch_values(value, op);
  std::int64_t threads = 0;
  for (const LaunchStep& step : kernel.launch) {
    if (step.grid.empty()) continue;
    std::int64_t here = 1;
    for (const Expression& size : step.grid) here = times(here, size.value(values).value_or(1));
    for (const Expression& size : step.block) here = times(here, size.value(values).value_or(1));
    threads = std::min(cost_limit, threads + here);
  }
  return threads;
}

bool is_small_to_watch(const Case& value, const OpSchema& op, const KernelSpec& kernel) {
  return cost_of(value, op).elements <= watched_elements_max &&
         threads_of(value, op, kernel) <= watched_threads_max;
}

}  // namespace gate
