// Smaller axes: all at once, then each, up a ladder of telling sizes, then towards the edge by
// halves. Every proposal makes the sum of the axes smaller, so greedy shrinking ends.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "gate/base/text.h"
#include "gate/cases/cost.h"
#include "gate/cases/generate.h"
#include "gate/cases/profiles.h"
#include "gate/cases/shrink.h"
#include "gate/cases/sizes.h"

namespace gate {
namespace {

/// Smaller legal sizes, the likeliest to keep a failure and the smallest first.
std::vector<std::int64_t> ladder(const Axis& axis, const KernelSpec* kernel, const OpSchema& op,
                                 std::int64_t size) {
  std::vector<std::int64_t> legal;
  for (const SizeCandidate& candidate : size_candidates(axis, kernel, op.contract.constraints)) {
    const bool rung =
        candidate.size <= 5 || candidate.source == SizeSource::power_plus ||
        candidate.source == SizeSource::tile_edge || candidate.source == SizeSource::launch ||
        candidate.source == SizeSource::end || candidate.origin.ends_with("next legal");
    if (rung && candidate.size < size) legal.push_back(candidate.size);
  }
  // Tile edges crowd the ladder: between two rungs at least a quarter of the lower one.
  std::vector<std::int64_t> rungs;
  for (const std::int64_t candidate : legal)
    if (rungs.empty() || candidate <= 5 || candidate - rungs.back() > rungs.back() / 4)
      rungs.push_back(candidate);
  if (!axis.values.empty()) return rungs;
  // Towards the edge by halves, on the grid of powers of two: sizes that passed for a larger case
  // are proposed again for a smaller one, and the search knows their outcome.
  const std::int64_t low = rungs.empty() ? axis.min - 1 : rungs.back();
  for (int k = 62; k >= 0; --k) {
    const std::int64_t near = (size - 1) >> k << k;
    if (near > low && (rungs.empty() || near > rungs.back())) rungs.push_back(near);
  }
  return rungs;
}

std::int64_t total(const Case& value) {
  std::int64_t sum = 0;
  for (const auto& [name, size] : value.axes) sum += size;
  return sum;
}

/// Constraints that couple axes: lowers other axes of a violated one until it holds.
bool couple(Case& candidate, const ShrinkContext& context, const std::string& kept) {
  if (violations(candidate, context.op, context.kernel) == 0) return true;
  for (const Axis& axis : context.op.axes) {
    if (axis.name == kept) continue;
    const std::int64_t old = candidate.axes[axis.name];
    std::vector<std::int64_t> sizes = {candidate.axes[kept], axis.min};
    for (std::int64_t size = axis.min; size <= std::min<std::int64_t>(old, axis.min + 16); ++size)
      sizes.push_back(size);
    for (const std::int64_t size : sizes) {
      if (size > old || !legal_size(axis, size)) continue;
      candidate.axes[axis.name] = size;
      if (violations(candidate, context.op, context.kernel) == 0) return true;
    }
    candidate.axes[axis.name] = old;
  }
  return false;
}

void add(std::vector<Case>& list, Case candidate, const ShrinkContext& context,
         const std::string& kept) {
  if (!couple(candidate, context, kept)) return;
  if (total(candidate) >= total(context.value)) return;
  refit_elements(candidate, context.op);
  list.push_back(std::move(candidate));
}

}  // namespace

void refit_elements(Case& value, const OpSchema& op) {
  const IntegerValues values = complete_values(value, op);
  for (const TensorSchema& tensor : op.inputs) {
    const auto found = value.tensors.find(tensor.name);
    if (found == value.tensors.end()) continue;
    std::int64_t count = 1;
    for (const Expression& size : tensor.shape) count *= size.value(values).value_or(0);
    auto& elements = found->second.elements;
    if (count <= 0) elements.clear();
    // What lies beyond the smaller tensor moves to its end: a bug of the last element stays one.
    for (ElementOverride& element : elements)
      element.element = std::min(element.element, count - 1);
    const auto same = [](const auto& a, const auto& b) { return a.element == b.element; };
    elements.erase(std::unique(elements.begin(), elements.end(), same), elements.end());
    const auto profile = parse_profile(found->second.profile);
    if (!profile || profile->facts->name != "impulse") continue;
    const auto position = parse_integer(profile->parameter);
    if (position && *position >= count && count > 0)
      found->second.profile = profile_text("impulse", std::to_string(count - 1));
  }
}

std::vector<Case> simpler_axes(const ShrinkContext& context) {
  std::vector<Case> list;
  const auto least = [](const Axis& axis) {
    return axis.values.empty() ? axis.min : axis.values.front();
  };
  Case smallest = context.value;
  for (const Axis& axis : context.op.axes) smallest.axes[axis.name] = least(axis);
  add(list, smallest, context, {});
  // One axis as it is, all others small: most bugs need a single axis.
  for (const Axis& axis : context.op.axes) {
    Case candidate = smallest;
    candidate.axes[axis.name] = context.value.axes.at(axis.name);
    add(list, candidate, context, axis.name);
  }
  for (const Axis& axis : context.op.axes) {
    for (const std::int64_t size :
         ladder(axis, context.kernel, context.op, context.value.axes.at(axis.name))) {
      Case candidate = context.value;
      candidate.axes[axis.name] = size;
      add(list, candidate, context, axis.name);
    }
  }
  return list;
}

}  // namespace gate
