// Files a run writes: see the header.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/report_files.h"

#include "gate/base/files.h"
#include "gate/spec/read.h"

namespace gate {
namespace {

constexpr std::uint64_t report_bytes_max = 1ull << 30;

}  // namespace

Result<Done> write_output(const std::string& flag, const std::filesystem::path& file,
                          const std::string& text) {
  std::error_code error;
  if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path(), error);
  const Result<Done> written = write_file(file, text);
  if (written) return Done{};
  Failure failure = written.failure();
  for (Problem& problem : failure.problems) problem.text = flag + ": " + problem.text;
  return failure;
}

Result<Report> read_report(const std::filesystem::path& file) {
  const Result<std::string> text = read_file(file, report_bytes_max);
  if (!text) return text.failure();
  Result<Report> report = parse_report(*text, false);
  if (report) return report;
  Failure failure = report.failure();
  for (Problem& problem : failure.problems) {
    if (problem.place.file.empty()) problem.place.file = file.string();
  }
  return failure;
}

std::string seed_file_name(const Seed& seed) {
  const std::string suffix = seed.number > 1 ? "-" + std::to_string(seed.number) : "";
  return seed.kernel + "-" + seed.fingerprint + suffix + ".toml";
}

void SeedWriter::write(Finding& finding) {
  if (folder_.empty()) return;
  const std::filesystem::path file =
      folder_ / finding.seed.test_case.op / seed_file_name(finding.seed);
  const Result<Done> written = write_output("--seeds-out", file, to_toml(finding.seed));
  const std::lock_guard lock(mutex_);
  if (written) {
    finding.seed.file = file;
  } else {
    const Failure& failure = written.failure();
    problems_.insert(problems_.end(), failure.problems.begin(), failure.problems.end());
  }
}

std::vector<Problem> SeedWriter::problems() const {
  const std::lock_guard lock(mutex_);
  return problems_;
}

}  // namespace gate
