// `__shared__` declarations become references into the arena of the running block.
//   __shared__ float tile[32][33];   ->
//   typedef float tile__gate_shared[32][33]; static SharedSite …; tile__gate_shared& tile = …;
// The declarator is kept as it is, so every type that can be declared can be shared.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <string_view>

#include "gate/device/emu/translation.h"

namespace gate {

namespace {

struct Declarator {
  int name = -1;
  bool unsized = false;  // name[]
};

struct SharedDeclaration {
  int first = 0, last = 0;  // tokens [first, last): up to the semicolon
  bool is_extern = false;
  bool file_scope = false;
  std::vector<Declarator> declarators;
};

bool is_alignment(const Workpiece& piece, int index) {
  return piece.is(index, "alignas") || piece.is(index, "__align__") ||
         piece.is(index, "__attribute__");
}

int declaration_begin(const Workpiece& piece, int index) {
  int first = index;
  while (first > 0) {
    const int before = first - 1;
    if (piece.is(before, ")") && piece.at(before).partner > 0 &&
        is_alignment(piece, piece.at(before).partner - 1)) {
      first = piece.at(before).partner - 1;
    } else if (piece.is_word(before) && !piece.is(before, "else") && !piece.is(before, "do")) {
      first = before;
    } else {
      break;
    }
  }
  return first;
}

/// Index after a template argument list that begins at `index` with <.
int after_angles(const Workpiece& piece, int index) {
  int depth = 0;
  for (int i = index; i < piece.size(); ++i) {
    if (piece.at(i).partner > i) i = piece.at(i).partner;
    if (piece.is(i, "<")) ++depth;
    if (piece.is(i, ">") && --depth == 0) return i + 1;
    if (piece.is(i, ";")) return i;
  }
  return piece.size();
}

/// Names of the declarators in [first, last), which has one or more separated by commas.
std::vector<Declarator> declarators_of(const Workpiece& piece, int first, int last) {
  std::vector<Declarator> result;
  Declarator current;
  bool closed = false;  // the name's brackets or initialiser have begun
  for (int i = first; i < last; ++i) {
    const Token& token = piece.at(i);
    if (token.is(",")) {
      result.push_back(current);
      current = {};
      closed = false;
    } else if (is_alignment(piece, i)) {
      i = piece.at(i + 1).partner;
    } else if (token.is("<") && !closed) {
      i = after_angles(piece, i) - 1;
    } else if (token.is("(") && !closed && (piece.is(i + 1, "*") || piece.is(i + 1, "&"))) {
      for (int j = i + 1; j < token.partner; ++j) {
        if (piece.is_word(j)) current.name = j;
      }
      closed = true;
      i = token.partner;
    } else if (token.partner > i) {
      if (token.is("[")) {
        if (!closed) current.unsized = token.partner == i + 1;
        closed = true;
      }
      i = token.partner;
    } else if (token.is("=")) {
      closed = true;
    } else if (token.kind == TokenKind::word && !closed) {
      current.name = i;
    }
  }
  result.push_back(current);
  return result;
}

SharedDeclaration read_declaration(const Workpiece& piece, int index) {
  SharedDeclaration result;
  result.first = declaration_begin(piece, index);
  result.last = index;
  while (result.last < piece.size() && !piece.is(result.last, ";")) {
    const int partner = piece.at(result.last).partner;
    result.last = partner > result.last ? partner + 1 : result.last + 1;
  }
  for (int i = result.first; i < index + 3 && i < result.last; ++i) {
    result.is_extern = result.is_extern || piece.is(i, "extern");
  }
  result.file_scope = enclosing_function(piece, index) < 0;
  result.declarators = declarators_of(piece, result.first, result.last);
  return result;
}

/// Uses of a file-scope array: the name becomes a look-up, because its address varies.
void replace_uses(Workpiece& piece, int name, int from) {
  const std::string word(piece.at(name).text);
  for (int i = from; i < piece.size(); ++i) {
    if (!piece.is(i, word)) continue;
    const bool member =
        piece.is(i - 1, ".") || piece.is_pair(i - 2, '-', '>') || piece.is_pair(i - 2, ':', ':');
    if (member) continue;
    piece.replace(i, fmt::format("(::gate_emu::shared<{0}__gate_shared>({0}__gate_site))", word));
  }
}

void rewrite(Workpiece& piece, const SharedDeclaration& declaration) {
  std::string added;
  for (const Declarator& declarator : declaration.declarators) {
    if (declarator.name < 0) continue;
    const std::string name(piece.at(declarator.name).text);
    piece.replace(declarator.name, name + "__gate_shared");
    const std::string bytes =
        declarator.unsized ? "0" : fmt::format("sizeof({}__gate_shared)", name);
    added += fmt::format(
        " static ::gate_emu::SharedSite {0}__gate_site{{\"{0}\", {1}, {2}, "
        "alignof({0}__gate_shared), "
        "alignof(typename ::std::remove_all_extents<{0}__gate_shared>::type), 0, nullptr}};",
        name, piece.site(declarator.name), bytes);
    if (declaration.file_scope) {
      replace_uses(piece, declarator.name, declaration.last);
    } else {
      added += fmt::format(
          " {0}__gate_shared& {0} = ::gate_emu::shared<{0}__gate_shared>({0}__gate_site);", name);
    }
  }
  piece.insert_before(declaration.first, "typedef ");
  piece.insert_after(declaration.last, added);
  for (int i = declaration.first; i < declaration.last; ++i) {
    const bool storage = piece.is(i, "extern") || piece.is(i, "static") ||
                         piece.is(i, "__shared__") || piece.is(i, "inline");
    if (storage) piece.replace(i, "");
    if (piece.is(i, "alignas")) {
      const int open = i + 1, close = piece.at(open).partner;
      piece.replace(i, "__attribute__((aligned");
      piece.replace(open, "(::gate_emu::alignment<");
      piece.replace(close, ">())))");
    }
  }
}

}  // namespace

void translate_shared(Workpiece& piece) {
  for (int i = 0; i < piece.size(); ++i) {
    if (!piece.is(i, "__shared__")) continue;
    const SharedDeclaration declaration = read_declaration(piece, i);
    rewrite(piece, declaration);
    i = declaration.last;
  }
}

}  // namespace gate
