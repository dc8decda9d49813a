// Variants of a case: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/explain/variants.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "gate/base/random.h"
#include "gate/cases/cost.h"
#include "gate/cases/layout.h"
#include "gate/cases/shrink.h"
#include "gate/cases/sizes.h"
#include "gate/search/schedules.h"

namespace gate {
namespace {

class Collector {
 public:
  Collector(const Case& base, const Target& target, const VariantCaps& caps)
      : base_(base), target_(target), caps_(caps) {}

  std::vector<Case> collect(bool special) {
    for (const Axis& axis : target_.op->axes) add_sizes(axis);
    for (const TensorSchema& tensor : target_.op->inputs) add_profiles(tensor, special);
    add_attributes();
    for (const TensorSchema& tensor : target_.op->inputs) add_layouts(tensor);
    for (const TensorSchema& tensor : target_.op->outputs) add_layouts(tensor);
    for (std::uint64_t lane = 1; lane <= 3; ++lane) {
      Case other = base_;
      other.key = mix(base_.key, lane);
      add(std::move(other));
    }
    return std::move(list_);
  }

 private:
  void add(Case candidate) {
    if (candidate == base_) return;
    refit_elements(candidate, *target_.op);
    if (!validate(candidate, *target_.op, target_.kernel)) return;
    const CaseCost cost = cost_of(candidate, *target_.op);
    if (cost.elements > caps_.elements_max || cost.operations > caps_.operations_max) return;
    list_.push_back(std::move(candidate));
  }

  void add_sizes(const Axis& axis) {
    std::vector<std::int64_t> sizes;
    for (const SizeCandidate& candidate :
         size_candidates(axis, target_.kernel, target_.op->contract.constraints)) {
      if (candidate.size <= caps_.elements_max && candidate.source != SizeSource::prime) {
        sizes.push_back(candidate.size);
      }
    }
    for (const std::int64_t granularity : granularities_of(target_)) {
      for (const std::int64_t times : {1, 2, 3, 5}) {
        for (const std::int64_t off : {-1, 0, 1}) sizes.push_back(granularity * times + off);
      }
    }
    for (const auto& [name, size] : base_.axes) sizes.push_back(size);  // relations of axes
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    for (const std::int64_t size : sizes) {
      if (!legal_size(axis, size)) continue;
      Case candidate = base_;
      candidate.axes[axis.name] = size;
      add(std::move(candidate));
    }
  }

  void add_profiles(const TensorSchema& tensor, bool special) {
    const auto found = base_.tensors.find(tensor.name);
    if (found == base_.tensors.end()) return;
    const DType dtype = dtype_of(*target_.op, target_.column, tensor.name);
    for (const ProfileFacts& profile : all_profiles()) {
      if (!profile_allowed(tensor, profile, dtype) || (profile.special && !special)) continue;
      for (const std::string& text : texts_of(profile, dtype)) {
        Case candidate = base_;
        candidate.tensors[tensor.name].profile = text;
        candidate.tensors[tensor.name].elements.clear();
        add(std::move(candidate));
      }
    }
  }

  /// A profile alone, or with the parameters that it needs.
  std::vector<std::string> texts_of(const ProfileFacts& profile, DType dtype) const {
    if (parse_profile(profile_text(profile.name))) return {profile_text(profile.name)};
    std::vector<std::string> texts;
    const auto offer = [&](const std::string& parameter) {
      const std::string text = profile_text(profile.name, parameter);
      if (parse_profile(text)) texts.push_back(text);
    };
    if (profile.name != "constant" || !facts(dtype).is_float) {
      for (const char* parameter : {"0", "1", "2"}) offer(parameter);
      return texts;
    }
    for (const double value : {1.0, -1.0, 4.0}) {
      std::array<std::byte, 8> bytes{};
      store(dtype, value, bytes.data());
      offer(fmt::format("{:#x}", load_bits(dtype, bytes.data())));
    }
    return texts;
  }

  void add_attributes() {
    for (const Attribute& attribute : target_.op->attributes) {
      for (const Scalar& value : attribute.values) {
        Case candidate = base_;
        candidate.attributes[attribute.name] = value;
        add(std::move(candidate));
      }
    }
  }

  void add_layouts(const TensorSchema& tensor) {
    if (!base_.tensors.contains(tensor.name)) return;
    const std::size_t bytes = facts(dtype_of(*target_.op, target_.column, tensor.name)).bytes;
    const std::int64_t unit = alignment_elements(bytes, target_.kernel);
    for (const std::string& layout : tensor.layouts) {
      Case candidate = base_;
      TensorChoice& choice = candidate.tensors[tensor.name];
      choice.layout = layout;
      choice.padding = layout == "row_pitch" ? unit : 0;
      choice.step = layout == "strided" ? 2 : 1;
      choice.offset = layout == "offset" ? unit : 0;
      add(std::move(candidate));
    }
  }

  const Case& base_;
  const Target& target_;
  const VariantCaps& caps_;
  std::vector<Case> list_;
};

}  // namespace

std::vector<Case> variants_of(const Case& base, const Target& target, bool special,
                              const VariantCaps& caps) {
  return Collector(base, target, caps).collect(special);
}

std::vector<std::int64_t> granularities_of(const Target& target) {
  std::vector<std::int64_t> list;
  for (std::int64_t power = 2; power <= 1024; power *= 2) list.push_back(power);
  for (const std::int64_t tile : tiles_of(target.kernel)) {
    if (tile <= 4096) list.push_back(tile);
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

}  // namespace gate
