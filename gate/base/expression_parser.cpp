// Recursive descent over the grammar of expression.h, with a bound on size and depth: expressions
// come from files that a pull request brings.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>

#include "gate/base/expression_node.h"
#include "gate/base/text.h"

namespace gate {

namespace {

using Node = Expression::Node;
using Tree = std::shared_ptr<const Node>;

constexpr int nodes_max = 1000;
constexpr int depth_max = 100;

struct Function {
  std::string_view name;
  Operation operation;
  std::size_t operands_min, operands_max;
};
constexpr std::array<Function, 4> functions = {{
    {"ceil_div", Operation::ceil_div, 2, 2},
    {"min", Operation::min, 2, 8},
    {"max", Operation::max, 2, 8},
    {"next_pow2", Operation::next_pow2, 1, 1},
}};

struct Symbol {
  std::string_view text;
  Operation operation;
};
// Longer symbols first: "<=" must not read as "<".
constexpr std::array<Symbol, 6> comparisons = {{{"==", Operation::equal},
                                                {"!=", Operation::not_equal},
                                                {"<=", Operation::less_equal},
                                                {">=", Operation::greater_equal},
                                                {"<", Operation::less},
                                                {">", Operation::greater}}};
constexpr std::array<Symbol, 2> sums = {{{"+", Operation::add}, {"-", Operation::subtract}}};
constexpr std::array<Symbol, 3> products = {
    {{"*", Operation::multiply}, {"/", Operation::divide}, {"%", Operation::remainder}}};

bool is_digit(char letter) { return letter >= '0' && letter <= '9'; }
bool is_letter(char letter) {
  return letter == '_' || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
}

/// Every function returns null after a problem; the first problem is kept.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Tree whole() {
    Tree tree = disjunction();
    skip_blanks();
    if (tree && at_ < text_.size()) return fail("unexpected '" + std::string(1, text_[at_]) + "'");
    return tree;
  }
  Failure failure() const {
    return user_failure(problem_, hint_, {{}, 1, static_cast<int>(problem_at_) + 1});
  }

 private:
  Tree fail(std::string problem, std::string hint = {}) {
    if (problem_.empty()) {
      problem_ = std::move(problem);
      hint_ = std::move(hint);
      problem_at_ = at_;
    }
    return nullptr;
  }

  void skip_blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(std::string_view symbol) {
    skip_blanks();
    if (!text_.substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }
  std::string_view next_word() {
    skip_blanks();
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end]))) ++end;
    return text_.substr(at_, end - at_);
  }
  bool take_word(std::string_view word) {
    if (next_word() != word) return false;
    at_ += word.size();
    return true;
  }

  Tree make(Operation operation, std::vector<Tree> operands) {
    for (const Tree& operand : operands) {
      if (!operand) return nullptr;
    }
    if (++nodes_ > nodes_max) return fail("expression is too long");
    return std::make_shared<const Node>(Node{operation, 0, {}, std::move(operands)});
  }

  Tree disjunction() {
    if (++depth_ > depth_max) return fail("expression is nested too deeply");
    Tree left = conjunction();
    while (left && take_word("or")) left = make(Operation::logical_or, {left, conjunction()});
    --depth_;
    return left;
  }
  Tree conjunction() {
    Tree left = negation();
    while (left && take_word("and")) left = make(Operation::logical_and, {left, negation()});
    return left;
  }
  Tree negation() {
    int count = 0;
    while (take_word("not")) ++count;
    Tree tree = comparison();
    for (; tree && count > 0; --count) tree = make(Operation::logical_not, {tree});
    return tree;
  }

  /// left (symbol operand)*, left associative.
  template <std::size_t N>
  Tree chain(const std::array<Symbol, N>& symbols, Tree (Parser::*operand)()) {
    Tree left = (this->*operand)();
    while (left) {
      const Symbol* found = nullptr;
      for (const Symbol& symbol : symbols) {
        if (found == nullptr && take(symbol.text)) found = &symbol;
      }
      if (found == nullptr) break;
      left = make(found->operation, {left, (this->*operand)()});
    }
    return left;
  }
  Tree comparison() {
    Tree left = sum();
    int count = 0;
    for (bool more = true; left && more;) {
      more = false;
      for (const Symbol& symbol : comparisons) {
        if (!take(symbol.text)) continue;
        if (++count > 1) {
          at_ -= symbol.text.size();
          return fail("comparisons cannot be chained", "write a < b and b < c");
        }
        left = make(symbol.operation, {left, sum()});
        more = true;
        break;
      }
    }
    return left;
  }
  Tree sum() { return chain(sums, &Parser::product); }
  Tree product() { return chain(products, &Parser::unary); }
  Tree unary() {
    int count = 0;
    while (take("-")) ++count;
    Tree tree = primary();
    for (; tree && count > 0; --count) tree = make(Operation::negate, {tree});
    return tree;
  }

  Tree primary() {
    skip_blanks();
    if (at_ == text_.size()) return fail("expression ends where a value is expected");
    if (take("(")) {
      Tree inner = disjunction();
      if (inner && !take(")")) return fail("expected ')'");
      return inner;
    }
    if (is_digit(text_[at_])) return integer();
    if (is_letter(text_[at_])) return name_or_call();
    return fail("unexpected '" + std::string(1, text_[at_]) + "'");
  }

  std::optional<std::int64_t> digits() {
    skip_blanks();
    const std::string_view word = next_word();
    const auto number = word.empty() ? std::nullopt : parse_integer(word);
    if (!number) {
      fail("not a 64-bit decimal integer: " + std::string(word));
      return std::nullopt;
    }
    at_ += word.size();
    return number;
  }
  Tree integer() {
    const auto number = digits();
    if (!number) return nullptr;
    if (++nodes_ > nodes_max) return fail("expression is too long");
    return std::make_shared<const Node>(Node{Operation::literal, *number, {}, {}});
  }

  Tree name_or_call() {
    const std::size_t start = at_;
    std::string name(next_word());
    if (name == "or" || name == "and" || name == "not") return fail("unexpected '" + name + "'");
    at_ += name.size();
    bool dotted = false;
    while (at_ + 1 < text_.size() && text_[at_] == '.' && is_letter(text_[at_ + 1])) {
      ++at_;
      const std::string_view part = next_word();
      name += "." + std::string(part);
      at_ += part.size();
      dotted = true;
    }
    const bool called = take("(");
    if (called && !dotted) return call(name, start);
    if (called) {
      const auto index = digits();
      if (!index) return nullptr;
      if (!take(")")) return fail("expected ')'");
      name += "(" + std::to_string(*index) + ")";
    }
    if (++nodes_ > nodes_max) return fail("expression is too long");
    return std::make_shared<const Node>(Node{Operation::name, 0, std::move(name), {}});
  }

  Tree call(const std::string& name, std::size_t start) {
    std::vector<Tree> operands;
    do {
      operands.push_back(disjunction());
      if (!operands.back()) return nullptr;
    } while (take(","));
    if (!take(")")) return fail("expected ',' or ')'");
    std::vector<std::string> known;
    for (const Function& function : functions) {
      known.emplace_back(function.name);
      if (function.name != name) continue;
      if (operands.size() >= function.operands_min && operands.size() <= function.operands_max) {
        return make(function.operation, std::move(operands));
      }
      at_ = start;
      return fail("wrong number of arguments: " + name);
    }
    at_ = start;
    const auto close = nearest(name, known);
    return fail("unknown function: " + name,
                close ? "did you mean " + *close + "?" : "known: " + join(known, ", "));
  }

  std::string_view text_;
  std::size_t at_ = 0, problem_at_ = 0;
  int nodes_ = 0, depth_ = 0;
  std::string problem_, hint_;
};

}  // namespace

Result<Expression> Expression::parse(const std::string& text) {
  Parser parser(text);
  Tree root = parser.whole();
  if (!root) return parser.failure();
  Expression expression;
  expression.text_ = text;
  expression.root_ = std::move(root);
  return expression;
}

}  // namespace gate
