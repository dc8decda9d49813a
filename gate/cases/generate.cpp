// Completes drafts: sizes within budget and constraints, layouts, profile parameters, key.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/generate.h"

#include <algorithm>

#include "gate/cases/cost.h"
#include "gate/cases/parameters.h"

namespace gate {
namespace {

class Completion {
 public:
  Completion(const CaseSpace& space, const Draft& draft, const rc::Random& random)
      : space_(space), draft_(draft), choices_(random) {}

  std::optional<Case> run() {
    case_.op = space_.op->name;
    case_.column = space_.column;
    case_.property = draft_.property;
    case_.attributes = draft_.attributes;
    if (draft_.traced != nullptr) {
      case_.axes = draft_.traced->axes;
      for (const auto& [name, value] : draft_.traced->attributes) case_.attributes[name] = value;
    } else {
      draw_sizes();
      if (!fit_budget() || !repair(case_, space_, choices_)) return std::nullopt;
    }
    if (!within(case_, space_, budget_of(space_, budget_levels - 1))) return std::nullopt;
    case_.key = choices_.key();
    for (const TensorSpace& tensor : space_.tensors) draw_tensor(tensor);
    if (validate(case_, *space_.op, space_.kernel)) return case_;
    // A kernel may restrict strides in its [domain]: contiguous tensors are always worth a try.
    for (auto& [name, choice] : case_.tensors) {
      const std::string profile = choice.profile;
      choice = TensorChoice{};
      choice.profile = profile;
    }
    const bool legal =
        !draft_.strategy->layout && static_cast<bool>(validate(case_, *space_.op, space_.kernel));
    return legal ? std::optional(case_) : std::nullopt;
  }

 private:
  std::int64_t draw_size(std::size_t number) {
    const AxisSpace& axis = space_.axes[number];
    const bool focus = number == draft_.focus_axis;
    const bool huge = draft_.strategy->sizes == Strategy::Sizes::huge;
    if (draft_.launch || huge) {
      if (!focus) return choices_.of(axis.groups.front().boundary);
      return huge_size(axis);
    }
    const SizeGroup& group = axis.groups[draft_.groups[number]];
    if (draft_.strategy->sizes == Strategy::Sizes::regular) {
      if (!group.regular.empty()) return choices_.of(group.regular);
      std::vector<std::int64_t> regular;
      for (const SizeGroup& other : axis.groups)
        regular.insert(regular.end(), other.regular.begin(), other.regular.end());
      if (!regular.empty()) return choices_.of(regular);
    }
    if (draft_.strategy->sizes == Strategy::Sizes::any && choices_.chance(25)) {
      const std::int64_t low = std::max(group.low + 1, axis.axis->min);
      const std::int64_t high = std::min({group.high, axis.axis->max, axis.all.back()});
      const std::int64_t size = low > high ? high : choices_.between(low, high);
      if (legal_size(*axis.axis, size)) return size;
    }
    return choices_.of(group.boundary);
  }

  std::int64_t huge_size(const AxisSpace& axis) {
    std::vector<std::int64_t> sizes;
    for (const std::int64_t size : axis.launch) {
      // One beyond a limit shows what the limit itself may not; small multiples are quick.
      const bool beyond = size % launch_limit == 1;
      if (draft_.launch && !beyond && axis.launch.size() > 1) continue;
      const std::size_t weight = (beyond ? 3 : 1) * (size <= launch_limit + 1 ? 3 : 1);
      sizes.insert(sizes.end(), weight, size);
    }
    if (!draft_.launch || sizes.empty()) {
      const auto largest = std::min<std::ptrdiff_t>(6, std::ssize(axis.all));
      sizes.insert(sizes.end(), axis.all.end() - largest, axis.all.end());
    }
    return choices_.of(sizes);
  }

  /// Smallest size an axis takes in this draft: 1 only where that was dealt.
  std::int64_t smallest(std::size_t number) const {
    const AxisSpace& axis = space_.axes[number];
    const bool one = draft_.launch || axis.groups[draft_.groups[number]].high <= 1;
    if (one && !draft_.strategy->several) return axis.all.front();
    const auto more = std::upper_bound(axis.all.begin(), axis.all.end(), std::int64_t{1});
    return more == axis.all.end() ? axis.all.front() : *more;
  }

  void draw_sizes() {
    for (std::size_t number = 0; number < space_.axes.size(); ++number)
      case_.axes[space_.axes[number].axis->name] = std::max(draw_size(number), smallest(number));
  }

  /// Takes a boundary size of a quarter to half, or the smallest; false if it is that already.
  bool shrink_axis(std::size_t number, std::int64_t least) {
    const AxisSpace& axis = space_.axes[number];
    std::int64_t& size = case_.axes[axis.axis->name];
    if (size <= least) return false;
    const auto begin =
        std::lower_bound(axis.all.begin(), axis.all.end(), std::max(least, size / 4));
    const auto end = std::upper_bound(axis.all.begin(), axis.all.end(), size / 2);
    size = begin < end ? begin[choices_.between(0, end - begin - 1)] : least;
    return true;
  }

  /// The widest axis out of focus that can still shrink.
  std::optional<std::size_t> widest() const {
    std::optional<std::size_t> found;
    for (std::size_t number = 0; number < space_.axes.size(); ++number)
      if (number != draft_.focus_axis && size_of(number) > smallest(number) &&
          (!found || size_of(number) > size_of(*found)))
        found = number;
    return found;
  }

  /// Shrinks axes until the budget is met: the widest first, the focus axis last, to size 1 only
  /// where nothing else helps.
  bool fit_budget() {
    int level = draft_.budget;
    while (!within(case_, space_, budget_of(space_, level))) {
      if (const auto axis = widest()) {
        shrink_axis(*axis, smallest(*axis));
      } else if (level < budget_levels - 1) {
        ++level;
      } else if (draft_.launch || space_.axes.empty()) {
        return false;
      } else if (!shrink_axis(draft_.focus_axis, smallest(draft_.focus_axis))) {
        return all_smallest();
      }
    }
    return true;
  }

  bool all_smallest() {
    for (const AxisSpace& axis : space_.axes) case_.axes[axis.axis->name] = axis.all.front();
    return within(case_, space_, budget_of(space_, budget_levels - 1));
  }

  std::int64_t size_of(std::size_t number) const {
    return case_.axes.at(space_.axes[number].axis->name);
  }

  void draw_layout(const TensorSpace& tensor, TensorChoice& choice) {
    std::string layout = "contiguous";
    if (tensor.schema->name == draft_.odd_tensor)
      layout = draft_.odd_layout;
    else if (!tensor.layouts.empty() && choices_.chance(draft_.strategy->layout_percent))
      layout = choices_.of(tensor.layouts);
    choice.layout = layout;
    static const std::vector<std::int64_t> paddings = {1, 2, 3, 5, 7, 8, 16, 32};
    static const std::vector<std::int64_t> offsets = {1, 1, 2, 3, 4, 5, 7, 8, 15};
    if (layout == "row_pitch") choice.padding = choices_.of(paddings) * tensor.unit;
    if (layout == "strided") choice.step = choices_.between(2, 4);
    if (layout == "offset") choice.offset = choices_.of(offsets) * tensor.unit;
  }

  void draw_tensor(const TensorSpace& tensor) {
    TensorChoice choice;
    draw_layout(tensor, choice);
    if (tensor.input) {
      const std::string& profile = draft_.profiles.at(tensor.schema->name);
      choice.profile =
          profile_text(profile, draw_parameter(profile, {tensor, case_, space_}, choices_));
    }
    case_.tensors[tensor.schema->name] = choice;
  }

  const CaseSpace& space_;
  const Draft& draft_;
  Choices choices_;
  Case case_;
};

}  // namespace

rc::Gen<std::optional<Case>> case_generator(const CaseSpace& space, Draft draft) {
  return [&space, draft = std::move(draft)](const rc::Random& random, int) {
    return rc::shrinkable::just(Completion(space, draft, random).run());
  };
}

}  // namespace gate
