// Tolerance rules that the study compares on the very same outputs: the published absolute ones,
// the field's relative ones, and the gate's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>
#include <vector>

#include "gate/oracle/verdict.h"
#include "gate/search/study_corpus.h"

namespace gate {

struct RuleSubject {
  const StudyKernel& kernel;
  const std::string& column;
  const Outcome& outcome;  // ended well
  const Expected& expected;
};

struct StudyRule {
  std::string_view name, text;
  bool (*fails)(const RuleSubject& subject);
};
/// All but the gate's own verdict.
const std::vector<StudyRule>& all_study_rules();

}  // namespace gate
