// Distributions by name; the profiles of cases serve where there is one.
// SPDX-License-Identifier: Apache-2.0
#include "gate/search/suite_draws.h"

#include <algorithm>

#include "gate/cases/draws.h"
#include "gate/cases/fill.h"

namespace gate {

std::vector<double> suite_values(const SuiteDraw& draw) {
  FillRequest request;
  request.rows = draw.rows;
  request.cols = draw.cols;
  request.matrix_rows = draw.rows;
  request.dtype = request.output = draw.dtype;
  const double largest = facts(draw.dtype).largest;
  request.largest = largest;
  request.stream = RandomStream(draw.key, draw.lane);
  const ProfileFacts* profile = find_profile(draw.distribution);
  check(profile != nullptr, "distributions of suites are profiles");
  std::vector<double> values = fill_floats(profile_row(*profile), request);
  for (double& value : values) {
    value = rounded(draw.dtype, std::clamp(value, -largest, largest));
  }
  return values;
}

}  // namespace gate
