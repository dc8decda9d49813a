// Keeping started workers.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/worker_stock.h"

#include <algorithm>

namespace gate {

namespace {

bool serves(const WorkerOptions& there, const WorkerOptions& wanted) {
  return there.device == wanted.device && there.program == wanted.program &&
         there.device_index == wanted.device_index && there.slots == wanted.slots &&
         there.scratch == wanted.scratch && there.slot_bytes >= wanted.slot_bytes;
}

}  // namespace

bool starts_slowly(const std::string& device) { return device == "cuda" || device == "python"; }

void WorkerStock::prepare(const WorkerOptions& options, int count) {
  std::erase_if(waiting_, [&](const Waiting& one) { return !serves(one.options, options); });
  while (static_cast<int>(waiting_.size()) < count) {
    auto started = WorkerProcess::start(options);
    if (!started) return;  // whoever takes none starts one and hears why
    keep(options, std::move(*started), {});
  }
}

std::optional<WorkerProcess> WorkerStock::take(const WorkerOptions& options, std::string& facts) {
  const auto at = std::find_if(waiting_.begin(), waiting_.end(),
                               [&](const Waiting& one) { return serves(one.options, options); });
  if (at == waiting_.end()) return {};
  WorkerProcess process = std::move(at->process);
  facts = std::move(at->facts);
  waiting_.erase(at);
  return process;
}

void WorkerStock::keep(const WorkerOptions& options, WorkerProcess process, std::string facts) {
  waiting_.push_back({options, std::move(process), std::move(facts)});
}

}  // namespace gate
