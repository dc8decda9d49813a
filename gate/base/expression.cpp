// Evaluation of integer expressions: every operation checked, nothing wraps.
// SPDX-License-Identifier: Apache-2.0
#include "gate/base/expression.h"

#include <algorithm>
#include <limits>
#include <set>

#include "gate/base/expression_node.h"

namespace gate {

namespace {

using Node = Expression::Node;
using Number = std::int64_t;

constexpr Number least = std::numeric_limits<Number>::min();

/// A value, or why there is none (without throwing: constraints meet such values every day).
struct Evaluated {
  Number value = 0;
  std::string problem;
};

Evaluated overflow() { return {0, "integer overflow"}; }

Evaluated divided(Operation operation, Number a, Number b) {
  if (b == 0) return {0, "division by zero"};
  if (a == least && b == -1) return overflow();
  const Number quotient = a / b, rest = a % b;
  if (operation == Operation::divide) return {quotient, {}};
  if (operation == Operation::remainder) return {rest, {}};
  const bool rounds_up = rest != 0 && (rest > 0) == (b > 0);
  return {quotient + (rounds_up ? 1 : 0), {}};
}

Evaluated next_power_of_two(Number a) {
  Number power = 1;
  while (power < a) {
    if (__builtin_mul_overflow(power, Number{2}, &power)) return overflow();
  }
  return {power, {}};
}

/// Operations of one or two evaluated operands.
Evaluated applied(Operation operation, Number a, Number b) {
  Number value = 0;
  switch (operation) {
    case Operation::logical_not:
      return {a == 0, {}};
    case Operation::equal:
      return {a == b, {}};
    case Operation::not_equal:
      return {a != b, {}};
    case Operation::less:
      return {a < b, {}};
    case Operation::less_equal:
      return {a <= b, {}};
    case Operation::greater:
      return {a > b, {}};
    case Operation::greater_equal:
      return {a >= b, {}};
    case Operation::add:
      return __builtin_add_overflow(a, b, &value) ? overflow() : Evaluated{value, {}};
    case Operation::subtract:
      return __builtin_sub_overflow(a, b, &value) ? overflow() : Evaluated{value, {}};
    case Operation::multiply:
      return __builtin_mul_overflow(a, b, &value) ? overflow() : Evaluated{value, {}};
    case Operation::divide:
    case Operation::remainder:
    case Operation::ceil_div:
      return divided(operation, a, b);
    case Operation::negate:
      return __builtin_sub_overflow(Number{0}, a, &value) ? overflow() : Evaluated{value, {}};
    case Operation::min:
      return {std::min(a, b), {}};
    case Operation::max:
      return {std::max(a, b), {}};
    case Operation::next_pow2:
      return next_power_of_two(a);
    case Operation::literal:
    case Operation::name:
    case Operation::logical_or:
    case Operation::logical_and:
      break;
  }
  check(false, "leaves and short-circuit operations are evaluated elsewhere");
  return {};
}

Evaluated evaluated(const Node& node, const IntegerValues& values) {
  if (node.operation == Operation::literal) return {node.literal, {}};
  if (node.operation == Operation::name) {
    const auto found = values.find(node.name);
    if (found == values.end()) return {0, "unknown name: " + node.name};
    return {found->second, {}};
  }
  Evaluated result = evaluated(*node.operands[0], values);
  const bool is_or = node.operation == Operation::logical_or;
  if (is_or || node.operation == Operation::logical_and) {
    // The right side counts only where the left side leaves it open, as in C and Python.
    if (!result.problem.empty() || (result.value != 0) == is_or) {
      return {result.value != 0, result.problem};
    }
    result = evaluated(*node.operands[1], values);
    return {result.value != 0, result.problem};
  }
  if (node.operands.size() == 1 && result.problem.empty()) {
    return applied(node.operation, result.value, 0);
  }
  for (std::size_t at = 1; at < node.operands.size() && result.problem.empty(); ++at) {
    const Evaluated next = evaluated(*node.operands[at], values);
    if (!next.problem.empty()) return next;
    result = applied(node.operation, result.value, next.value);
  }
  return result;
}

template <class Visit>
void visit_nodes(const Node& node, const Visit& visit) {
  visit(node);
  for (const auto& operand : node.operands) visit_nodes(*operand, visit);
}

}  // namespace

Result<std::int64_t> Expression::evaluate(const IntegerValues& values) const {
  if (!root_) return std::int64_t{0};
  const Evaluated result = evaluated(*root_, values);
  if (result.problem.empty()) return result.value;
  return user_failure("cannot evaluate '" + text_ + "': " + result.problem);
}

std::optional<std::int64_t> Expression::value(const IntegerValues& values) const {
  if (!root_) return 0;
  const Evaluated result = evaluated(*root_, values);
  if (!result.problem.empty()) return std::nullopt;
  return result.value;
}

std::vector<std::string> Expression::names() const {
  std::set<std::string> names;
  if (root_) {
    visit_nodes(*root_, [&](const Node& node) {
      if (node.operation == Operation::name) names.insert(node.name);
    });
  }
  return {names.begin(), names.end()};
}

std::vector<std::int64_t> Expression::literals() const {
  std::vector<std::int64_t> literals;
  if (root_) {
    visit_nodes(*root_, [&](const Node& node) {
      if (node.operation == Operation::literal) literals.push_back(node.literal);
    });
  }
  return literals;
}

}  // namespace gate
