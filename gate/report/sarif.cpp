// SARIF writer: one rule per kind, one result per finding that is not expected.
// SPDX-License-Identifier: Apache-2.0
#include "gate/report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "gate/base/text.h"
#include "gate/report/summary.h"

namespace gate {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t results_max = 5'000;  // GitHub keeps no more
constexpr std::size_t text_bytes_max = 1'000;

std::string clean(const std::string& text) { return clean_text(text, text_bytes_max); }

std::string rule_id(Kind kind) { return "illusion/" + std::string(name(kind)); }

std::string_view meaning(Kind kind) {
  switch (kind) {
    case Kind::wrong:
      return "An element differs from the fp64 reference by more than a correct kernel may.";
    case Kind::nonfinite:
      return "An element is NaN or infinite where the reference is finite, or the reverse.";
    case Kind::law_broken:
      return "Two related inputs give outputs that break a law of the op.";
    case Kind::nondeterministic:
      return "The same bytes give different results in another schedule or another run.";
    case Kind::out_of_bounds:
      return "The kernel wrote outside its tensors.";
    case Kind::unwritten:
      return "An output element was never written.";
    case Kind::input_modified:
      return "The kernel changed one of its inputs.";
    case Kind::crash:
      return "The kernel crashed its worker, and a fresh one too.";
    case Kind::timeout:
      return "The kernel did not end in time.";
    case Kind::barrier:
      return "Threads of a block did not all reach a barrier.";
    case Kind::launch_failed:
      return "The kernel could not be launched.";
    case Kind::build_failed:
      return "The kernel does not compile.";
    default:
      return "The kernel could not be checked.";
  }
}

Json rule_json(Kind kind) {
  return {{"id", rule_id(kind)},
          {"name", name(kind)},
          {"shortDescription", {{"text", fmt::format("Kernel illusion: {}", name(kind))}}},
          {"fullDescription", {{"text", meaning(kind)}}},
          {"help", {{"text", "Run the seed of the report again: gate replay <token>."}}},
          {"properties",
           {{"precision", "very-high"},
            {"problem.severity", "error"},
            {"tags", {"correctness", "gpu"}}}}};
}

std::string hash_of(const Finding& finding) {
  return fmt::format("{}:{}", finding.seed.fingerprint, finding.seed.number);
}

Json result_json(const StandingFinding& each, const std::set<std::string>& devices,
                 const std::map<Kind, std::size_t>& rule_index) {
  const Finding& finding = *each.finding;
  const Kind kind = finding.seed.kind;
  const std::string what = finding.explanation.sentence.empty()
                               ? finding.failure.shrunk.verdict.text
                               : finding.explanation.sentence;
  const std::string text =
      fmt::format("{} ({}, on {}): {}", finding_title(each), name(each.standing),
                  join({devices.begin(), devices.end()}, ", "), clean(what));
  const int line = std::max(1, finding.source_line);
  const Json place = {{"physicalLocation",
                       {{"artifactLocation", {{"uri", repository_path(finding.source_file)}}},
                        {"region", {{"startLine", line}, {"endLine", line}}}}}};
  return {
      {"ruleId", rule_id(kind)},
      {"ruleIndex", rule_index.at(kind)},
      {"level", asks_for_answer(each.standing) ? "error" : "note"},
      {"message", {{"text", text}}},
      {"locations", Json::array({place})},
      {"partialFingerprints", {{"primaryLocationLineHash", hash_of(finding)}}},
      {"properties",
       {{"standing", name(each.standing)},
        {"confirmed", fmt::format("{}/{}", finding.failure.confirmed, finding.failure.attempts)}}}};
}

std::vector<StandingFinding> shown_findings(const Report& report) {
  std::vector<StandingFinding> findings = standing_findings(report);
  std::erase_if(findings, [](const StandingFinding& each) {
    return each.standing == Standing::expected || each.standing == Standing::fixed;
  });
  return findings;
}

std::string category_of(const Report& report, const SarifFacts& facts) {
  if (!facts.category.empty()) return facts.category;
  return "illusion-gate/" + clean(report.device) + "/";
}

}  // namespace

std::string repository_path(const std::string& path) {
  const bool plain = !path.empty() && path.size() <= 500 && path.front() != '/' &&
                     std::all_of(path.begin(), path.end(), [](char letter) {
                       return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                              std::string_view("._-/+").find(letter) != std::string_view::npos;
                     });
  const std::vector<std::string> parts = split(path, '/');
  const bool inside = std::none_of(parts.begin(), parts.end(), [](const std::string& part) {
    return part.empty() || part == "." || part == "..";
  });
  return plain && inside ? path : "gate.toml";
}

std::string to_sarif(const Report& report, const SarifFacts& facts) {
  const std::vector<StandingFinding> findings = shown_findings(report);
  std::map<std::string, std::set<std::string>> devices;  // one alert, however many devices show it
  std::map<Kind, std::size_t> rule_index;
  Json rules = Json::array();
  for (const StandingFinding& each : findings) {
    devices[hash_of(*each.finding)].insert(clean(each.row->device));
    if (rule_index.try_emplace(each.finding->seed.kind, rules.size()).second) {
      rules.push_back(rule_json(each.finding->seed.kind));
    }
  }
  Json results = Json::array();
  std::set<std::string> written;
  for (const StandingFinding& each : findings) {
    const std::string hash = hash_of(*each.finding);
    if (!written.insert(hash).second || results.size() >= results_max) continue;
    results.push_back(result_json(each, devices[hash], rule_index));
  }
  const Json driver = {{"name", "illusion-gate"},
                       {"semanticVersion", clean(report.version)},
                       {"rules", std::move(rules)}};
  const Json run = {{"tool", {{"driver", driver}}},
                    {"automationDetails", {{"id", category_of(report, facts)}}},
                    {"columnKind", "utf16CodeUnits"},
                    {"results", std::move(results)}};
  const Json whole = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
  return whole.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gate
