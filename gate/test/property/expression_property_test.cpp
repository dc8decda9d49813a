// Laws of integer expressions: what is printed from a tree is parsed back to the same function,
// judged by an evaluator of the test's own with 128-bit integers.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "gate/base/expression.h"

namespace gate {
namespace {

__extension__ using Wide = __int128;

struct Rule {
  const char* symbol;
  int strength;  // how tightly it binds; calls and leaves bind tightest
};
constexpr int strongest = 7;
constexpr std::array<Rule, 16> rules = {{{"or", 1},
                                         {"and", 2},
                                         {"not", 3},
                                         {"==", 4},
                                         {"!=", 4},
                                         {"<", 4},
                                         {"<=", 4},
                                         {">", 4},
                                         {">=", 4},
                                         {"+", 5},
                                         {"-", 5},
                                         {"*", 6},
                                         {"/", 6},
                                         {"%", 6},
                                         {"ceil_div", strongest},
                                         {"max", strongest}}};

struct Tree {
  int rule = -1;  // -1: literal, -2: name
  std::int64_t literal = 0;
  std::string name;
  std::vector<Tree> operands;

  std::string symbol() const { return rules[static_cast<std::size_t>(rule)].symbol; }
  int strength() const {
    return rule < 0 ? strongest : rules[static_cast<std::size_t>(rule)].strength;
  }
};

/// Reads a tree from random bytes, so that shorter byte strings are smaller trees.
Tree tree_from(const std::vector<std::uint8_t>& bytes, std::size_t& at, int depth) {
  const int byte = at < bytes.size() ? bytes[at++] : 0;
  if (depth == 0 || byte % 3 == 0 || at >= bytes.size()) {
    if (byte % 2 == 0) return {-1, byte % 37, {}, {}};
    return {-2, 0, byte % 4 == 1 ? "rows" : "x.stride(1)", {}};
  }
  Tree tree;
  tree.rule = bytes[at++] % static_cast<int>(rules.size());
  const int count = tree.symbol() == "not" ? 1 : 2;
  for (int operand = 0; operand < count; ++operand) {
    tree.operands.push_back(tree_from(bytes, at, depth - 1));
  }
  return tree;
}

Tree any_tree() {
  const auto bytes =
      *rc::gen::container<std::vector<std::uint8_t>>(60, rc::gen::arbitrary<std::uint8_t>());
  std::size_t at = 0;
  return tree_from(bytes, at, 5);
}

/// Text with the fewest parentheses the grammar allows, or with one pair around every operand.
std::string printed(const Tree& tree, bool fewest, const std::string& blank = " ") {
  if (tree.rule == -1) return std::to_string(tree.literal);
  if (tree.rule == -2) return tree.name;
  const auto operand = [&](std::size_t number, int strength_min) {
    const Tree& child = tree.operands[number];
    const std::string text = printed(child, fewest, blank);
    return fewest && child.strength() >= strength_min ? text : "(" + text + ")";
  };
  const std::string symbol = tree.symbol();
  const int strength = tree.strength();
  if (symbol == "not") return "not " + operand(0, strength);
  if (strength == strongest) {
    return symbol + "(" + operand(0, 0) + "," + blank + operand(1, 0) + ")";
  }
  const bool chains = strength != 4;  // comparisons do not
  return operand(0, chains ? strength : strength + 1) + blank + symbol + blank +
         operand(1, strength + 1);
}

std::optional<Wide> expected(const Tree& tree, const IntegerValues& values) {
  if (tree.rule == -1) return tree.literal;
  if (tree.rule == -2) return values.at(tree.name);
  const std::string symbol = tree.symbol();
  const auto left = expected(tree.operands[0], values);
  if (!left) return std::nullopt;
  if (symbol == "not") return *left == 0;
  if (symbol == "or" && *left != 0) return 1;
  if (symbol == "and" && *left == 0) return 0;
  const auto right = expected(tree.operands[1], values);
  if (!right) return std::nullopt;
  const Wide a = *left, b = *right;
  if (symbol == "or" || symbol == "and") return b != 0;
  if (symbol == "==") return a == b;
  if (symbol == "!=") return a != b;
  if (symbol == "<") return a < b;
  if (symbol == "<=") return a <= b;
  if (symbol == ">") return a > b;
  if (symbol == ">=") return a >= b;
  if (symbol == "max") return std::max(a, b);
  Wide result = 0;
  if (symbol == "+") result = a + b;
  if (symbol == "-") result = a - b;
  if (symbol == "*") result = a * b;
  if (symbol == "/" || symbol == "%" || symbol == "ceil_div") {
    if (b == 0) return std::nullopt;
    result = symbol == "%" ? a % b : a / b;
    if (symbol == "ceil_div" && result * b != a && (a > 0) == (b > 0)) ++result;
  }
  if (result > INT64_MAX || result < INT64_MIN) return std::nullopt;
  return result;
}

IntegerValues any_values() {
  const auto number =
      rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-40, 40), rc::gen::arbitrary<std::int64_t>());
  return {{"rows", *number}, {"x.stride(1)", *number}};
}

RC_GTEST_PROP(ExpressionLaws, ParsingUndoesPrinting, ()) {
  const Tree tree = any_tree();
  const IntegerValues values = any_values();
  const std::optional<Wide> wanted = expected(tree, values);
  for (const bool fewest : {true, false}) {
    const std::string text = printed(tree, fewest);
    const auto expression = Expression::parse(text);
    if (!expression) RC_FAIL(text + ": " + to_text(expression.failure()));
    const auto value = expression->value(values);
    RC_ASSERT(value.has_value() == wanted.has_value());
    if (wanted) RC_ASSERT(Wide{*value} == *wanted);
    RC_ASSERT(static_cast<bool>(expression->evaluate(values)) == value.has_value());
    RC_ASSERT(expression->text() == text);
  }
}

RC_GTEST_PROP(ExpressionLaws, BlanksMeanNothingBesideSymbols, ()) {
  Tree tree = any_tree();
  const IntegerValues values = any_values();
  const auto narrow = Expression::parse(printed(tree, false, " "));
  const auto wide = Expression::parse(printed(tree, false, " \t "));
  const auto none = Expression::parse(printed(tree, false, ""));
  RC_ASSERT(static_cast<bool>(narrow) && static_cast<bool>(wide) && static_cast<bool>(none));
  RC_ASSERT(narrow->value(values) == wide->value(values));
  RC_ASSERT(narrow->value(values) == none->value(values));
}

void collect(const Tree& tree, std::set<std::string>& names, std::vector<std::int64_t>& literals) {
  if (tree.rule == -1) literals.push_back(tree.literal);
  if (tree.rule == -2) names.insert(tree.name);
  for (const Tree& operand : tree.operands) collect(operand, names, literals);
}

RC_GTEST_PROP(ExpressionLaws, NamesAndLiteralsAreThoseOfTheTree, ()) {
  const Tree tree = any_tree();
  std::set<std::string> names;
  std::vector<std::int64_t> literals;
  collect(tree, names, literals);
  const auto expression = Expression::parse(printed(tree, true));
  RC_ASSERT(static_cast<bool>(expression));
  RC_ASSERT(expression->names() == std::vector<std::string>(names.begin(), names.end()));
  RC_ASSERT(expression->literals() == literals);
}

RC_GTEST_PROP(ExpressionLaws, AnyTextIsReadOrRefusedWithAPlaceInside, ()) {
  const auto text = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("ab1 +-*/%()<>=!.,notrd\n\"\xff")));
  const auto expression = Expression::parse(text);
  if (expression) {
    RC_ASSERT(expression->text() == text);
  } else {
    const Problem& problem = expression.failure().problems.at(0);
    RC_ASSERT(!problem.text.empty());
    RC_ASSERT(problem.place.column >= 1);
    RC_ASSERT(problem.place.column <= static_cast<int>(text.size()) + 1);
  }
}

}  // namespace
}  // namespace gate
