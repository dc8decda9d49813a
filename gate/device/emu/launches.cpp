// kernel<<<grid, block, shared, stream>>>(arguments) becomes
// ::gate_emu::launcher([&](auto&... a) { kernel(a...); }).configure(grid, …)(arguments):
// template kernels keep their deduction, because the call inside is an ordinary one.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/device/emu/translation.h"

namespace gate {

namespace {

bool is_triple(const Workpiece& piece, int index, char mark) {
  return piece.is_pair(index, mark, mark) && piece.is_pair(index + 1, mark, mark);
}

/// The < that closes a template argument list ending at `index` with >.
int opening_angle(const Workpiece& piece, int index) {
  int depth = 0;
  for (int i = index; i >= 0; --i) {
    const Token& token = piece.at(i);
    if (token.partner >= 0 && token.partner < i) {
      i = token.partner;
    } else if (token.is(">")) {
      ++depth;
    } else if (token.is("<") && --depth == 0) {
      return i;
    }
  }
  return index;
}

/// First token of the kernel expression that ends before `end`.
int expression_begin(const Workpiece& piece, int end) {
  int i = end - 1;
  for (;;) {
    if (piece.is(i, ">")) i = opening_angle(piece, i) - 1;
    const Token& token = piece.at(i);
    if ((token.is(")") || token.is("]")) && token.partner >= 0) {
      i = token.partner;
      if (token.is(")") && !piece.is_word(i - 1)) return i;
      if (token.is(")") || piece.is_word(i - 1)) --i;
    }
    if (piece.is(i - 1, ".")) {
      i -= 2;
    } else if (piece.is_pair(i - 2, '-', '>')) {
      i -= 3;
    } else if (piece.is_pair(i - 2, ':', ':')) {
      if (!piece.is_word(i - 3) && !piece.is(i - 3, ">")) return i - 2;
      const bool statement = piece.is(i - 3, "return") || piece.is(i - 3, "else");
      if (statement) return i - 2;
      i -= 3;
    } else {
      return i;
    }
  }
}

int closing_triple(const Workpiece& piece, int index) {
  for (int i = index; i < piece.size(); ++i) {
    if (piece.at(i).partner > i) i = piece.at(i).partner;
    if (is_triple(piece, i, '>')) {
      // `sizeof(X<Y<int>>)>>>` ends in brackets; a bare C<D<3>>>>> keeps its last three.
      while (piece.is_pair(i + 2, '>', '>')) ++i;
      return i;
    }
    if (piece.is(i, ";")) return -1;
  }
  return -1;
}

}  // namespace

void translate_launches(Workpiece& piece) {
  for (int i = 1; i + 2 < piece.size(); ++i) {
    if (!is_triple(piece, i, '<')) continue;
    const int close = closing_triple(piece, i + 3);
    if (close < 0 || !piece.is(close + 3, "(")) continue;
    const int begin = expression_begin(piece, i);
    piece.insert_before(begin, "::gate_emu::launcher([&](auto&... gate_arguments) { ");
    piece.replace(i, "(gate_arguments...); }).configure(");
    piece.erase(i + 1, i + 3);
    piece.replace(close, ")");
    piece.erase(close + 1, close + 3);
    i += 2;
  }
}

}  // namespace gate
