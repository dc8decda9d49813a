// Checking targets in the background: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/background.h"

#include <algorithm>

#include "gate/base/text.h"
#include "gate/worker/worker_stock.h"

namespace gate {
namespace {

constexpr auto idle_interval = std::chrono::milliseconds(100);

}  // namespace

Background::Background(const std::vector<SelectedTarget>& targets, BackgroundOptions options)
    : targets_(targets), options_(std::move(options)) {
  check(!options_.devices.empty(), "there is a device number for every thread");
  for (const SelectedTarget& target : targets_) entries_ += target.plan.entries.size();
  const int jobs = std::min(options_.jobs, static_cast<int>(targets_.size()));
  for (int thread = 0; thread < jobs; ++thread) {
    threads_.emplace_back([this, thread] { work(thread); });
  }
}

CheckOptions Background::check_options(std::size_t target, int thread) {
  CheckOptions options = options_.check;
  const Target& what = targets_[target].plan.target;
  const auto devices = options_.devices.size();
  options.session.device_index = options_.devices[static_cast<std::size_t>(thread) % devices];
  if (const auto caps = options.profile.caps.find(what.device);
      caps != options.profile.caps.end()) {
    options.session.case_timeout_ms = caps->second.case_timeout_ms;
  }
  if (!options_.journals.empty()) {
    options.session.journal = options_.journals / std::to_string(target);
  }
  options.entry_done = [this] { ++entries_done_; };
  options.found = [this, report = options_.check.found](Finding& finding) {
    ++findings_;
    if (report) report(finding);
  };
  return options;
}

void Background::work(int thread) {
  auto stock =
      thread == 0 && options_.first_stock ? options_.first_stock : std::make_shared<WorkerStock>();
  for (std::size_t i = next_++; i < targets_.size(); i = next_++) {
    CheckOptions options = check_options(i, thread);
    options.session.stock = stock;
    TargetResult result = check_target(targets_[i].plan, options);
    std::string facts = result.device_facts;
    ReportRow row = make_row(targets_[i], std::move(result), options_.check.date);
    const std::lock_guard lock(mutex_);
    if (!facts.empty()) device_facts_.emplace(row.device, std::move(facts));
    rows_.emplace(i, std::move(row));
    ready_.notify_all();
  }
}

const ReportRow& Background::wait(std::size_t target, const std::function<void()>& idle) {
  std::unique_lock lock(mutex_);
  while (rows_.count(target) == 0) {
    ready_.wait_for(lock, idle_interval);
    if (rows_.count(target) > 0) break;
    lock.unlock();
    idle();
    lock.lock();
  }
  return rows_.at(target);
}

std::string Background::device_facts() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> parts;
  for (const auto& [device, facts] : device_facts_) parts.push_back("\"" + device + "\":" + facts);
  return parts.empty() ? std::string() : "{" + join(parts, ",") + "}";
}

Progress Background::progress() const {
  const std::lock_guard lock(mutex_);
  return {entries_, entries_done_, targets_.size(), rows_.size(), findings_};
}

}  // namespace gate
