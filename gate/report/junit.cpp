// Report -> JUnit XML that every common reader takes: flat suites, counts on both levels equal to
// the children, name classname file line time on every case, valid UTF-8, capped texts.
// Red is a failure, grey an error, known and expected findings are skipped.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <optional>

#include "gate/base/text.h"
#include "gate/policy/note.h"
#include "gate/report/counts.h"
#include "gate/report/report.h"

namespace gate {
namespace {

constexpr std::size_t message_bytes_max = 512;
constexpr std::size_t body_bytes_max = 8 * 1024;
constexpr std::size_t name_bytes_max = 512;

/// For attributes and text alike; line ends in attributes would be folded, so they are references.
std::string escape(std::string_view text, std::size_t bytes_max) {
  std::string escaped;
  for (const char letter : clean_text(text, bytes_max)) {
    switch (letter) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&apos;";
        break;
      case '\n':
        escaped += "&#10;";
        break;
      case '\t':
        escaped += "&#9;";
        break;
      default:
        escaped += letter;
    }
  }
  return escaped;
}

/// As escape, but line ends stay readable: for element text.
std::string escape_body(std::string_view text) {
  std::string escaped = escape(text, body_bytes_max);
  for (std::size_t at = 0; (at = escaped.find("&#10;", at)) != std::string::npos;) {
    escaped.replace(at, 5, "\n");
  }
  return escaped;
}

std::string one_line(std::string text) {
  for (char& letter : text) {
    if (letter == '\n' || letter == '\r' || letter == '\t') letter = ' ';
  }
  return escape(text, message_bytes_max);
}

struct SuiteCounts {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;
  void add(const TestRow& test) {
    ++tests;
    seconds += test.seconds;
    switch (state_of(test)) {
      case TestState::passed:
        break;
      case TestState::failed:
        ++failures;
        break;
      case TestState::unchecked:
        ++errors;
        break;
      case TestState::skipped:
        ++skipped;
        break;
    }
  }
  std::string text() const {
    return fmt::format(R"(tests="{}" failures="{}" errors="{}" skipped="{}" time="{:.3f}")", tests,
                       failures, errors, skipped, seconds);
  }
};

std::string properties_xml(const std::map<std::string, std::string>& properties,
                           std::string_view indent) {
  if (properties.empty()) return {};
  std::string xml = fmt::format("{}<properties>\n", indent);
  for (const auto& [key, value] : properties) {
    xml += fmt::format("{}  <property name=\"{}\" value=\"{}\"/>\n", indent,
                       escape(key, name_bytes_max), escape(value, body_bytes_max));
  }
  return xml + fmt::format("{}</properties>\n", indent);
}

std::string outcome_xml(const TestRow& test) {
  const std::string message =
      one_line(test.message.empty() ? std::string(name(test.kind)) : test.message);
  const std::string body = escape_body(test.body);
  switch (state_of(test)) {
    case TestState::passed:
      return {};
    case TestState::skipped:
      return fmt::format("      <skipped message=\"{}\"/>\n", message);
    case TestState::failed: {
      const auto novelty = test.properties.find("ig.novelty");
      const std::string type = novelty == test.properties.end() ? "new" : novelty->second;
      return fmt::format("      <failure type=\"illusion.{}\" message=\"{}\">{}</failure>\n",
                         escape(type, name_bytes_max), message, body);
    }
    case TestState::unchecked:
      return fmt::format("      <error type=\"{}\" message=\"{}\">{}</error>\n", name(test.kind),
                         message, body);
  }
  return {};
}

std::string test_xml(const TestRow& test) {
  std::string content = properties_xml(test.properties, "      ") + outcome_xml(test);
  const TestState state = state_of(test);
  if (!test.body.empty() && (state == TestState::passed || state == TestState::skipped)) {
    content += fmt::format("      <system-out>{}</system-out>\n", escape_body(test.body));
  }
  const std::string head =
      fmt::format(R"(    <testcase name="{}" classname="{}" file="{}" line="{}" time="{:.3f}")",
                  escape(test.name, name_bytes_max), escape(test.suite, name_bytes_max),
                  escape(test.file, name_bytes_max), test.line, test.seconds);
  if (content.empty()) return head + "/>\n";
  return head + ">\n" + content + "    </testcase>\n";
}

TestRow skipped_row(const std::string& suite, const std::string& test, const std::string& message) {
  TestRow row;
  row.suite = suite;
  row.name = test;
  row.file = "gate.toml";
  row.skipped = true;
  row.message = message;
  return row;
}

/// A loosening is a test of its own: it fails, or says that somebody allowed it.
std::optional<TestRow> loosening_row(const std::string& text, std::size_t number) {
  const std::optional<PolicyNote> note = parse_note(text);
  if (!note) return std::nullopt;
  const bool red = note->what == PolicyNote::What::loosening;
  if (!red && note->what != PolicyNote::What::allowed) return std::nullopt;
  TestRow row = skipped_row("policy", fmt::format("{}/{}", note->file, number), text);
  row.file = note->file;
  row.line = note->line;
  row.skipped = !red;
  row.kind = Kind::wrong;
  row.properties["ig.novelty"] = "policy";
  return row;
}

/// Tests by suite, suites in the order of their first test: readers ignore nested ones.
std::vector<std::vector<TestRow>> suites_of(const Report& report) {
  std::vector<std::vector<TestRow>> suites;
  std::map<std::string, std::size_t> number;
  const auto add = [&](const TestRow& test) {
    const auto [at, fresh] = number.try_emplace(test.suite, suites.size());
    if (fresh) suites.emplace_back();
    suites[at->second].push_back(test);
  };
  for (const ReportRow& row : report.rows) {
    for (const TestRow& test : row.tests) add(test);
  }
  for (const auto& [kernel, reason] : report.not_selected) {
    add(skipped_row(kernel, "not_selected", "not selected: " + reason));
  }
  for (const std::string& test : report.left_out) {
    const std::size_t dot = test.find('.');
    const bool whole = dot == std::string::npos;
    add(skipped_row(whole ? "left_out" : test.substr(0, dot), whole ? test : test.substr(dot + 1),
                    "left out: its plan is only partly selected"));
  }
  for (std::size_t i = 0; i < report.policy_notes.size(); ++i) {
    if (const auto row = loosening_row(report.policy_notes[i], i + 1)) add(*row);
  }
  if (!report.environment_problem.empty()) {
    TestRow row = skipped_row("gate", "environment", report.environment_problem);
    row.skipped = false;
    row.kind = Kind::environment;
    add(row);
  }
  return suites;
}

std::map<std::string, std::string> run_properties(const Report& report) {
  std::map<std::string, std::string> properties{{"ig.run_seed", report.run_seed},
                                                {"ig.profile", report.profile},
                                                {"ig.device", report.device},
                                                {"ig.program", report.version}};
  if (!report.revision.empty()) properties["ig.revision"] = report.revision;
  if (!report.shard.empty()) properties["ig.shard"] = report.shard;
  return properties;
}

}  // namespace

std::string to_junit(const Report& report) {
  SuiteCounts total;
  std::string body;
  for (const std::vector<TestRow>& suite : suites_of(report)) {
    SuiteCounts counts;
    std::string tests;
    for (const TestRow& test : suite) {
      counts.add(test);
      total.add(test);
      tests += test_xml(test);
    }
    const std::string stamp =
        report.started.empty()
            ? std::string()
            : fmt::format(R"( timestamp="{}")", escape(report.started, name_bytes_max));
    body += fmt::format("  <testsuite name=\"{}\" {}{}>\n",
                        escape(suite.front().suite, name_bytes_max), counts.text(), stamp);
    body += properties_xml(run_properties(report), "    ") + tests + "  </testsuite>\n";
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"illusion gate\" {}>\n"
      "{}</testsuites>\n",
      total.text(), body);
}

}  // namespace gate
