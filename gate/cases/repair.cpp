// Constraints over several axes and attributes: finds sizes that satisfy them.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gate/cases/cost.h"
#include "gate/cases/generate.h"

namespace gate {
namespace {

constexpr int rounds_max = 8;
constexpr std::size_t tries_max = 256;

bool holds(const Expression& expression, const IntegerValues& values) {
  const auto truth = expression.value(values);
  return truth && *truth != 0;
}

/// Sizes suggested by the other names of a constraint: equal, multiples, parts, neighbours.
std::vector<std::int64_t> related_sizes(const Expression& constraint, const std::string& axis,
                                        const IntegerValues& values) {
  std::vector<std::int64_t> others, sizes;
  for (const std::string& name : constraint.names()) {
    const auto known = values.find(name);
    if (name != axis && known != values.end()) others.push_back(known->second);
  }
  for (const std::int64_t literal : constraint.literals()) others.push_back(literal);
  for (const std::int64_t other : others) {
    for (const std::int64_t factor : {1, 2, 3, 4, 5, 7, 8}) {
      sizes.push_back(other * factor);
      if (other % factor == 0) sizes.push_back(other / factor);
    }
    sizes.push_back(other + 1);
    sizes.push_back(other - 1);
    for (const std::int64_t second : others) sizes.push_back(other * second);
  }
  return sizes;
}

class Repair {
 public:
  Repair(Case& value, const CaseSpace& space, Choices& choices)
      : case_(value), space_(space), choices_(choices) {}

  bool run() {
    for (int round = 0; round < rounds_max; ++round) {
      const Expression* broken = first_violated();
      if (broken == nullptr) return true;
      if (!improve_axis(*broken) && !improve_attribute(*broken)) return false;
    }
    return first_violated() == nullptr;
  }

 private:
  const Expression* first_violated() const {
    const IntegerValues values = launch_values(case_, *space_.op);
    for (const auto* list : {&space_.op->contract.constraints, &space_.kernel->constraints})
      for (const Expression& expression : *list)
        if (!holds(expression, values)) return &expression;
    return nullptr;
  }

  std::size_t count() const { return violations(case_, *space_.op, space_.kernel); }

  bool improve_axis(const Expression& broken) {
    std::vector<const AxisSpace*> axes;
    const auto names = broken.names();
    for (const AxisSpace& axis : space_.axes)
      if (std::find(names.begin(), names.end(), axis.axis->name) != names.end())
        axes.push_back(&axis);
    choices_.shuffle(axes);
    const std::size_t before = count();
    for (const AxisSpace* axis : axes) {
      const std::int64_t old = case_.axes[axis->axis->name];
      std::vector<std::int64_t> sizes =
          related_sizes(broken, axis->axis->name, complete_values(case_, *space_.op));
      for (std::int64_t size = 1; size <= 16; ++size) sizes.push_back(size);
      sizes.insert(sizes.end(), axis->all.begin(), axis->all.end());
      choices_.shuffle(sizes);
      if (sizes.size() > tries_max) sizes.resize(tries_max);
      for (const std::int64_t size : sizes) {
        if (!legal_size(*axis->axis, size)) continue;
        case_.axes[axis->axis->name] = size;
        if (count() < before && within(case_, space_, budget_of(space_, budget_levels - 1)))
          return true;
      }
      case_.axes[axis->axis->name] = old;
    }
    return false;
  }

  bool improve_attribute(const Expression& broken) {
    const std::size_t before = count();
    for (const std::string& name : broken.names()) {
      const Attribute* attribute = find_attribute(*space_.op, name);
      if (attribute == nullptr) continue;
      const Scalar old = case_.attributes[name];
      std::vector<Scalar> values = attribute->values;
      choices_.shuffle(values);
      for (const Scalar& candidate : values) {
        case_.attributes[name] = candidate;
        if (count() < before) return true;
      }
      case_.attributes[name] = old;
    }
    return false;
  }

  Case& case_;
  const CaseSpace& space_;
  Choices& choices_;
};

}  // namespace

std::size_t violations(const Case& value, const OpSchema& op, const KernelSpec* kernel) {
  const IntegerValues values = launch_values(value, op);
  std::size_t count = 0;
  for (const Expression& expression : op.contract.constraints)
    count += holds(expression, values) ? 0 : 1;
  if (kernel != nullptr)
    for (const Expression& expression : kernel->constraints)
      count += holds(expression, values) ? 0 : 1;
  return count;
}

bool repair(Case& value, const CaseSpace& space, Choices& choices) {
  return Repair(value, space, choices).run();
}

}  // namespace gate
