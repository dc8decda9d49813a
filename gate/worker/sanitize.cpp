// One worker a tool; its log is read once it has ended by itself.
// SPDX-License-Identifier: Apache-2.0
#include "gate/worker/sanitize.h"

#include <algorithm>

#include "gate/base/files.h"
#include "gate/base/text.h"
#include "gate/worker/stream.h"

namespace gate {

namespace {

constexpr auto case_time = std::chrono::minutes(1);  // every instruction is watched
constexpr auto end_time = std::chrono::seconds(20);
constexpr std::size_t text_bytes_max = 6'000;
constexpr std::string_view mark = "=========";

/// Its lines without the mark in front, stacks of host frames and what changes from run to run.
std::string readable(const std::string& log) {
  std::string text;
  for (const std::string& line : split(log, '\n')) {
    if (!line.starts_with(mark)) continue;
    const std::string words(trim(line.substr(mark.size())));
    const bool noise = words.empty() || words == "COMPUTE-SANITIZER" ||
                       words.find("Host Frame") != std::string::npos ||
                       words.find("Saved host backtrace") != std::string::npos;
    if (!noise) text += words + "\n";
  }
  return clean_text(text, text_bytes_max);
}

/// Errors of memory and races; not warnings, not what CUDA's own calls returned, not its own. Nor
/// reads beyond shared memory: compilers load whole vectors there and use a part.
bool tells_of_errors(const std::string& text) {
  for (const char* sign :
       {"Invalid __global__", "Invalid __local__", "Invalid __shared__ write",
        "Invalid __shared__ atomic", "Misaligned", "misaligned", "Error: Race"}) {
    if (text.find(sign) != std::string::npos) return true;
  }
  return false;
}

/// Asks the worker to end, so that the tool writes its summary.
void end_gently(LoadedWorker& worker) {
  if (!worker.running()) return;
  const Deadline deadline = std::chrono::steady_clock::now() + end_time;
  std::string_view text;
  auto event = worker.process().send(encode(Bye{}), deadline);
  while (event == WorkerProcess::Event::message) event = worker.process().receive(text, deadline);
  worker.end();
}

SanitizerReport run_tool(const std::string& tool, const Image& image, SessionOptions options,
                         const std::vector<Job>& jobs) {
  SanitizerReport report{tool, false, false, {}};
  const auto folder = TemporaryFolder::create("gate-sanitizer-");
  if (!folder) {
    report.text = to_text(folder.failure());
    return report;
  }
  const auto log = folder->path() / "log";
  options.stock.reset();
  options.slots = 1;
  LoadedWorker worker(image, options);
  worker.run_under({tool, log});
  Outcome outcome;
  {
    Journal journal({});
    Patience patience(case_time);
    std::size_t given = 0;
    const Stream::Next next = [&]() -> std::optional<Job> {
      if (given == jobs.size()) return {};
      return jobs[given++];
    };
    const Stream::Done done = [&](std::size_t, Outcome result) { outcome = std::move(result); };
    Stream({worker, journal, patience}, next, done).run();
  }
  end_gently(worker);
  const auto words = read_file(log);
  report.text = words ? readable(*words) : std::string();
  report.ran = report.text.find("SUMMARY:") != std::string::npos || !report.text.empty();
  report.errors = tells_of_errors(report.text);
  if (!report.ran) report.text = outcome.text.empty() ? "it wrote nothing" : outcome.text;
  return report;
}

}  // namespace

std::vector<SanitizerReport> sanitize(const Image& image, const SessionOptions& options,
                                      const std::vector<Job>& jobs) {
  std::vector<SanitizerReport> reports;
  if (image.device != "cuda") return reports;
  std::vector<std::string> tools = {"memcheck"};
  if (image.uses_shared_or_atomics) tools.emplace_back("racecheck");
  for (const std::string& tool : tools) {
    reports.push_back(run_tool(tool, image, options, jobs));
    if (!reports.back().ran) break;  // the next would not run either
  }
  return reports;
}

std::string to_text(const std::vector<SanitizerReport>& reports) {
  std::string text;
  for (const SanitizerReport& report : reports) {
    const char* what = !report.ran     ? "did not run"
                       : report.errors ? "found errors"
                                       : "found nothing";
    text += report.tool + " " + what + (report.errors || !report.ran ? ":\n" + report.text : "");
    if (!text.ends_with('\n')) text += '\n';
  }
  return std::string(trim(text));
}

}  // namespace gate
