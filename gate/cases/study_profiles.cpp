// Profiles of the study: the published ones exactly as published, and domains beyond what an op
// declares. A case names them ("study_adversarial@1"); plans never draw them.
// SPDX-License-Identifier: Apache-2.0
#include <limits>

#include "gate/cases/draws.h"
#include "gate/cases/fill_functions.h"

namespace gate {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<double> fill_study_uniform(FillRequest& request) { return fill_uniform10(request); }

/// 5 % of the elements NaN, +Inf, -Inf and 0 in equal parts, the others U[-10,10).
std::vector<double> fill_nan_injected(FillRequest& request) {
  constexpr double injected[] = {nan, infinity, -infinity, 0};
  std::vector<double> values = fill_uniform10(request);
  for (double& value : values) {
    const std::uint32_t choice = draw_below(request.stream, 80);
    if (choice < 4) value = injected[choice];
  }
  return values;
}

/// Five equal buckets. In f16 as published: what is NaN elsewhere is an infinity there, and 1e30
/// overflows.
std::vector<double> fill_adversarial(FillRequest& request) {
  constexpr double special[] = {nan, infinity, -infinity};
  std::vector<double> values(static_cast<std::size_t>(request.elements()));
  for (double& value : values) {
    const std::uint32_t bucket = draw_below(request.stream, 5);
    const double u = draw_uniform(request.stream);
    if (bucket == 0) value = 0;
    if (bucket == 1) value = 1e-30 * (u - 0.5);
    if (bucket == 2) value = 1e30 * (u - 0.5);
    if (bucket == 3) value = 2e3 * u - 1e3;
    if (bucket == 4) value = special[static_cast<int>(u * 3)];
    if (request.dtype == DType::f16 && !(value == value)) value = infinity;
  }
  return values;
}

std::vector<double> fill_scale_1000(FillRequest& request) {
  std::vector<double> values = fill_normal(request);
  for (double& value : values) value *= 1000.0;
  return values;
}

ProfileRow row(std::string_view name, std::string_view purpose, FloatFill fill,
               bool special = false) {
  return {
      {name, 1, true, false, special, false, purpose}, ParameterKind::none, fill, nullptr, true};
}

}  // namespace

const std::vector<ProfileRow>& study_profile_rows() {
  static const std::vector<ProfileRow> table = {
      row("study_uniform", "U[-10,10), as published", fill_study_uniform),
      row("study_randn", "N(0,1)", fill_normal),
      row("study_nan_injected", "5 % NaN, infinities, zeros, as published", fill_nan_injected,
          true),
      row("study_adversarial", "five buckets of magnitudes, as published", fill_adversarial, true),
      row("study_tiny", "N(0,1) x 1e-3", fill_tiny),
      row("study_scale_1000", "N(0,1) x 1e3", fill_scale_1000),
      row("study_heavy", "+-exp(2 N)", fill_heavy),
      row("study_cancelling", "pairs that cancel", fill_cancelling),
      row("study_offset1000", "N(0,1) + 1e3", fill_offset1000),
      row("study_small_variance", "variance near eps", fill_small_variance),
  };
  return table;
}

}  // namespace gate
