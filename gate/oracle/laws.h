// Laws: relations between outputs on the base inputs and on transformed ones. Nothing here knows
// an op: rows are the leading axis of the first output, found again in the shapes of the inputs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "gate/oracle/verdict.h"
#include "gate/spec/kernel_spec.h"

namespace gate {

struct LawRun {
  /// Where the law cannot hold exactly on the case's own inputs: what to run as base instead.
  std::optional<Inputs> base;
  Inputs transformed;
  /// Element of the base output that element `i` of the transformed output must equal; -1 free.
  std::map<std::string, std::vector<std::int64_t>> base_element;
  int exponent = 0;     // transformed output = base output * 2^exponent
  bool bitwise = true;  // else within both limits
};

struct LawFacts {
  std::string_view name;
  std::string_view purpose;
};
const std::vector<LawFacts>& all_laws();

/// What a law looks at to transform a case.
struct LawSubject {
  const Case& test_case;
  const Inputs& base;
  const OpSchema& op;
  const KernelSpec& kernel;
};
/// Nothing where the law does not apply to this case (one row, no room to scale …).
std::optional<LawRun> transform(const std::string& law, const LawSubject& subject);

/// Both runs of a law with their references.
struct LawOutcomes {
  const LawRun& run;
  const Outcome& base;
  const Outcome& transformed;
  const Expected& base_expected;
  const Expected& transformed_expected;
};
/// law_broken with the first differing element, not_checked where the reference itself breaks the
/// law, what the device said where the transformed run failed, or pass.
Verdict judge_law(const std::string& law, const LawOutcomes& outcomes, const Judging& judging);

/// The row axis: leading axis of the first output that some input has too; in every output once.
std::optional<std::string> row_axis(const OpSchema& op);
/// Which dimension of a tensor is exactly this axis; nothing if none is.
std::optional<std::size_t> axis_dimension(const TensorSchema& tensor, const std::string& axis);

/// Whether exactness is owed: the op declares "exact_integers", every float profile is an exact
/// one, and reference and envelope show that no accumulator could have rounded.
bool owes_exact(const Judging& judging, const ExpectedTensor& want);

}  // namespace gate
