// What shape an error has: read off the failing elements alone, naming no op and no kernel.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gate/oracle/verdict.h"

namespace gate {

struct Pattern {
  std::string name;  // "all elements", "tail columns" …; the kind's name for kinds without values
  std::string detail;  // "columns 128.. of 129", "2"
};

/// A pattern as part of a sentence: "every element wrong", "wrong from column 128 on".
std::string pattern_phrase(const Pattern& pattern);

/// The most telling pattern of a verdict. Patterns that hold trivially on a tiny output are not
/// named: a single element is neither a row nor a factor.
Pattern find_pattern(const Verdict& verdict);

/// The most telling pattern that (nearly) all of several failures of one bug show, trivially or
/// not; named after `first` where they agree with it.
Pattern common_pattern(const Verdict& first, const std::vector<const Verdict*>& others);

/// Whether a candidate may still be the original's bug: kind, property, and the original's pattern
/// holds for it too, trivially or not. What shrinking keeps to.
bool same_pattern(const Verdict& candidate, const Verdict& original);

/// Patterns that one bug keeps whatever the data: they do not hang on what is visible.
bool tells_place(std::string_view pattern);
/// Whether a failure cannot be one that shows this pattern: it tells a place, and another one.
bool contradicts(const Verdict& verdict, std::string_view pattern);

/// Whether a pattern known by name only (a seed's) holds for a verdict, trivially or not: a seed's
/// shrunk case is often too small to show by itself the pattern it was found with.
bool pattern_holds(const Verdict& verdict, std::string_view pattern);

}  // namespace gate
