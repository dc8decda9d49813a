// Builds the space of cases from schema, kernel and caps.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cases/space.h"

#include <algorithm>

#include "gate/cases/cost.h"
#include "gate/cases/layout.h"

namespace gate {
namespace {

// Upper ends of the magnitudes that size decks go through.
constexpr std::int64_t magnitudes[] = {1, 4, 16, 48, 160, 640, 2560, 10240, std::int64_t{1} << 62};

// Tickets of the tile edges beside one of each magnitude.
constexpr std::size_t tile_tickets = 3;

void add_sizes(AxisSpace& space, const std::vector<SizeCandidate>& candidates) {
  std::int64_t low = 0;
  for (const std::int64_t high : magnitudes) {
    SizeGroup group{low, high, {}, {}};
    for (const SizeCandidate& candidate : candidates) {
      if (candidate.size <= low || candidate.size > high) continue;
      group.boundary.insert(group.boundary.end(),
                            static_cast<std::size_t>(draw_weight(candidate.source)),
                            candidate.size);
      if (is_regular(candidate.source)) group.regular.push_back(candidate.size);
    }
    low = high;
    if (!group.boundary.empty()) space.groups.push_back(std::move(group));
  }
}

/// Edges of tiles as a stratum of their own: whatever their magnitude, they are met early.
void add_tile_group(AxisSpace& space, const std::vector<SizeCandidate>& candidates) {
  SizeGroup group;
  for (const SizeCandidate& candidate : candidates) {
    if (candidate.source == SizeSource::tile_edge) group.boundary.push_back(candidate.size);
    if (candidate.source == SizeSource::tile) group.regular.push_back(candidate.size);
  }
  if (group.boundary.empty()) return;
  group.low = group.boundary.front() - 1;
  group.high = group.boundary.back();
  space.tickets.insert(space.tickets.end(), tile_tickets, space.groups.size());
  space.groups.push_back(std::move(group));
}

AxisSpace make_axis(const Axis& axis, const OpSchema& op, const KernelSpec& kernel,
                    const DeviceCaps& caps) {
  AxisSpace space;
  space.axis = &axis;
  const auto candidates = size_candidates(axis, &kernel, op.contract.constraints);
  std::vector<SizeCandidate> fitting;
  for (const SizeCandidate& candidate : candidates)
    if (candidate.size <= caps.elements_max || candidate.size == candidates.front().size)
      fitting.push_back(candidate);
  add_sizes(space, fitting);
  for (std::size_t group = 0; group < space.groups.size(); ++group) space.tickets.push_back(group);
  add_tile_group(space, fitting);
  for (const SizeCandidate& candidate : fitting) {
    space.all.push_back(candidate.size);
    const bool limit = candidate.size >= launch_limit && candidate.size % launch_limit <= 1;
    if (limit) space.launch.push_back(candidate.size);
  }
  return space;
}

std::string generic_profile(const std::vector<std::string>& plain) {
  for (const char* name : {"normal", "uniform", "uniform10", "uniform01"})
    if (std::find(plain.begin(), plain.end(), name) != plain.end()) return name;
  return plain.front();
}

TensorSpace make_tensor_space(const TensorSchema& schema, const CaseSpace& space, bool input) {
  TensorSpace tensor;
  tensor.schema = &schema;
  tensor.input = input;
  tensor.dtype = dtype_of(*space.op, space.column, schema.name);
  const std::size_t bytes = facts(tensor.dtype).bytes;
  tensor.unit = alignment_elements(bytes, space.kernel);
  for (const std::string& layout : schema.layouts) {
    if (layout == "contiguous" || (layout == "broadcast" && !input)) continue;
    TensorChoice choice;
    choice.layout = layout;
    if (layout == "row_pitch") choice.padding = tensor.unit;
    if (layout == "strided") choice.step = 2;
    if (layout == "offset") choice.offset = tensor.unit;
    if (layout_problem(choice, schema, bytes, space.kernel).empty())
      tensor.layouts.push_back(layout);
  }
  if (!input) return tensor;
  for (const ProfileFacts* profile : profiles_of(schema, tensor.dtype)) {
    auto& list = profile->special ? tensor.special : tensor.plain;
    list.emplace_back(profile->name);
    if (profile->exact) tensor.exact.emplace_back(profile->name);
  }
  if (tensor.plain.empty()) tensor.plain.emplace_back(default_profile(tensor.dtype));
  tensor.generic = generic_profile(tensor.plain);
  return tensor;
}

/// A file with problems counts as none: the loader reports it.
void add_traced(CaseSpace& space) {
  const auto workloads = traced_of(*space.op);
  if (!workloads) return;
  for (const TracedWorkload& workload : *workloads) {
    Case value;
    value.op = space.op->name;
    value.column = space.column;
    value.axes = workload.axes;
    value.attributes = workload.attributes;
    const CaseCost cost = cost_of(value, *space.op);
    if (cost.elements <= space.caps.elements_max && cost.operations <= space.caps.operations_max) {
      space.traced.push_back(workload);
    }
  }
}

}  // namespace

bool CaseSpace::has_special() const {
  return std::any_of(tensors.begin(), tensors.end(),
                     [](const TensorSpace& tensor) { return !tensor.special.empty(); });
}

bool CaseSpace::can_be_exact() const {
  bool any = false;
  for (const TensorSpace& tensor : tensors) {
    if (!tensor.input || !facts(tensor.dtype).is_float) continue;
    const auto& exact = tensor.exact;
    const bool telling = std::any_of(exact.begin(), exact.end(),
                                     [](const std::string& name) { return name != "zeros"; });
    if (!telling) return false;
    any = true;
  }
  return any;
}

CaseSpace make_space(const OpSchema& op, const KernelSpec& kernel, const std::string& column,
                     const PlanOptions& options) {
  CaseSpace space;
  space.op = &op;
  space.kernel = &kernel;
  space.column = column;
  space.device = options.device;
  const auto caps = options.profile.caps.find(options.device);
  if (caps != options.profile.caps.end()) space.caps = caps->second;
  for (const Axis& axis : op.axes) space.axes.push_back(make_axis(axis, op, kernel, space.caps));
  for (const TensorSchema& tensor : op.inputs)
    space.tensors.push_back(make_tensor_space(tensor, space, true));
  for (const TensorSchema& tensor : op.outputs)
    space.tensors.push_back(make_tensor_space(tensor, space, false));
  for (const Attribute& attribute : op.attributes)
    if (attribute.values.size() > 1) space.swept.push_back(&attribute);
  add_traced(space);
  return space;
}

Budget budget_of(const CaseSpace& space, int level) {
  // Most cases are quick; what a fiber-based device pays per thread counts only there.
  const bool emulated = space.device == "emu";
  const Budget whole{space.caps.elements_max, space.caps.operations_max,
                     emulated ? space.caps.operations_max / 4 : std::int64_t{1} << 40};
  if (level >= budget_levels - 1) return whole;
  const Budget share =
      level == 0 ? Budget{1 << 12, 1 << 18, 1 << 16} : Budget{1 << 14, 1 << 21, 1 << 18};
  return {std::min(share.elements, whole.elements), std::min(share.operations, whole.operations),
          emulated ? std::min(share.threads, whole.threads) : whole.threads};
}

bool within(const Case& value, const CaseSpace& space, const Budget& budget) {
  const CaseCost cost = cost_of(value, *space.op);
  if (cost.elements > budget.elements || cost.operations > budget.operations) return false;
  return threads_of(value, *space.op, *space.kernel) <= budget.threads;
}

}  // namespace gate
