// Writing and gathering the files of a study.
// SPDX-License-Identifier: Apache-2.0
#include "gate/cli/study_files.h"

#include <fmt/core.h>
#include <sys/utsname.h>

#include <set>

#include "gate/base/files.h"
#include "gate/base/hash.h"
#include "gate/base/runtime.h"
#include "gate/base/text.h"
#include "gate/cli/report_files.h"
#include "gate/worker/worker_process.h"

namespace gate {
namespace {

constexpr std::uint64_t program_bytes_max = 1ull << 30;

StudyJson table_json(const StudyTable& table) {
  return {{"title", table.title}, {"text", table.text}, {"head", table.head}, {"rows", table.rows}};
}

std::string dump(const StudyJson& json) {
  return json.dump(1, ' ', false, StudyJson::error_handler_t::replace) + "\n";
}

std::string lines_of(const std::vector<std::string>& raw) {
  std::string text;
  for (const std::string& line : raw) text += line + "\n";
  return text;
}

void add_folder(const std::filesystem::path& folder, Sha256& hash) {
  for (const std::filesystem::path& file : find_files(folder, "")) {
    const Result<std::string> text = read_file(file);
    hash.add(file.lexically_relative(folder).string() + "\n" + (text ? *text : ""));
  }
}

/// SHA-256 over the op folders and the tolerances: what exactly was measured, and by which rows.
std::string corpus_digest(const StudyOptions& options) {
  Sha256 hash;
  std::set<std::filesystem::path> folders;
  for (const StudyKernel& kernel : options.kernels) {
    folders.insert(kernel.op->folder);
    for (const auto& [column, row] : kernel.tolerances) {
      hash.add(fmt::format("{} {} {}\n", kernel.op->name, column, row.c));
    }
  }
  for (const PlanBug& bug : options.bugs) {
    folders.insert(bug.op->folder);
    hash.add(fmt::format("{} {} {}\n", bug.op->name, bug.column, bug.tolerance.c));
  }
  for (const std::filesystem::path& folder : folders) {
    hash.add(folder.filename().string() + "\n");
    add_folder(folder, hash);
  }
  return hash.hex();
}

void add_controls(const StudyJson& data, StudySummary& summary) {
  summary.control_red += data.value("control_red", std::int64_t{0});
  summary.control_grey += data.value("control_grey", std::int64_t{0});
}

}  // namespace

StudyJson study_manifest(const StudyOptions& options) {
  utsname machine{};
  const bool known = ::uname(&machine) == 0;
  return {{"gate", GATE_VERSION},
          {"compiler", __VERSION__},
          {"system", known ? fmt::format("{} {}", machine.sysname, machine.machine) : "unknown"},
          {"device", options.device},
          {"revision", options.revision},
          {"run_seed", hex64(options.run_seed)},
          {"cases", options.cases},
          {"suite_cases", options.suite_cases},
          {"seeds", options.seeds},
          {"kernels", options.kernels.size()},
          {"corpus_sha256", corpus_digest(options)}};
}

std::string study_state(const StudyOptions& options) {
  Sha256 hash;
  std::error_code error;
  for (const std::filesystem::path& program :
       {std::filesystem::canonical("/proc/self/exe", error), find_worker_program()}) {
    const Result<std::string> bytes = read_file(program, program_bytes_max);
    hash.add(bytes ? sha256_hex(*bytes) : program.string());
  }
  add_folder(runtime_folder(), hash);
  const Profile& profile = options.profile;
  hash.add(fmt::format("{} {} {} {} {}", corpus_digest(options), options.device,
                       hex64(options.run_seed), profile.entries, profile.schedules));
  for (const auto& [device, caps] : profile.caps) {
    hash.add(fmt::format(" {} {} {}", device, caps.elements_max, caps.operations_max));
  }
  for (const auto& [strategy, share] : profile.strategy_entries) {
    hash.add(fmt::format(" {} {}", strategy, share));
  }
  return hash.hex().substr(0, 16);
}

Result<Done> StudyFolder::write_part(const StudyPart& part, const StudyOptions& options) const {
  StudyJson json = {
      {"name", part.name}, {"measured", part.measured},    {"manifest", study_manifest(options)},
      {"data", part.data}, {"tables", StudyJson::array()}, {"charts", StudyJson::array()}};
  for (const StudyTable& table : part.tables) json["tables"].push_back(table_json(table));
  for (const StudyChart& chart : part.charts) {
    json["charts"].push_back({{"file", "study-" + chart.name + ".svg"}, {"title", chart.title}});
    const Result<Done> written =
        write_output("--out", folder_ / ("study-" + chart.name + ".svg"), study_svg(chart));
    if (!written) return written;
  }
  const Result<Done> raw =
      write_output("--out", folder_ / "raw" / (part.name + ".jsonl"), lines_of(part.raw));
  if (!raw) return raw;
  return write_output("--out", folder_ / "parts" / (part.name + ".json"), dump(json));
}

Result<StudySummary> StudyFolder::write_whole() const {
  std::vector<StudyJson> parts;
  StudyJson whole = {{"version", 1}, {"manifest", StudyJson::object()}};
  StudySummary summary;
  for (const StudyPartRow& row : all_study_parts()) {
    const std::filesystem::path file = folder_ / "parts" / (std::string(row.name) + ".json");
    std::error_code error;
    if (!std::filesystem::exists(file, error)) continue;
    const Result<std::string> text = read_file(file);
    if (!text) return text.failure();
    StudyJson part = StudyJson::parse(*text, nullptr, false);
    if (part.is_discarded() || !part.contains("data") || !part.contains("manifest")) {
      return user_failure("not a part of a study", "remove it and take the part again",
                          {file.string()});
    }
    const std::string name(row.name);
    whole["manifest"][name] = part["manifest"];
    whole[name] = part["data"];
    if (part["data"].is_object()) add_controls(part["data"], summary);
    parts.push_back(std::move(part));
  }
  for (const auto& [name, text] :
       {std::pair<std::string, std::string>{"study.json", dump(whole)},
        std::pair<std::string, std::string>{"study.md", study_markdown(parts)}}) {
    const Result<Done> written = write_output("--out", folder_ / name, text);
    if (!written) return written.failure();
  }
  summary.text = fmt::format("{}: {} parts, {} red control cases, {} not checked\n",
                             (folder_ / "study.md").string(), parts.size(), summary.control_red,
                             summary.control_grey);
  return summary;
}

}  // namespace gate
