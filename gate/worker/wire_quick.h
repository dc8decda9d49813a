// The messages of every case, read without a document tree: only in the form that encode() gives
// them. What is read is encoded again and must be the same text, so that nothing is accepted here
// that the strict reader would refuse or take for something else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include "gate/worker/wire.h"

namespace gate {

/// The strict reader alone: parse_to_worker and parse_from_worker ask it where these know nothing.
Result<ToWorker> parse_to_worker_strictly(std::string_view text);
Result<FromWorker> parse_from_worker_strictly(std::string_view text);

/// Nothing says nothing: the strict reader decides.
std::optional<RunRequest> quick_run(std::string_view text);
std::optional<Begun> quick_begun(std::string_view text);
/// Without a text of its own, as of every case that went well.
std::optional<Finished> quick_finished(std::string_view text);

}  // namespace gate
