// Counting what cases covered: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/coverage_of.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "gate/base/text.h"
#include "gate/oracle/element.h"
#include "gate/search/null_kernel_run.h"

namespace gate {
namespace {

/// Points a report holds of one row; a map of more dots shows no more.
constexpr std::size_t points_max = 4096;
/// Cases whose reference is computed again for null kernels and slack: the plan's first.
constexpr std::size_t reference_cases_max = 16;

class Tally {
 public:
  explicit Tally(const TargetPlan& plan) : plan_(plan), op_(*plan.target.op) {
    for (const Axis& axis : op_.axes) {
      const bool listed = !axis.values.empty();
      coverage_.axes.push_back({axis.name, listed ? axis.values.front() : axis.min,
                                listed ? axis.values.back() : axis.max, 0, 0, 0});
    }
    sizes_.resize(op_.axes.size());
  }

  void add(const Judged& judged) {
    CasePoint& point = point_of(judged.test_case);
    switch (colour(judged.verdict.kind)) {
      case Colour::grey:
        ++point.unchecked;
        return;
      case Colour::red:
        ++point.failed;
        break;
      case Colour::green:
        ++point.passed;
        break;
    }
    for (std::size_t i = 0; i < sizes_.size(); ++i) sizes_[i].insert(point.sizes[i]);
    ++coverage_.properties[judged.test_case.property];
    if (repeats(judged)) ++coverage_.properties["repeat"];
    add_choices(judged.test_case);
    add_elements(judged.verdict);
  }

  Coverage finish() {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      AxisCoverage& axis = coverage_.axes[i];
      axis.sizes = static_cast<std::int64_t>(sizes_[i].size());
      if (sizes_[i].empty()) continue;
      axis.tried_min = *sizes_[i].begin();
      axis.tried_max = *sizes_[i].rbegin();
    }
    for (auto& [sizes, point] : points_) {
      if (coverage_.points.size() < points_max) {
        coverage_.points.push_back(std::move(point));
      } else {
        ++coverage_.points_left_out;
      }
    }
    find_untried();
    return std::move(coverage_);
  }

 private:
  CasePoint& point_of(const Case& value) {
    std::vector<std::int64_t> sizes;
    for (const Axis& axis : op_.axes) {
      const auto size = value.axes.find(axis.name);
      sizes.push_back(size == value.axes.end() ? 0 : size->second);
    }
    CasePoint& point = points_[sizes];
    point.sizes = std::move(sizes);
    return point;
  }

  bool repeats(const Judged& judged) const {
    if (judged.test_case.property == "repeat") return false;  // counted as what it was made for
    for (std::size_t i = 0; i < plan_.numbers.size(); ++i) {
      if (plan_.numbers[i] == judged.number) return !plan_.entries[i].siblings.empty();
    }
    return false;
  }

  void add_choices(const Case& value) {
    for (const auto& [tensor, choice] : value.tensors) {
      tried_.insert("layout " + choice.layout + " of " + tensor);
      if (choice.profile.empty()) continue;
      const std::string profile = choice.profile.substr(0, choice.profile.find('@'));
      tried_.insert("values " + profile + " of " + tensor);
    }
    for (const auto& [name, scalar] : value.attributes) {
      tried_.insert("attribute " + name + " = " + scalar_text(scalar));
    }
  }

  static std::string scalar_text(const Scalar& scalar) {
    if (const auto* integer = std::get_if<std::int64_t>(&scalar)) return std::to_string(*integer);
    return number_text(std::get<double>(scalar));
  }

  void add_elements(const Verdict& verdict) {
    for (const Comparison& comparison : verdict.comparisons) {
      coverage_.elements += comparison.elements;
      coverage_.unjudgeable_elements += comparison.unjudgeable;
    }
  }

  void want(const std::string& what) {
    if (tried_.count(what) == 0) coverage_.untried.push_back(what);
  }

  void find_untried() {
    for (const std::string& column : op_.columns) {
      if (column != plan_.target.column && plan_.target.kernel->entry.count(column) == 0) {
        coverage_.untried.push_back("column " + column + ": the kernel has no entry for it");
      }
    }
    for (const std::string& law : op_.contract.laws) {
      if (coverage_.properties.count("law:" + law) == 0) coverage_.untried.push_back("law:" + law);
    }
    for (const char* property : {"special", "repeat"}) {
      if (coverage_.properties.count(property) == 0) coverage_.untried.emplace_back(property);
    }
    for (const std::vector<TensorSchema>* tensors : {&op_.inputs, &op_.outputs}) {
      for (const TensorSchema& tensor : *tensors) {
        for (const std::string& layout : tensor.layouts) {
          want("layout " + layout + " of " + tensor.name);
        }
        for (const std::string& profile : tensor.profiles) {
          want("values " + profile + " of " + tensor.name);
        }
      }
    }
    for (const Attribute& attribute : op_.attributes) {
      for (const Scalar& value : attribute.values) {
        want("attribute " + attribute.name + " = " + scalar_text(value));
      }
    }
  }

  const TargetPlan& plan_;
  const OpSchema& op_;
  Coverage coverage_;
  std::map<std::vector<std::int64_t>, CasePoint> points_;
  std::vector<std::set<std::int64_t>> sizes_;  // checked, by axis
  std::set<std::string> tried_;
};

std::vector<Entry> first_entries(const TargetPlan& plan) {
  const std::size_t cases = std::min(reference_cases_max, plan.entries.size());
  return {plan.entries.begin(), plan.entries.begin() + static_cast<std::ptrdiff_t>(cases)};
}

/// Smallest limit / |value| over the elements that can be judged; infinite where there is none.
double smallest_slack(const Target& target, const Inputs& inputs, const Expected& expected) {
  double slack = std::numeric_limits<double>::infinity();
  for (const ExpectedTensor& want : expected.outputs) {
    const Tensor* tensor = find_tensor(inputs, want.name);
    if (tensor == nullptr || !facts(tensor->dtype).is_float) continue;
    const ElementRule rule = element_rule(tensor->dtype, target.tolerance, target.op->contract);
    for (std::size_t i = 0; i < want.value.size(); ++i) {
      const double value = std::abs(want.value[i]);
      if (!(value > 0) || !std::isfinite(value) || !std::isfinite(want.envelope[i])) continue;
      slack = std::min(slack, limit_of(rule, value, want.envelope[i]) / value);
    }
  }
  return slack;
}

}  // namespace

Coverage coverage_of(const TargetPlan& plan, const std::vector<Judged>& judged) {
  Tally tally(plan);
  for (const Judged& each : judged) tally.add(each);
  return tally.finish();
}

std::vector<NullTally> tally_null_kernels(Executor& executor, const TargetPlan& plan) {
  std::vector<NullTally> tallies;
  for (const NullKernelResult& result : measure_null_kernels(executor, first_entries(plan), true)) {
    if (result.rejected + result.survived == 0) continue;
    tallies.push_back({result.name, static_cast<std::int64_t>(result.rejected),
                       static_cast<std::int64_t>(result.survived)});
  }
  return tallies;
}

std::optional<RelativeSlack> measure_slack(Executor& executor, const TargetPlan& plan) {
  const Target& target = executor.target();
  std::vector<double> slacks;
  for (const Entry& entry : first_entries(plan)) {
    if (!validate(entry.test_case, *target.op, target.kernel)) continue;
    const Inputs inputs = executor.inputs_of(entry.test_case);
    const Result<Expected> expected = executor.reference(inputs);
    if (!expected) continue;
    const double slack = smallest_slack(target, inputs, *expected);
    if (std::isfinite(slack)) slacks.push_back(slack);
  }
  if (slacks.empty()) return std::nullopt;
  std::sort(slacks.begin(), slacks.end());
  return RelativeSlack{slacks.front(), slacks[slacks.size() / 2], slacks.back(),
                       static_cast<std::int64_t>(slacks.size())};
}

}  // namespace gate
