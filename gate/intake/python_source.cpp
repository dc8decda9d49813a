// Signatures of Python sources: top-level functions, Triton kernels, module classes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "gate/intake/source.h"
#include "gate/spec/source_tokens.h"

namespace gate {
namespace {

class PythonReader {
 public:
  PythonReader(const std::string& text, const std::filesystem::path& file)
      : text_(text), file_(file.string()), tokens_(source_tokens(text_, true)) {}

  Result<std::vector<SourceFunction>> run() {
    bool jit = false;
    for (std::size_t i = 0; i < tokens_.size() && !failure_; ++i) {
      if (!starts_line(i)) continue;
      if (is(i, "@")) {
        jit = jit || (is(i + 1, "triton") && is(i + 3, "jit")) || is(i + 1, "jit");
        continue;
      }
      if (is(i, "def")) function(i, jit);
      if (is(i, "class")) model(i);
      jit = false;
    }
    if (failure_) return *failure_;
    drop_baseline();
    return std::move(functions_);
  }

 private:
  /// Beside a ModelNew, Model is what it is measured against.
  void drop_baseline() {
    const bool fresh = std::any_of(functions_.begin(), functions_.end(),
                                   [](const auto& one) { return one.name == "ModelNew"; });
    if (fresh) std::erase_if(functions_, [](const auto& one) { return one.name == "Model"; });
  }

  bool is(std::size_t i, std::string_view word) const {
    return i < tokens_.size() && tokens_[i].text == word;
  }
  bool is_name(std::size_t i) const {
    return i < tokens_.size() && tokens_[i].what == SourceToken::What::name;
  }
  /// In the first column: top level.
  bool starts_line(std::size_t i) const {
    const auto at = static_cast<std::size_t>(tokens_[i].text.data() - text_.data());
    return at == 0 || text_[at - 1] == '\n';
  }

  void model(std::size_t i) {
    if (!is(i + 1, "ModelNew") && !is(i + 1, "Model")) return;
    SourceFunction found;
    found.what = SourceFunction::What::module;
    found.name = std::string(tokens_[i + 1].text);
    found.line = tokens_[i].line;
    std::size_t j = i + 1;
    for (; j < tokens_.size() && !starts_line(j); ++j) {
      if (is(j, "def") && is(j + 1, "forward")) break;
    }
    if (is(j, "def")) {
      parameters(found, j + 2);
      if (!found.parameters.empty()) found.parameters.erase(found.parameters.begin());  // self
    }
    functions_.push_back(std::move(found));
  }

  void function(std::size_t i, bool jit) {
    if (!is_name(i + 1) || !is(i + 2, "(")) {
      failure_ = user_failure("def without a name and (", "", {file_, tokens_[i].line, 0});
      return;
    }
    SourceFunction found;
    found.what = jit ? SourceFunction::What::triton : SourceFunction::What::python;
    found.name = std::string(tokens_[i + 1].text);
    found.line = tokens_[i].line;
    if (found.name.starts_with("_") && !jit) return;
    const std::size_t end = parameters(found, i + 2);
    for (std::size_t j = end; j < tokens_.size() && !starts_line(j); ++j) {
      if (!is_name(j)) continue;
      found.words.emplace(tokens_[j].text);
      if (is(j, "mask") && is(j + 1, "=") && found.geometry.mask_line == 0) {
        found.geometry.mask_line = tokens_[j].line;
      }
    }
    functions_.push_back(std::move(found));
  }

  /// Reads from the opening bracket; returns the place behind the closing one.
  std::size_t parameters(SourceFunction& found, std::size_t open) {
    int depth = 0;
    bool expected = true;  // a parameter's name
    for (std::size_t i = open; i < tokens_.size(); ++i) {
      if (is(i, "(") || is(i, "[") || is(i, "{")) ++depth;
      if (is(i, ")") || is(i, "]") || is(i, "}")) --depth;
      if (depth == 0) return i + 1;
      if (depth == 1 && is(i, ",")) expected = true;
      if (depth == 1 && is(i, "=") && !found.parameters.empty()) {
        found.parameters.back().optional = true;
      }
      if (is(i, "constexpr") && !found.parameters.empty()) {
        found.parameters.back().compile_time = true;
      }
      if (depth != 1 || !expected || !is_name(i)) continue;
      SourceParameter parameter;
      parameter.name = std::string(tokens_[i].text);
      parameter.line = tokens_[i].line;
      found.parameters.push_back(std::move(parameter));
      expected = false;
    }
    failure_ =
        user_failure(fmt::format("{}: ( without its )", found.name), "", {file_, found.line, 0});
    return tokens_.size();
  }

  const std::string& text_;
  std::string file_;
  std::vector<SourceToken> tokens_;
  std::vector<SourceFunction> functions_;
  std::optional<Failure> failure_;
};

}  // namespace

Result<std::vector<SourceFunction>> read_python_functions(const std::string& text,
                                                          const std::filesystem::path& file) {
  return PythonReader(text, file).run();
}

}  // namespace gate
