// Keywords of CUDA C++ that become nothing or an attribute, and what their presence tells.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <string_view>
#include <utility>

#include "gate/device/emu/translation.h"

namespace gate {

namespace {

struct Word {
  std::string_view word, becomes;
  bool with_arguments = false;  // its parenthesis goes too
};

constexpr std::array words = {
    Word{"__global__", ""},
    Word{"__device__", ""},
    Word{"__host__", ""},
    Word{"__constant__", ""},
    Word{"__managed__", ""},
    Word{"__grid_constant__", ""},
    Word{"__forceinline__", "inline"},
    Word{"__noinline__", "__attribute__((noinline))"},
    Word{"__launch_bounds__", "", true},
    Word{"__maxnreg__", "", true},
    Word{"__align__", "__attribute__((aligned"},
    Word{"__assert_fail", "gate_emu_assert"},
};

/// Functions the C library has too, with other parameters.
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> calls = {{
    {"clock", "gate_emu_clock"},
    {"exit", "gate_emu_exit"},
}};

bool inside_attribute(const Workpiece& piece, int index) {
  return piece.is(index - 1, "(") && piece.is(index - 2, "(");
}

bool is_member(const Workpiece& piece, int index) {
  return piece.is(index - 1, ".") || piece.is_pair(index - 2, '-', '>');
}

void replace_word(Workpiece& piece, int index, const Word& word) {
  piece.replace(index, std::string(word.becomes));
  if (piece.is(index, "__align__") && piece.is(index + 1, "(")) {
    piece.insert_after(piece.at(index + 1).partner, "))");
  }
  if (word.with_arguments && piece.is(index + 1, "(")) {
    piece.erase(index + 1, piece.at(index + 1).partner + 1);
  }
}

bool begins_with(std::string_view text, std::string_view start) { return text.starts_with(start); }

}  // namespace

void translate_words(Workpiece& piece) {
  for (int i = 0; i < piece.size(); ++i) {
    if (!piece.is_word(i)) continue;
    const std::string_view text = piece.at(i).text;
    for (const Word& word : words) {
      if (text == word.word && !inside_attribute(piece, i)) replace_word(piece, i, word);
    }
    for (const auto& [name, becomes] : calls) {
      const bool declared = piece.is_word(i - 1) && !piece.is(i - 1, "return");
      if (text == name && piece.is(i + 1, "(") && !is_member(piece, i) && !declared &&
          !piece.is_pair(i - 2, ':', ':')) {
        piece.replace(i, std::string(becomes));
      }
    }
  }
}

SourceFacts find_facts(const Workpiece& piece) {
  SourceFacts facts;
  for (int i = 0; i < piece.size(); ++i) {
    if (!piece.is_word(i)) continue;
    const std::string_view text = piece.at(i).text;
    const bool atomic = begins_with(text, "atomic") || begins_with(text, "atom_") ||
                        begins_with(text, "__nv_atomic");
    const bool collective =
        begins_with(text, "__syncthreads") || text == "__syncwarp" || text == "__activemask" ||
        (begins_with(text, "__") && text.ends_with("_sync")) || text == "cooperative_groups";
    const bool waits = text == "__nanosleep" || begins_with(text, "clock") ||
                       begins_with(text, "__threadfence") || text == "volatile";
    facts.shared_or_atomics =
        facts.shared_or_atomics || text == "__shared__" || atomic || collective;
    facts.needs_fibers = facts.needs_fibers || atomic || collective || waits;
    const bool in_asm = piece.is(i - 1, "asm") || piece.is(i - 1, "__asm__");
    facts.has_volatile = facts.has_volatile || (text == "volatile" && !in_asm);
  }
  return facts;
}

}  // namespace gate
