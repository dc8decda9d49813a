// The translator's frame: passes over one token list, edits applied at the end.
// SPDX-License-Identifier: Apache-2.0
#include "gate/device/emu/translation.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace gate {

bool Workpiece::is_pair(int index, char first, char second) const {
  if (index < 0 || index + 1 >= size()) return false;
  const Token& a = at(index);
  const Token& b = at(index + 1);
  return a.text[0] == first && b.text[0] == second && a.end() == b.begin &&
         a.kind == TokenKind::mark && b.kind == TokenKind::mark;
}

std::string Workpiece::text_between(int first, int last) const {
  if (first >= last) return {};
  std::string text;
  for (int i = first; i < last; ++i) {
    if (!text.empty()) text += ' ';
    text += at(i).text;
    // Marks that touched must go on touching: -> :: >= and the like.
    while (i + 1 < last && at(i).kind == TokenKind::mark && at(i + 1).kind == TokenKind::mark &&
           at(i).end() == at(i + 1).begin) {
      text += at(++i).text;
    }
  }
  return text;
}

std::string Workpiece::place(int index) const {
  const std::string& file = list.files[static_cast<std::size_t>(at(index).file)];
  return fmt::format("{}:{}", std::filesystem::path(file).filename().string(), at(index).line);
}

std::string Workpiece::site(int index) const {
  const std::string& file = list.files[static_cast<std::size_t>(at(index).file)];
  return fmt::format("{{\"{}\", {}}}", file, at(index).line);
}

void Workpiece::replace(int index, std::string text) {
  edits.push_back({at(index).begin, at(index).end(), std::move(text)});
}

void Workpiece::insert_before(int index, std::string text) {
  edits.push_back({at(index).begin, at(index).begin, std::move(text)});
}

void Workpiece::insert_after(int index, std::string text) {
  edits.push_back({at(index).end(), at(index).end(), std::move(text)});
}

void Workpiece::erase(int first, int last) {
  for (int i = first; i < last; ++i) replace(i, "");
}

namespace {

std::string apply(const std::string& source, std::vector<Edit> edits) {
  std::stable_sort(edits.begin(), edits.end(), [](const Edit& a, const Edit& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::string result;
  result.reserve(source.size() + 64 * edits.size());
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    if (edit.begin < at) continue;  // inside text already replaced
    result.append(source, at, edit.begin - at);
    result += edit.text;
    at = edit.end;
  }
  result.append(source, at);
  return result;
}

void mark_kernels(Workpiece& piece, const std::vector<KernelDeclaration>& kernels) {
  for (const KernelDeclaration& kernel : kernels) {
    if (kernel.body < 0) continue;
    const std::string bounds =
        kernel.bounds.empty() ? "0" : fmt::format("static_cast<unsigned>({})", kernel.bounds);
    piece.insert_after(
        kernel.body,
        fmt::format(" static ::gate_emu::KernelInfo gate_kernel_info{{\"{}\", {}, {}, 0, 0}}; "
                    "if (::gate_emu::probed(gate_kernel_info)) return;",
                    kernel.name, piece.site(kernel.token), bounds));
  }
}

}  // namespace

Translation translate(const std::string& preprocessed, bool semantics) {
  Workpiece piece{preprocessed, tokenize(preprocessed), {}};
  Translation result;
  result.kernels = find_kernels(piece);
  result.functions = find_host_functions(piece);
  result.facts = find_facts(piece);
  result.unsupported = find_unsupported(piece);
  mark_kernels(piece, result.kernels);
  translate_shared(piece);
  translate_launches(piece);
  translate_words(piece);
  result.marked = semantics && translate_semantics(piece);
  result.text = apply(preprocessed, std::move(piece.edits));
  return result;
}

}  // namespace gate
