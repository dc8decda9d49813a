// Signatures of CUDA C++ and C++ sources: a walk over the tokens at namespace level.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gate/base/text.h"
#include "gate/intake/source.h"
#include "gate/spec/source_tokens.h"

namespace gate {
namespace {

using Tokens = std::vector<SourceToken>;

/// Words of a parameter that are not its type.
bool is_qualifier(std::string_view word) {
  return word == "const" || word == "__restrict__" || word == "__restrict" || word == "restrict" ||
         word == "volatile" || word == "__grid_constant__" || word == "struct";
}

class CppReader {
 public:
  CppReader(const std::string& text, const std::filesystem::path& file)
      : file_(file.string()), tokens_(source_tokens(text, false)) {}

  Result<std::vector<SourceFunction>> run() {
    while (at_ < tokens_.size() && !failure_) step();
    if (failure_) return *failure_;
    return std::move(functions_);
  }

 private:
  std::string_view text(std::size_t i) const {
    return i < tokens_.size() ? tokens_[i].text : std::string_view();
  }
  bool is(std::size_t i, std::string_view word) const { return text(i) == word; }
  bool is_name(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].what == SourceToken::What::name;
  }

  /// Behind the bracket that closes the one at `i`; the end of the file if none does.
  std::size_t behind(std::size_t i, std::string_view open, std::string_view close) const {
    int depth = 0;
    for (; i < tokens_.size(); ++i) {
      if (is(i, open)) ++depth;
      if (is(i, close) && --depth == 0) return i + 1;
    }
    return tokens_.size() + 1;
  }

  void reset() {
    pending_ = SourceFunction{};
    bounds_name_.clear();
    kernel_ = device_ = false;
    external_ = in_external_;
  }

  void step() {
    if (is(at_, "template") && is(at_ + 1, "<")) {
      const std::size_t end = behind(at_ + 1, "<", ">");
      if (end > tokens_.size()) return fail(at_, "template < without its >");
      if (end - at_ > 3) templates(at_ + 2, end - 1);
      at_ = end;
    } else if (is(at_, "__global__")) {
      kernel_ = true;
      ++at_;
    } else if (is(at_, "__launch_bounds__") && is(at_ + 1, "(")) {
      pending_.launch_bounds = integer_value(text(at_ + 2)).value_or(0);
      bounds_name_ = std::string(text(at_ + 2));
      at_ = behind(at_ + 1, "(", ")");
    } else if (is(at_, "extern")) {
      external_ = true;
      if (is(++at_, "{")) {
        in_external_ = true;
        ++at_;
      }
    } else if (is(at_, "__device__") || is(at_, "static") || is(at_, "__host__")) {
      device_ = device_ || is(at_, "__device__");
      ++at_;
    } else if (is(at_, "namespace")) {
      while (at_ < tokens_.size() && !is(at_, "{") && !is(at_, ";")) ++at_;
      ++at_;
      reset();
    } else if (is(at_, "{")) {
      at_ = behind(at_, "{", "}");
      reset();
    } else if (is(at_, ";") || is(at_, "}")) {
      ++at_;
      reset();
    } else if (is_name(at_) && is(at_ + 1, "(") && (kernel_ || external_) && !device_) {
      function();
    } else {
      ++at_;
    }
  }

  void fail(std::size_t i, const std::string& text) {
    failure_ = user_failure(text, "", {file_, i < tokens_.size() ? tokens_[i].line : 0, 0});
  }

  void templates(std::size_t begin, std::size_t end) {
    for (const auto& [from, to] : parts(begin, end)) {
      TemplateParameter parameter;
      parameter.is_type = is(from, "typename") || is(from, "class");
      std::size_t equals = from;
      while (equals < to && !is(equals, "=")) ++equals;
      if (equals > from) parameter.name = std::string(text(equals - 1));
      if (!parameter.is_type && equals + 1 < to) {
        parameter.fallback = integer_value(text(equals + 1));
      }
      pending_.templates.push_back(std::move(parameter));
    }
  }

  /// Pieces between commas outside of brackets.
  std::vector<std::pair<std::size_t, std::size_t>> parts(std::size_t begin, std::size_t end) const {
    std::vector<std::pair<std::size_t, std::size_t>> result;
    int depth = 0;
    std::size_t from = begin;
    for (std::size_t i = begin; i < end; ++i) {
      if (is(i, "(") || is(i, "<") || is(i, "[")) ++depth;
      if (is(i, ")") || is(i, ">") || is(i, "]")) --depth;
      if (depth != 0 || !is(i, ",")) continue;
      result.emplace_back(from, i);
      from = i + 1;
    }
    if (from < end) result.emplace_back(from, end);
    return result;
  }

  std::optional<SourceParameter> parameter(std::size_t begin, std::size_t end) {
    SourceParameter result;
    result.line = tokens_[begin].line;
    std::vector<std::string> words;
    for (std::size_t i = begin; i < end && !is(i, "="); ++i) {
      if (is(i, "*") || is(i, "[")) {
        result.pointer = true;
      } else if (is(i, "const") && !result.pointer) {
        result.constant = true;
      } else if (is_name(i) && !is_qualifier(text(i))) {
        words.emplace_back(text(i));
      }
    }
    if (words.size() == 1 && words.front() == "void" && !result.pointer) return std::nullopt;
    if (words.size() < 2) {
      fail(begin, fmt::format("a parameter of {} has no name", pending_.name));
      return std::nullopt;
    }
    result.name = words.back();
    words.pop_back();
    while (words.size() > 1 &&
           (words.front() == "at" || words.front() == "c10" || words.front() == "std")) {
      words.erase(words.begin());
    }
    result.type = join(words, " ");
    result.stream = result.type == "cudaStream_t" || result.type == "CUstream";
    if (const auto type = source_type(result.type)) {
      result.dtype = type->dtype;
      result.lanes = type->lanes;
    }
    return result;
  }

  void function() {
    pending_.name = std::string(text(at_));
    pending_.line = tokens_[at_].line;
    pending_.what = kernel_ ? SourceFunction::What::kernel : SourceFunction::What::launcher;
    const std::size_t open = at_ + 1;
    const std::size_t close = behind(open, "(", ")");
    if (close > tokens_.size()) return fail(at_, pending_.name + ": ( without its )");
    for (const auto& [from, to] : parts(open + 1, close - 1)) {
      auto one = parameter(from, to);
      if (failure_) return;
      if (one) pending_.parameters.push_back(std::move(*one));
    }
    at_ = close;
    while (at_ < tokens_.size() && !is(at_, "{") && !is(at_, ";")) ++at_;
    if (!is(at_, "{")) return reset();  // a declaration
    const std::size_t end = behind(at_, "{", "}");
    if (end > tokens_.size()) return fail(at_, pending_.name + ": { without its }");
    body(at_, end);
    at_ = end;
    for (const TemplateParameter& one : pending_.templates) {
      if (one.name == bounds_name_ && one.fallback) pending_.launch_bounds = *one.fallback;
    }
    functions_.push_back(std::move(pending_));
    reset();
  }

  void body(std::size_t begin, std::size_t end) {
    SourceGeometry& geometry = pending_.geometry;
    for (std::size_t i = begin; i < end; ++i) {
      if (is_name(i)) pending_.words.emplace(text(i));
      const bool member = is(i + 1, ".");
      if (is(i, "blockIdx") && member) {
        geometry.block_y = geometry.block_y || is(i + 2, "y");
        geometry.block_z = geometry.block_z || is(i + 2, "z");
        if (is(i + 2, "x")) element_index(i, end);
      }
      if (is(i, "threadIdx") && member) {
        geometry.thread_x = geometry.thread_x || is(i + 2, "x");
        geometry.thread_y = geometry.thread_y || is(i + 2, "y");
      }
      if (is(i, "extern")) geometry.dynamic_shared = true;
      if (is(i, "if") && geometry.mask_line == 0) mask(i, end);
    }
  }

  /// blockIdx.x * … + threadIdx.x in one statement.
  void element_index(std::size_t i, std::size_t end) {
    bool factor = false;
    for (; i < end && !is(i, ";"); ++i) {
      factor = factor || is(i, "*");
      if (factor && is(i, "threadIdx") && is(i + 2, "x")) pending_.geometry.element_index = true;
    }
  }

  void mask(std::size_t i, std::size_t end) {
    const std::size_t close = std::min(behind(i + 1, "(", ")"), end);
    for (std::size_t j = i; j < close; ++j) {
      if (is(j, "<") || is(j, ">")) pending_.geometry.mask_line = tokens_[i].line;
    }
  }

  std::string file_;
  Tokens tokens_;
  std::size_t at_ = 0;
  SourceFunction pending_;
  std::string bounds_name_;
  bool kernel_ = false, device_ = false, external_ = false, in_external_ = false;
  std::vector<SourceFunction> functions_;
  std::optional<Failure> failure_;
};

}  // namespace

Result<std::vector<SourceFunction>> read_cpp_functions(const std::string& text,
                                                       const std::filesystem::path& file) {
  return CppReader(text, file).run();
}

}  // namespace gate
