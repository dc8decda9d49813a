// Novelty, differential first: what the base's kernel does on the case at hand decides before any
// seed does, so that a known bug cannot hide a second one.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "gate/policy/crossing.h"
#include "gate/search/search.h"
#include "gate/spec/seed.h"

namespace gate {

/// What the base has to say of a failing case.
enum class BaseAnswer {
  not_asked,    // the run has no base
  passes,       // passes, fails in another way, or is not there: the failure is new
  fails_alike,  // same kind, property and pattern
};

/// The base's version of a (kernel, column), built and started when it is first asked.
class BaseKernel {
 public:
  /// Without a target (the base has no such kernel or column) every failure is new; so is it with
  /// one that is made of the head's files.
  BaseKernel(std::optional<Target> target, SessionOptions session, Profile profile,
             SideRoots roots);
  ~BaseKernel();
  BaseKernel(BaseKernel&&) noexcept;
  BaseKernel& operator=(BaseKernel&&) noexcept;

  /// A failure that depends on timing is given `runs` runs to show itself.
  BaseAnswer answer(const Judged& failing, int runs = 1);
  bool exists() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

struct NoveltyInput {
  BaseAnswer base = BaseAnswer::not_asked;
  const Seed* committed = nullptr;  // the seed that answers for the failure
  bool flaky = false;               // k of N
  std::string date;                 // today, YYYY-MM-DD
};
/// new, preexisting, known, regressed or flaky. Only known and preexisting do not block.
std::string novelty_of(const NoveltyInput& input);
bool blocks(const std::string& novelty);

/// Whether a seed excuses its failure on that date: known, and not expired.
bool is_excused(const Seed& seed, const std::string& date);

}  // namespace gate
