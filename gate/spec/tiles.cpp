// Patterns over tokens that betray a tile size.
// SPDX-License-Identifier: Apache-2.0
#include "gate/spec/tiles.h"

#include <fmt/format.h>

#include <algorithm>

#include "gate/base/expression.h"
#include "gate/spec/source_tokens.h"

namespace gate {
namespace {

constexpr std::size_t expression_tokens_max = 32;

class Miner {
 public:
  Miner(std::string_view source, bool python) : tokens_(source_tokens(source, python)) {
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (python) {
        python_constant(i);
      } else {
        macro(i);
        constant(i);
        extents(i);
        launch(i);
      }
      template_arguments(i);
      index_arithmetic(i);
    }
  }

  std::vector<MinedTile> take() {
    drop_roundings();
    std::stable_sort(tiles_.begin(), tiles_.end(),
                     [](const MinedTile& a, const MinedTile& b) { return a.value < b.value; });
    return std::move(tiles_);
  }

 private:
  /// (n + 31) / 32 shows 31 and 32; only 32 is a tile.
  void drop_roundings() {
    const std::vector<MinedTile> all = tiles_;
    std::erase_if(tiles_, [&](const MinedTile& tile) {
      const std::int64_t next = tile.value + 1;
      const bool power = (next & tile.value) == 0;
      return power && std::any_of(all.begin(), all.end(),
                                  [&](const MinedTile& other) { return other.value == next; });
    });
  }

  bool is(std::size_t i, std::string_view text) const {
    return i < tokens_.size() && tokens_[i].text == text;
  }
  bool is_name(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].what == SourceToken::What::name;
  }
  bool is_integer(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].what == SourceToken::What::integer;
  }

  void add(std::int64_t value, int line, std::string text) {
    if (value < tile_min || value > tile_max) return;
    for (const MinedTile& tile : tiles_) {
      if (tile.value == value) return;
    }
    tiles_.push_back(MinedTile{value, line, std::move(text)});
  }

  void add_literal(std::size_t i, const std::string& text) {
    if (!is_integer(i)) return;
    if (const auto value = integer_value(tokens_[i].text)) add(*value, tokens_[i].line, text);
  }

  /// Value of the tokens [begin, end) over constants seen so far; else their literals one by one.
  void add_expression(std::size_t begin, std::size_t end, const std::string& name) {
    std::string text;
    for (std::size_t i = begin; i < end; ++i) {
      const auto literal = is_integer(i) ? integer_value(tokens_[i].text) : std::nullopt;
      text += (literal ? std::to_string(*literal) : std::string(tokens_[i].text)) + " ";
    }
    const auto expression = Expression::parse(text);
    const auto value = expression ? expression->value(constants_) : std::nullopt;
    if (value) {
      constants_[name] = *value;
      add(*value, tokens_[begin].line, fmt::format("{} = {}", name, *value));
      return;
    }
    for (std::size_t i = begin; i < end; ++i) {
      add_literal(i, fmt::format("{} in {}", tokens_[i].text, name));
    }
  }

  /// #define NAME value
  void macro(std::size_t i) {
    if (!is(i, "#") || !is(i + 1, "define") || !is_name(i + 2)) return;
    const int line = tokens_[i].line;
    std::size_t end = i + 3;
    while (end < tokens_.size() && tokens_[end].line == line) ++end;
    if (end > i + 3 && end - i < expression_tokens_max) {
      add_expression(i + 3, end, std::string(tokens_[i + 2].text));
    }
  }

  /// The end of an initialiser that begins at `i`: a separator outside of brackets.
  std::size_t initialiser_end(std::size_t i) const {
    int depth = 0;
    std::size_t end = i;
    for (; end < tokens_.size() && end < i + expression_tokens_max; ++end) {
      const std::string_view text = tokens_[end].text;
      if (text == "(") ++depth;
      if (text == ")" && depth-- == 0) break;
      if (text == ";" || text == "}" || text == ">") break;
      if (text == "," && depth == 0) break;
    }
    return end;
  }

  /// NAME = value after const, constexpr, enum or template <.
  void constant(std::size_t i) {
    if (!is_name(i) || !is(i + 1, "=") || is(i + 2, "=")) return;
    constexpr std::size_t reach = 8;  // tokens between the keyword and the name
    for (std::size_t back = 1; back <= std::min(i, reach); ++back) {
      const std::string_view text = tokens_[i - back].text;
      if (text == ";" || text == "(" || text == ")") return;
      if (text == "const" || text == "constexpr" || text == "enum" || text == "template") {
        const std::size_t end = initialiser_end(i + 2);
        if (end > i + 2) add_expression(i + 2, end, std::string(tokens_[i].text));
        return;
      }
    }
  }

  /// __shared__ T name[32][33]
  void extents(std::size_t i) {
    if (!is(i, "__shared__")) return;
    for (std::size_t j = i; j < tokens_.size() && j < i + expression_tokens_max; ++j) {
      if (is(j, ";")) return;
      if (is(j, "[") && is(j + 2, "]")) add_literal(j + 1, "shared memory extent");
    }
  }

  /// dim3 block(32, 8) and <<<grid, 256>>>
  void launch(std::size_t i) {
    const bool dimensions = is(i, "dim3");
    const bool chevrons = is(i, "<") && is(i + 1, "<") && is(i + 2, "<");
    if (!dimensions && !chevrons) return;
    const std::string_view stop = dimensions ? ")" : ">";
    for (std::size_t j = i; j < tokens_.size() && j < i + expression_tokens_max; ++j) {
      if (is(j, stop) || is(j, ";")) return;
      add_literal(j, dimensions ? "dim3" : "launch");
    }
  }

  /// name<float, 128>: only names, integers, commas, colons and stars up to the bracket.
  void template_arguments(std::size_t i) {
    if (!is_name(i) || !is(i + 1, "<") || is(i + 2, "<")) return;
    std::size_t end = i + 2;
    for (; end < tokens_.size() && end < i + expression_tokens_max && !is(end, ">"); ++end) {
      const std::string_view text = tokens_[end].text;
      if (tokens_[end].what == SourceToken::What::sign && text != "," && text != ":" &&
          text != "*") {
        return;
      }
    }
    if (!is(end, ">")) return;
    for (std::size_t j = i + 2; j < end; ++j) {
      add_literal(j, fmt::format("{}<{}>", tokens_[i].text, tokens_[j].text));
    }
  }

  /// x / 128, x % 128, x += 128; x * 128 unless it looks like a byte size or a count
  void index_arithmetic(std::size_t i) {
    if (!is_integer(i + 1)) return;
    const bool step = is(i, "=") && i > 0 && is(i - 1, "+");
    constexpr std::int64_t factor_min = 16;
    const bool factor = is(i, "*") && integer_value(tokens_[i + 1].text).value_or(0) >= factor_min;
    if (is(i, "/") || is(i, "%") || factor || step) {
      add_literal(i + 1,
                  fmt::format("{}{} {}", step ? "+" : "", tokens_[i].text, tokens_[i + 1].text));
    }
  }

  /// BLOCK = 128, BLOCK: tl.constexpr = 128
  void python_constant(std::size_t i) {
    if (!is_name(i) || tokens_[i].text.empty()) return;
    std::size_t equals = i + 1;
    if (is(i + 1, ":") && is_name(i + 2)) {
      equals = i + 3;
      while (is(equals, ".") && is_name(equals + 1)) equals += 2;
    }
    const char first = tokens_[i].text[0];
    const bool capital = first >= 'A' && first <= 'Z';
    if ((!capital && equals == i + 1) || !is(equals, "=") || !is_integer(equals + 1)) return;
    add_literal(equals + 1, fmt::format("{} = {}", tokens_[i].text, tokens_[equals + 1].text));
  }

  std::vector<SourceToken> tokens_;
  IntegerValues constants_;
  std::vector<MinedTile> tiles_;
};

/// Python has "def" and "import" lines, C++ has neither at the start of a line.
bool looks_like_python(std::string_view source) {
  for (std::size_t at = 0; at < source.size();) {
    const std::string_view rest = source.substr(at);
    if (rest.starts_with("def ") || rest.starts_with("import ") || rest.starts_with("from ") ||
        rest.starts_with("class ModelNew") || rest.starts_with("@triton")) {
      return true;
    }
    const std::size_t end = source.find('\n', at);
    if (end == std::string_view::npos) return false;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::vector<MinedTile> mine_tiles(std::string_view source) {
  if (looks_like_ptx(source)) return mine_ptx_tiles(source);
  return Miner(source, looks_like_python(source)).take();
}

}  // namespace gate
