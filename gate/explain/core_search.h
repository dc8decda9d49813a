// The loop that finds a core: learn a rule, execute cases on which rules disagree, learn again;
// then test that every condition is necessary and that the rule holds beyond what taught it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <set>

#include "gate/explain/core.h"

namespace gate {

struct CoreProblem {
  const RawFailure& failure;
  const Case& witness;
  const std::vector<Fact>& facts;
  bool special = false;
  std::size_t executions_max = 0;
};

class CoreSearch {
 public:
  using Observe = std::function<std::vector<Observation>()>;

  CoreSearch(Evidence& evidence, const CoreProblem& problem);
  Core run(const Observe& observe);

 private:
  struct Variant {
    Case test_case;
    std::vector<double> values;
    bool executed = false;
  };

  void learn();
  void fill_pool();
  void probe_witness();
  bool spent() const { return executions_ >= problem_.executions_max; }
  std::size_t execute(Variant& variant);
  /// Each returns how many cases it executed.
  std::size_t settle_disagreements();
  std::size_t test_necessity();
  std::size_t test_sufficiency();
  bool shown_necessary(std::size_t condition) const;
  bool holds_without(std::size_t condition, const std::vector<double>& values) const;
  Core core() const;

  Evidence& evidence_;
  CoreProblem problem_;
  std::vector<std::int64_t> granularities_;
  std::function<std::vector<Observation>()> observe_;
  std::vector<Observation> observations_;
  std::vector<RankedRule> rules_;
  std::vector<Variant> pool_;
  std::size_t executions_ = 0;
};

}  // namespace gate
