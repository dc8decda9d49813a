// Facts of sizes, attributes and layouts; values have files of their own.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/facts.h"

#include <fmt/core.h>

#include "gate/cases/cost.h"

namespace gate {
namespace {

double number_of(const Scalar& scalar) {
  return std::visit([](const auto& number) { return static_cast<double>(number); }, scalar);
}

void add_flag(std::vector<Fact>& facts, std::string text, std::string otherwise, bool value) {
  facts.push_back({FactKind::flag, std::move(text), std::move(otherwise), 1.1, value ? 1.0 : 0.0});
}

}  // namespace

void add_size_facts(std::vector<Fact>& facts, const Case& value, const OpSchema& op) {
  for (const Axis& axis : op.axes) {
    const auto size = static_cast<double>(value.axes.at(axis.name));
    facts.push_back({FactKind::size, axis.name, "", 1, size});
  }
  for (std::size_t a = 0; a < op.axes.size(); ++a) {
    for (std::size_t b = a + 1; b < op.axes.size(); ++b) {
      const auto left = static_cast<double>(value.axes.at(op.axes[a].name));
      const auto right = static_cast<double>(value.axes.at(op.axes[b].name));
      facts.push_back({FactKind::relation, op.axes[a].name, op.axes[b].name, 1.4, left - right});
      const std::string product = op.axes[a].name + " * " + op.axes[b].name;
      facts.push_back({FactKind::size, product, "", 1.7, left * right});
    }
  }
  for (const Attribute& attribute : op.attributes) {
    const auto given = value.attributes.find(attribute.name);
    const Scalar& scalar = given == value.attributes.end() ? attribute.fallback : given->second;
    facts.push_back({FactKind::choice, attribute.name, "", 1.2, number_of(scalar)});
  }
}

void add_layout_facts(std::vector<Fact>& facts, const Case& value, const OpSchema& op) {
  const auto add = [&](const TensorSchema& tensor) {
    if (tensor.layouts.size() < 2) return;
    const auto found = value.tensors.find(tensor.name);
    const std::string layout = found == value.tensors.end() ? "contiguous" : found->second.layout;
    add_flag(facts, tensor.name + " is contiguous", tensor.name + " is not contiguous",
             layout == "contiguous");
    for (const std::string& other : tensor.layouts) {
      if (other == "contiguous") continue;
      const std::string said = other == "offset"      ? "at an offset"
                               : other == "row_pitch" ? "row-pitched"
                                                      : other;
      add_flag(facts, fmt::format("{} is {}", tensor.name, said),
               fmt::format("{} is not {}", tensor.name, said), layout == other);
    }
  };
  for (const TensorSchema& tensor : op.inputs) add(tensor);
  for (const TensorSchema& tensor : op.outputs) add(tensor);
  add_flag(facts, "the schedule is ascending", "the schedule is not ascending",
           value.schedule.order == Schedule::Order::ascending);
}

std::vector<Fact> facts_of(const Case& value, const Inputs& inputs, const OpSchema& op) {
  std::vector<Fact> facts;
  add_size_facts(facts, value, op);
  add_layout_facts(facts, value, op);
  for (const TensorSchema& schema : op.inputs) {
    if (const Tensor* tensor = find_tensor(inputs, schema.name)) {
      add_tensor_facts(facts, schema, *tensor);
    }
  }
  add_product_facts(facts, op, inputs);
  return facts;
}

}  // namespace gate
