// Translation of preprocessed CUDA C++ to host C++: keywords, shared memory, launches, entries.
// Every change keeps its line, so that messages point at the user's file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gate/device/emu/tokens.h"

namespace gate {

/// A `__global__` function as the source spells it.
struct KernelDeclaration {
  std::string name;  // with namespaces
  std::vector<std::string> parameter_types;
  bool is_template = false;
  bool is_definition = false;
  int token = 0;       // of its name
  int body = -1;       // of its {
  std::string bounds;  // first argument of __launch_bounds__
};

/// A function of the source that may be a host launcher.
struct HostFunction {
  std::string name;
  bool c_linkage = false;
};

/// What a source uses, as far as it decides how to run it.
struct SourceFacts {
  bool shared_or_atomics = false;
  bool needs_fibers = false;  // barriers, collectives, atomics, clocks
  bool has_volatile = false;  // spins on plain memory: accesses must be seen
};

struct Translation {
  std::string text;
  std::vector<KernelDeclaration> kernels;
  std::vector<HostFunction> functions;
  SourceFacts facts;
  std::vector<std::string> unsupported;  // "inline PTX (asm) at file:line"
  bool marked = false;                   // semantics marks were put in
};

/// `semantics`: with the marks of semantics.cpp.
Translation translate(const std::string& preprocessed, bool semantics);

/// Replacement of [begin, end) of the source.
struct Edit {
  std::size_t begin = 0, end = 0;
  std::string text;
};

/// What the passes share.
struct Workpiece {
  const std::string& source;
  TokenList list;
  std::vector<Edit> edits;

  const Token& at(int index) const { return list.tokens[static_cast<std::size_t>(index)]; }
  int size() const { return static_cast<int>(list.tokens.size()); }
  bool is(int index, std::string_view text) const {
    return index >= 0 && index < size() && at(index).text == text;
  }
  bool is_word(int index) const {
    return index >= 0 && index < size() && at(index).kind == TokenKind::word;
  }
  /// Two marks that touch, such as :: or ->.
  bool is_pair(int index, char first, char second) const;
  std::string text_between(int first, int last) const;  // tokens [first, last), source text
  std::string place(int index) const;                   // file:line
  std::string site(int index) const;                    // {"file", line}
  void replace(int index, std::string text);
  void insert_before(int index, std::string text);
  void insert_after(int index, std::string text);
  void erase(int first, int last);  // tokens [first, last), lines kept
};

// The passes, each in a file of its own.
std::vector<KernelDeclaration> find_kernels(const Workpiece& piece);
/// Bodies of `__global__` and `__device__` functions, in order.
std::vector<KernelDeclaration> find_device_functions(const Workpiece& piece);
std::vector<HostFunction> find_host_functions(const Workpiece& piece);
void translate_shared(Workpiece& piece);
void translate_launches(Workpiece& piece);
/// True if anything was marked.
bool translate_semantics(Workpiece& piece);
void translate_words(Workpiece& piece);
std::vector<std::string> find_unsupported(const Workpiece& piece);
SourceFacts find_facts(const Workpiece& piece);
/// Index of the enclosing body's { if the token is inside a function, -1 at namespace scope.
int enclosing_function(const Workpiece& piece, int index);

}  // namespace gate
