// Words in identifiers, and which of them mean alike: how names of a source are matched with names
// of an op. General vocabulary of kernels only; no op is named here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <set>
#include <string>
#include <vector>

namespace gate {

/// Lower-case words of snake_case, camelCase and digits: "softmaxRows_f32" → softmax rows f32.
/// Words that say nothing about the op (kernel, cuda, f32, fused …) are left out.
std::vector<std::string> words_of(const std::string& identifier);
/// 0 to 3: not, by a role that both words have (x and input, cols and hidden), by a common word,
/// by the same name.
int likeness(const std::string& left, const std::string& right);
/// Words for a count of all elements, for a stride, for a bias-like row vector.
bool names_total(const std::string& name);
bool names_stride(const std::string& name);
bool names_row_vector(const std::string& name);

/// How well names of a source fit an op's: hits in its name minus words that it lacks.
struct NameFit {
  double score = 0;
  std::vector<std::string> shared;  // words in both
};
struct NamePair {
  const std::vector<std::string>& source;  // words of entry and file
  const std::string& op;
  const std::string& summary;
};
NameFit name_fit(const NamePair& names);

}  // namespace gate
