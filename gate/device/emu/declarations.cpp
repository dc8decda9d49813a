// Finding functions in the token list: kernels with their parameters, and host functions.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "gate/device/emu/translation.h"

namespace gate {

namespace {

/// What a { opens, seen from the tokens before it.
struct Opened {
  enum class What { name_space, c_linkage, other } what = What::other;
  std::string name;
};

Opened opened_by(const Workpiece& piece, int brace) {
  if (brace >= 2 && piece.at(brace - 1).kind == TokenKind::text && piece.is(brace - 2, "extern")) {
    return {Opened::What::c_linkage, {}};
  }
  std::string name;
  for (int i = brace - 1; i >= 0 && i > brace - 16; --i) {
    if (piece.is(i, "namespace")) return {Opened::What::name_space, name};
    if (!piece.is_word(i) && !piece.is(i, ":")) break;
    name = std::string(piece.at(i).text) + name;
  }
  return {};
}

/// The next enclosing { outwards of a token, -1 at the top.
int enclosing_brace(const Workpiece& piece, int index) {
  for (int i = index - 1; i >= 0; --i) {
    const Token& token = piece.at(i);
    if (token.is("}") && token.partner >= 0) {
      i = token.partner;
    } else if (token.is("{")) {
      return i;
    }
  }
  return -1;
}

std::string qualifier(const Workpiece& piece, int index) {
  std::string result;
  for (int brace = enclosing_brace(piece, index); brace >= 0;
       brace = enclosing_brace(piece, brace)) {
    const Opened opened = opened_by(piece, brace);
    if (opened.what == Opened::What::name_space && !opened.name.empty()) {
      result = opened.name + "::" + result;
    }
  }
  return result;
}

bool in_c_linkage(const Workpiece& piece, int index) {
  for (int brace = enclosing_brace(piece, index); brace >= 0;
       brace = enclosing_brace(piece, brace)) {
    if (opened_by(piece, brace).what == Opened::What::c_linkage) return true;
  }
  return false;
}

constexpr std::array<std::string_view, 10> attribute_words = {
    "__launch_bounds__", "__attribute__",  "__align__", "alignas",  "__maxnreg__",
    "__cluster_dims__",  "__block_size__", "decltype",  "noexcept", "__declspec"};

bool is_attribute(std::string_view word) {
  return std::find(attribute_words.begin(), attribute_words.end(), word) != attribute_words.end();
}

/// First top-level argument of the parenthesis at `open`.
std::string first_argument(const Workpiece& piece, int open) {
  const int close = piece.at(open).partner;
  int end = open + 1;
  for (int angle = 0; end < close; ++end) {
    const Token& token = piece.at(end);
    if (token.partner > end) end = token.partner;
    if (token.is("<")) ++angle;
    if (token.is(">")) --angle;
    if (token.is(",") && angle <= 0) break;
  }
  return piece.text_between(open + 1, end);
}

int declaration_begin(const Workpiece& piece, int index) {
  int begin = index;
  for (; begin > 0; --begin) {
    const Token& before = piece.at(begin - 1);
    if (before.is(";") || before.is("}") || before.is("{")) break;
  }
  return begin;
}

/// One parameter's tokens without name, default value and __grid_constant__.
std::string parameter_type(const Workpiece& piece, int first, int last) {
  int end = first;
  for (; end < last && !piece.is(end, "="); ++end) {
    if (piece.at(end).partner > end) end = piece.at(end).partner;
  }
  end = std::min(end, last);
  std::string suffix;
  while (end - 1 > first && piece.is(end - 1, "]")) {
    suffix = "*";  // an array parameter is a pointer
    end = piece.at(end - 1).partner;
  }
  static const std::set<std::string_view> not_names = {
      "int",  "float",  "double", "char",  "short", "long",         "unsigned",
      "bool", "signed", "size_t", "const", "half",  "__restrict__", "auto"};
  if (end - first >= 2 && piece.is_word(end - 1) && !not_names.contains(piece.at(end - 1).text) &&
      !piece.is(end - 2, ":")) {
    --end;
  }
  std::string text;
  for (int i = first; i < end; ++i) {
    const std::string_view word = piece.at(i).text;
    if (word == "__restrict__" || word == "__grid_constant__" || word == "__restrict") continue;
    if (!text.empty() && !(piece.is(i, ":") || piece.is(i - 1, ":"))) text += ' ';
    text += word;
  }
  return text + suffix;
}

std::vector<std::string> parameter_types(const Workpiece& piece, int open) {
  std::vector<std::string> types;
  const int close = piece.at(open).partner;
  int first = open + 1;
  int angle = 0;
  for (int i = open + 1; i <= close; ++i) {
    const Token& token = piece.at(i);
    if (i < close && token.partner > i) {
      i = token.partner;
      continue;
    }
    if (token.is("<")) ++angle;
    if (token.is(">") && !piece.is_pair(i - 1, '-', '>')) --angle;
    if ((token.is(",") && angle == 0) || i == close) {
      const std::string type = parameter_type(piece, first, i);
      if (!type.empty() && type != "void") types.push_back(type);
      first = i + 1;
    }
  }
  return types;
}

/// Fills name, parameters and body of the function whose specifiers contain token `from`.
bool read_function(const Workpiece& piece, int from, KernelDeclaration& kernel) {
  for (int i = from; i < piece.size(); ++i) {
    const Token& token = piece.at(i);
    if (token.is(";") || token.is("{") || token.is("}")) return false;
    if (!token.is("(") || token.partner < 0) continue;
    if (piece.is_word(i - 1) && is_attribute(piece.at(i - 1).text)) {
      if (piece.is(i - 1, "__launch_bounds__")) kernel.bounds = first_argument(piece, i);
      i = token.partner;
      continue;
    }
    int name = i - 1;
    if (piece.is(name, ">")) {  // a specialisation: k<float>(…)
      while (name > from && !piece.is(name, "<")) --name;
      --name;
    }
    if (!piece.is_word(name)) return false;
    kernel.token = name;
    kernel.name = qualifier(piece, name) + std::string(piece.at(name).text);
    kernel.parameter_types = parameter_types(piece, i);
    int after = token.partner + 1;
    while (after < piece.size() && !piece.is(after, "{") && !piece.is(after, ";")) {
      if (piece.is(after, "__launch_bounds__")) kernel.bounds = first_argument(piece, after + 1);
      ++after;
    }
    kernel.is_definition = piece.is(after, "{");
    kernel.body = kernel.is_definition ? after : -1;
    return true;
  }
  return false;
}

}  // namespace

int enclosing_function(const Workpiece& piece, int index) {
  int outermost = -1;
  for (int brace = enclosing_brace(piece, index); brace >= 0;
       brace = enclosing_brace(piece, brace)) {
    if (opened_by(piece, brace).what == Opened::What::other) outermost = brace;
  }
  return outermost;
}

std::vector<KernelDeclaration> find_kernels(const Workpiece& piece) {
  std::vector<KernelDeclaration> kernels;
  for (int i = 0; i < piece.size(); ++i) {
    if (!piece.is(i, "__global__")) continue;
    KernelDeclaration kernel;
    const int begin = declaration_begin(piece, i);
    kernel.is_template = piece.is(begin, "template");
    for (int j = begin; j < i; ++j) {
      if (piece.is(j, "__launch_bounds__")) kernel.bounds = first_argument(piece, j + 1);
    }
    if (read_function(piece, i + 1, kernel)) kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::vector<KernelDeclaration> find_device_functions(const Workpiece& piece) {
  std::vector<KernelDeclaration> functions;
  for (int i = 0; i < piece.size(); ++i) {
    if (!piece.is(i, "__global__") && !piece.is(i, "__device__")) continue;
    KernelDeclaration function;
    if (read_function(piece, i + 1, function) && function.is_definition) {
      functions.push_back(std::move(function));
    }
  }
  return functions;
}

std::vector<HostFunction> find_host_functions(const Workpiece& piece) {
  std::vector<HostFunction> functions;
  for (int i = 1; i + 1 < piece.size(); ++i) {
    if (!piece.is(i, "(") || piece.at(i).partner < 0 || !piece.is_word(i - 1)) continue;
    const int after = piece.at(i).partner + 1;
    const bool defined = piece.is(after, "{") || piece.is(after, "noexcept");
    if (!defined || enclosing_function(piece, i) >= 0) continue;
    HostFunction function;
    function.name = qualifier(piece, i) + std::string(piece.at(i - 1).text);
    const int begin = declaration_begin(piece, i - 1);
    function.c_linkage = in_c_linkage(piece, i) ||
                         (piece.is(begin, "extern") && piece.at(begin + 1).kind == TokenKind::text);
    functions.push_back(std::move(function));
  }
  return functions;
}

}  // namespace gate
