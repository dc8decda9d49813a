// gate-publish from its options to its exit code: 0 done, 2 wrong use, 3 could not publish. What
// the results say never changes it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <string_view>

#include "gate/publish/clock.h"
#include "gate/publish/options.h"

namespace gate {

std::string_view publish_usage();

struct PublishStreams {
  std::ostream& out;
  std::ostream& err;
};
int publish(const PublishOptions& options, const Clock& clock, PublishStreams streams);

}  // namespace gate
