// Simpler attributes, layouts and schedules.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/cases/layout.h"
#include "gate/cases/shrink.h"

namespace gate {
namespace {

/// 0 for the default, then the order of the schema.
std::size_t rank(const Attribute& attribute, const Scalar& scalar) {
  if (scalar == attribute.fallback) return 0;
  const auto& values = attribute.values;
  return 1 +
         static_cast<std::size_t>(std::find(values.begin(), values.end(), scalar) - values.begin());
}

TensorChoice contiguous(const TensorChoice& choice) {
  TensorChoice simple = choice;
  simple.layout = "contiguous";
  simple.padding = simple.offset = 0;
  simple.step = 1;
  return simple;
}

/// The smallest padding, step or offset of the same layout.
TensorChoice least_odd(const TensorChoice& choice, std::int64_t unit) {
  TensorChoice simple = choice;
  if (choice.padding > unit) simple.padding = unit;
  if (choice.offset > unit) simple.offset = unit;
  if (choice.step > 2) simple.step = 2;
  return simple;
}

}  // namespace

std::vector<Case> simpler_attributes(const ShrinkContext& context) {
  std::vector<Case> list;
  Case all = context.value;
  for (const Attribute& attribute : context.op.attributes)
    if (all.attributes.contains(attribute.name))
      all.attributes[attribute.name] = attribute.fallback;
  list.push_back(all);
  for (const Attribute& attribute : context.op.attributes) {
    const auto given = context.value.attributes.find(attribute.name);
    if (given == context.value.attributes.end()) continue;
    std::vector<Scalar> simpler = attribute.values;
    simpler.insert(simpler.begin(), attribute.fallback);
    for (const Scalar& scalar : simpler) {
      if (rank(attribute, scalar) >= rank(attribute, given->second)) continue;
      Case candidate = context.value;
      candidate.attributes[attribute.name] = scalar;
      list.push_back(std::move(candidate));
    }
  }
  return list;
}

std::vector<Case> simpler_layouts(const ShrinkContext& context) {
  std::vector<Case> list;
  Case all = context.value;
  for (auto& [name, choice] : all.tensors) choice = contiguous(choice);
  list.push_back(std::move(all));
  for (const auto& [name, choice] : context.value.tensors) {
    Case candidate = context.value;
    candidate.tensors[name] = contiguous(choice);
    list.push_back(candidate);
  }
  for (const auto& [name, choice] : context.value.tensors) {
    const std::size_t bytes = facts(dtype_of(context.op, context.value.column, name)).bytes;
    Case candidate = context.value;
    candidate.tensors[name] = least_odd(choice, alignment_elements(bytes, context.kernel));
    list.push_back(candidate);
  }
  return list;
}

std::vector<Case> simpler_schedules(const ShrinkContext& context) {
  std::vector<Case> list;
  if (context.value.schedule.order == Schedule::Order::ascending) return list;
  Case candidate = context.value;
  candidate.schedule = {};
  list.push_back(candidate);
  if (context.value.schedule.order == Schedule::Order::shuffled) {
    candidate.schedule = {Schedule::Order::descending, 0};
    list.push_back(candidate);
  }
  return list;
}

}  // namespace gate
