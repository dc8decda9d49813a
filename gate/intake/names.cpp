// Words in identifiers: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/intake/names.h"

#include <algorithm>
#include <cctype>

namespace gate {
namespace {

const std::set<std::string>& silent_words() {
  static const std::set<std::string> words = {
      "kernel", "kernels", "cuda",   "gpu",   "triton", "host",    "launch",  "launcher", "run",
      "my",     "f16",     "f32",    "f64",   "bf16",   "fp16",    "fp32",    "fp64",     "float",
      "half",   "impl",    "naive",  "tiled", "fwd",    "forward", "fast",    "simple",   "v1",
      "v2",     "v3",      "vec",    "vec4",  "float4", "torch",   "pytorch", "numpy",    "model",
      "test",   "new",     "custom", "opt",   "the",    "of",      "a",       "op"};
  return words;
}

/// Names that stand for the same thing in kernels.
const std::vector<std::set<std::string>>& roles() {
  static const std::vector<std::set<std::string>> sets = {
      {"x", "in", "input", "inp", "src", "data", "logits", "values", "a"},
      {"y", "out", "output", "dst", "result", "o", "z", "c"},
      {"a", "lhs", "left", "x"},
      {"b", "rhs", "right", "other", "y"},
      {"w", "weight", "weights", "gamma"},
      {"bias", "beta", "b"},
      {"q", "query"},
      {"k", "key", "keys"},
      {"v", "value", "values"},
      {"rows", "row", "m", "batch", "bs", "b", "tokens", "outer", "height", "h", "nrows"},
      {"cols", "col", "n", "d", "dim", "hidden", "width", "w", "inner", "length", "len", "size",
       "columns", "features", "vocab", "ncols", "c"},
      {"index", "indices", "idx", "ids", "target", "targets", "labels"},
      {"eps", "epsilon"},
      {"scale", "alpha", "factor"},
      {"slope", "alpha"}};
  return sets;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& letter : result) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return result;
}

std::vector<std::string> all_words(const std::string& identifier) {
  std::vector<std::string> words;
  std::string word;
  const auto flush = [&] {
    if (!word.empty()) words.push_back(lower(word));
    word.clear();
  };
  for (std::size_t i = 0; i < identifier.size(); ++i) {
    const char letter = identifier[i];
    if (!std::isalnum(static_cast<unsigned char>(letter))) {
      flush();
      continue;
    }
    const bool turns = i > 0 && std::isupper(static_cast<unsigned char>(letter)) &&
                       std::islower(static_cast<unsigned char>(identifier[i - 1]));
    if (turns) flush();
    word += letter;
  }
  flush();
  return words;
}

std::string without_separators(const std::string& name) {
  std::string result;
  for (const std::string& word : all_words(name)) result += word;
  return result;
}

/// 1 where `name` is whole words of the source run together; inside of longer words the share of
/// them that it is ("max" of "softmax" says little); 0 elsewhere.
double share_of_words(const std::vector<std::string>& words, const std::string& name) {
  std::string joined;
  std::vector<std::size_t> bounds = {0};
  for (const std::string& word : words) {
    joined += word;
    bounds.push_back(joined.size());
  }
  double best = 0;
  for (std::size_t at = joined.find(name); at != std::string::npos;
       at = joined.find(name, at + 1)) {
    const std::size_t begin = *std::prev(std::upper_bound(bounds.begin(), bounds.end(), at));
    const std::size_t end = *std::lower_bound(bounds.begin(), bounds.end(), at + name.size());
    best = std::max(best, static_cast<double>(name.size()) / static_cast<double>(end - begin));
  }
  return best;
}

}  // namespace

std::vector<std::string> words_of(const std::string& identifier) {
  std::vector<std::string> words = all_words(identifier);
  std::erase_if(words, [](const std::string& word) {
    return silent_words().contains(word) ||
           word.find_first_not_of("0123456789") == std::string::npos;
  });
  return words;
}

int likeness(const std::string& left, const std::string& right) {
  const std::string one = lower(left), other = lower(right);
  if (one == other) return 3;
  const std::vector<std::string> ours = all_words(left), theirs = all_words(right);
  for (const std::string& word : ours) {
    if (word.size() > 1 && std::count(theirs.begin(), theirs.end(), word) > 0) return 2;
  }
  for (const std::set<std::string>& role : roles()) {
    const auto plays = [&](const std::string& name, const std::vector<std::string>& words) {
      return role.contains(name) || std::any_of(words.begin(), words.end(), [&](const auto& word) {
               return word.size() > 1 && role.contains(word);
             });
    };
    if (plays(one, ours) && plays(other, theirs)) return 1;
  }
  return 0;
}

bool names_total(const std::string& name) {
  static const std::set<std::string> words = {"n",   "total",  "numel", "count",    "size",
                                              "len", "length", "num",   "elements", "nelem"};
  const std::vector<std::string> parts = all_words(name);
  return std::any_of(parts.begin(), parts.end(),
                     [](const std::string& word) { return words.contains(word); });
}

bool names_stride(const std::string& name) {
  const std::string text = lower(name);
  return text.find("stride") != std::string::npos || text.find("pitch") != std::string::npos ||
         (text.size() <= 3 && text.starts_with("ld"));
}

bool names_row_vector(const std::string& name) {
  return likeness(name, "bias") == 3 || likeness(name, "weight") > 0 ||
         likeness(name, "beta") > 1 || lower(name).find("bias") != std::string::npos;
}

NameFit name_fit(const NamePair& names) {
  NameFit fit;
  const std::vector<std::string> op = all_words(names.op);
  const std::set<std::string> source(names.source.begin(), names.source.end());
  const std::string condensed = without_separators(names.op);
  std::set<std::string> hit;
  for (const std::string& word : op) {
    if (source.contains(word)) hit.insert(word);
  }
  const double share = condensed.size() > 2 ? share_of_words(names.source, condensed) : 0;
  if (share == 1) hit.insert(op.begin(), op.end());
  fit.score += share == 1 ? 0.5 : share;
  fit.score += 2.0 * static_cast<double>(hit.size()) / static_cast<double>(op.size());
  fit.shared.assign(hit.begin(), hit.end());
  const std::vector<std::string> told = all_words(names.summary);
  for (const std::string& word : source) {
    const bool in_name = hit.contains(word) || condensed.find(word) != std::string::npos ||
                         word.find(condensed) != std::string::npos;
    const bool in_summary = word.size() > 2 && std::count(told.begin(), told.end(), word) > 0;
    if (in_summary && !in_name) {
      fit.score += 0.4;
      fit.shared.push_back(word);
    }
    if (!in_name && !in_summary) fit.score -= 0.2;
  }
  return fit;
}

}  // namespace gate
