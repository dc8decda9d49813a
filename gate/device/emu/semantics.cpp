// Marks in device code where C++ leaves undefined what the hardware defines: shifts by the width
// or more, floating point to unsigned or 64-bit integers. include/gate_emu/semantics.h says how
// they work. A source that does not compile with them is compiled without.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <string_view>

#include "gate/device/emu/translation.h"

namespace gate {

namespace {

/// Types written in casts whose conversion the assembler pass cannot know (see assembly.h).
constexpr std::array<std::string_view, 17> cast_types = {"unsigned",
                                                         "unsigned int",
                                                         "unsigned char",
                                                         "unsigned short",
                                                         "unsigned long",
                                                         "unsigned long long",
                                                         "uint8_t",
                                                         "uint16_t",
                                                         "uint32_t",
                                                         "uint64_t",
                                                         "size_t",
                                                         "long long",
                                                         "int64_t",
                                                         "uint",
                                                         "uchar",
                                                         "long",
                                                         "unsigned long long int"};

std::string type_between(const Workpiece& piece, int first, int last) {
  std::string type;
  for (int i = first; i < last; ++i) {
    if (piece.is(i, "std") || piece.is(i, ":")) continue;
    if (!piece.is_word(i)) return {};
    if (!type.empty()) type += ' ';
    type += piece.at(i).text;
  }
  const bool known = std::find(cast_types.begin(), cast_types.end(), type) != cast_types.end();
  return known ? type : std::string();
}

/// What may stand before a cast: an operator, an opening bracket, a keyword.
bool may_precede_cast(const Workpiece& piece, int index) {
  if (piece.is_word(index)) return piece.is(index, "return") || piece.is(index, "case");
  const Token& token = piece.at(index);
  return token.kind == TokenKind::mark && !token.is(")") && !token.is("]") && !token.is("}") &&
         !token.is(">");
}

bool may_be_operand(const Workpiece& piece, int index) {
  const Token& token = piece.at(index);
  return token.kind != TokenKind::mark || token.is("(") || token.is("-") || token.is("+") ||
         token.is("*") || token.is("~");
}

void mark_cast(Workpiece& piece, int open) {
  const int close = piece.at(open).partner;
  if (close < 0 || close - open > 5 || !may_precede_cast(piece, open - 1)) return;
  const std::string type = type_between(piece, open + 1, close);
  if (type.empty() || !may_be_operand(piece, close + 1)) return;
  piece.replace(open, "::gate_emu::To<");
  piece.replace(close, ">()->*");
}

void mark_static_cast(Workpiece& piece, int index) {
  int close = index + 2;
  while (close < index + 8 && !piece.is(close, ">")) ++close;
  if (!piece.is(close, ">") || !piece.is(close + 1, "(")) return;
  if (type_between(piece, index + 2, close).empty()) return;
  piece.replace(index, "::gate_emu::cast");
}

/// True if a < opens before `index` in the same brackets and statement: >> may close templates.
bool angle_before(const Workpiece& piece, int index) {
  for (int i = index - 1; i >= 0; --i) {
    const Token& token = piece.at(i);
    if (token.partner >= 0 && token.partner < i) {
      i = token.partner;
    } else if (token.partner > i || token.is(";") || token.is("{") || token.is("}")) {
      return false;
    } else if (token.is("<")) {
      if (!piece.is_pair(i - 1, '<', '<')) return true;
      --i;
    }
  }
  return false;
}

void mark_shift(Workpiece& piece, int index, bool left) {
  const std::string sign = left ? "<<" : ">>";
  if (piece.is_pair(index + 1, sign[0], '=')) {
    piece.replace(index, sign + "= ::gate_emu::shift_by =");
    piece.erase(index + 1, index + 3);
  } else {
    piece.replace(index, sign + " ::gate_emu::shift " + sign);
    piece.erase(index + 1, index + 2);
  }
}

void mark_body(Workpiece& piece, int first, int last) {
  for (int i = first; i < last; ++i) {
    if (piece.is(i, "(")) {
      mark_cast(piece, i);
    } else if (piece.is(i, "static_cast") && piece.is(i + 1, "<")) {
      mark_static_cast(piece, i);
    } else if (piece.is_pair(i, '<', '<') && !piece.is_pair(i + 1, '<', '<')) {
      mark_shift(piece, i, true);
      ++i;
    } else if (piece.is_pair(i, '>', '>') && !piece.is_pair(i + 1, '>', '>') &&
               !angle_before(piece, i)) {
      mark_shift(piece, i, false);
      ++i;
    }
  }
}

}  // namespace

bool translate_semantics(Workpiece& piece) {
  const std::size_t before = piece.edits.size();
  int done = 0;  // bodies do not nest but in lambdas
  for (const KernelDeclaration& function : find_device_functions(piece)) {
    if (function.body < done) continue;
    const int end = piece.at(function.body).partner;
    mark_body(piece, function.body + 1, end);
    done = end;
  }
  return piece.edits.size() != before;
}

}  // namespace gate
