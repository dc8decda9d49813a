// The files a run writes: report files at any time, seed files the moment a finding exists.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "gate/base/result.h"
#include "gate/explain/finding.h"
#include "gate/report/report.h"

namespace gate {

/// Creates the parent folder and replaces the file; a user failure names the flag that chose it.
Result<Done> write_output(const std::string& flag, const std::filesystem::path& file,
                          const std::string& text);

/// A JSON report that this machine or a trusted shard wrote; problems name the file.
Result<Report> read_report(const std::filesystem::path& file);

/// Writes seeds below a folder as <op>/<kernel>-<fingerprint>[-n].toml; usable from any thread.
class SeedWriter {
 public:
  explicit SeedWriter(std::filesystem::path folder) : folder_(std::move(folder)) {}
  /// Does nothing without a folder; sets the seed's file where it was written.
  void write(Finding& finding);
  /// Problems so far: a disk that is full must not pass silently.
  std::vector<Problem> problems() const;

 private:
  std::filesystem::path folder_;
  mutable std::mutex mutex_;
  std::vector<Problem> problems_;
};

/// File name of a seed below its op's folder.
std::string seed_file_name(const Seed& seed);

}  // namespace gate
