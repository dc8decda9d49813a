// The end of a console run: which tests failed, what was found and how to run it again, the
// classes, and what this run did not show. Written so that a person can act without opening another
// file. SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "gate/base/text.h"
#include "gate/report/counts.h"
#include "gate/report/gpu_classes.h"
#include "gate/report/report.h"
#include "gate/report/score.h"
#include "gate/report/token.h"

namespace gate {
namespace {

constexpr std::size_t line_bytes_max = 4 * 1024;
constexpr std::size_t why_bytes_max = 160;  // a test's reason in a list; findings follow in full
constexpr std::size_t map_bytes_max = 8 * 1024;
constexpr std::size_t listed_max = 40;

/// Escape codes only where the caller's stream is a terminal.
struct Paint {
  bool on = false;
  std::string operator()(std::string_view code, std::string text) const {
    return on ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
  }
  std::string red(std::string text) const { return (*this)("31", std::move(text)); }
  std::string green(std::string text) const { return (*this)("32", std::move(text)); }
  std::string yellow(std::string text) const { return (*this)("33", std::move(text)); }
};

std::string clean(const std::string& text) { return clean_text(text, line_bytes_max); }

std::string plural(std::size_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

std::string indented(const std::string& text, std::string_view indent) {
  std::string result;
  for (const std::string& line : split(clean_text(text, map_bytes_max), '\n')) {
    if (!trim(line).empty()) result += fmt::format("{}{}\n", indent, line);
  }
  return result;
}

/// One line per failed test; of skipped and unchecked ones those of a column with one reason are
/// shown together, because a person reads them as one thing.
std::string tests_in(const Report& report, TestState state, const std::string& tag) {
  struct Line {
    std::string name, why;
    std::size_t more = 0;
  };
  std::vector<Line> lines;
  for (const ReportRow& row : report.rows) {
    const std::size_t before = lines.size();
    for (const TestRow& test : row.tests) {
      if (state_of(test) != state) continue;
      std::string why = clean_text(test.message, why_bytes_max);
      std::replace(why.begin(), why.end(), '\n', ' ');
      const auto alike =
          std::find_if(lines.begin() + static_cast<std::ptrdiff_t>(before), lines.end(),
                       [&](const Line& line) { return line.why == why; });
      if (state != TestState::failed && alike != lines.end()) {
        ++alike->more;
      } else {
        lines.push_back({clean(test.suite) + "." + clean(test.name), std::move(why)});
      }
    }
  }
  std::string text;
  for (const Line& line : lines) {
    const std::string more = line.more > 0 ? fmt::format(" and {} more", line.more) : "";
    const std::string why = line.why.empty() ? "" : ": " + line.why;
    text += fmt::format("{} {}{}{}\n", tag, line.name, more, why);
  }
  return text;
}

std::string test_totals(const Report& report, const Counts& counts, Paint paint) {
  std::string text = fmt::format("[==========] {} from {} ran.", plural(counts.tests, "test"),
                                 plural(counts.kernels, "kernel"));
  if (report.seconds > 0) text += fmt::format(" ({:.0f} ms total)", report.seconds * 1000);
  text +=
      fmt::format("\n{} {}.\n", paint.green("[  PASSED  ]"), plural(counts.tests_passed, "test"));
  if (counts.tests_skipped > 0) {
    const std::string tag = paint.yellow("[  SKIPPED ]");
    text += fmt::format("{} {}, red as expected or known:\n", tag,
                        plural(counts.tests_skipped, "test"));
    text += tests_in(report, TestState::skipped, tag);
  }
  if (counts.tests_unchecked > 0) {
    const std::string tag = paint.yellow("[ UNCHECKED]");
    text +=
        fmt::format("{} {}, neither green nor red:\n", tag, plural(counts.tests_unchecked, "test"));
    text += tests_in(report, TestState::unchecked, tag);
  }
  if (counts.tests_failed > 0) {
    const std::string tag = paint.red("[  FAILED  ]");
    text += fmt::format("{} {}, listed below:\n", tag, plural(counts.tests_failed, "test"));
    text += tests_in(report, TestState::failed, tag);
  }
  return text;
}

void add_field(std::string& text, std::string_view field, const std::string& value) {
  if (!value.empty()) text += fmt::format("     {:<8} {}\n", field, clean(value));
}

std::string finding_text(const ReportRow& row, const Finding& finding, std::size_t number,
                         Paint paint) {
  const RawFailure& failure = finding.failure;
  const Explanation& explanation = finding.explanation;
  std::string text =
      fmt::format("{:>3}. {} on {}: {} ({})\n", number,
                  clean(fmt::format("{}/{} {}", row.op, row.kernel, row.column)), clean(row.device),
                  paint.red(fmt::format("{} {}", clean(finding.novelty), name(finding.seed.kind))),
                  name(row.klass));
  add_field(text, "what",
            explanation.sentence.empty() ? failure.shrunk.verdict.text : explanation.sentence);
  add_field(text, "where", fmt::format("{}:{}", finding.source_file, finding.source_line));
  add_field(text, "worst", explanation.worst);
  if (!explanation.pattern.empty()) {
    const std::string detail =
        explanation.pattern_detail.empty() ? "" : ": " + explanation.pattern_detail;
    add_field(text, "pattern", explanation.pattern + detail);
  }
  add_field(text, "when", explanation.core);
  add_field(text, "case", to_text(failure.shrunk.test_case));
  add_field(text, "found",
            fmt::format("entry {} of the plan ({}), shrunk in {}, fails in {} of {} fresh workers",
                        failure.first.number + 1, failure.first.strategy,
                        plural(failure.shrink_executions, "execution"), failure.confirmed,
                        failure.attempts));
  if (!finding.sanitizer.empty()) {
    text += "     compute-sanitizer\n" + indented(finding.sanitizer, "       ");
  }
  if (!explanation.error_map.empty()) {
    text += "     errors\n" + indented(explanation.error_map, "       ");
  }
  const std::string seed =
      finding.seed.file.empty() ? to_token(finding.seed) : finding.seed.file.string();
  add_field(text, "replay", "gate replay " + seed);
  return text;
}

std::string findings_text(const Report& report, const Counts& counts, Paint paint) {
  if (counts.findings == 0) return {};
  std::string text = fmt::format("\n{}:\n", plural(counts.findings, "finding"));
  std::size_t number = 0;
  for (const ReportRow& row : report.rows) {
    for (const Finding& finding : row.findings) {
      text += finding_text(row, finding, ++number, paint);
    }
  }
  return text;
}

std::string classes_text(const Counts& counts) {
  std::string text =
      fmt::format("\n{} (a kernel's column each): {} clean, {} illusion, {} defect, {} unchecked\n",
                  plural(counts.rows, "row"), counts.rows_clean, counts.rows_illusion,
                  counts.rows_defect, counts.rows_unchecked);
  if (counts.kernels_expecting > 0) {
    text += fmt::format("{} of {} with an expectation as expected\n", counts.kernels_as_expected,
                        plural(counts.kernels_expecting, "kernel"));
  }
  return text;
}

/// Sentences that several speakers share, once each, in order of appearance.
class Sentences {
 public:
  void add(const std::string& sentence, const std::string& speaker) {
    std::vector<std::string>& speakers = speakers_[sentence];
    if (speakers.empty()) order_.push_back(sentence);
    speakers.push_back(speaker);
  }
  /// "a: sentence", or "12 rows: sentence".
  void write(std::vector<std::string>& lines, std::string_view noun) const {
    for (const std::string& sentence : order_) {
      const std::vector<std::string>& speakers = speakers_.at(sentence);
      const std::string who =
          speakers.size() == 1 ? speakers.front() : plural(speakers.size(), noun);
      lines.push_back(fmt::format("{}: {}", who, sentence));
    }
  }

 private:
  std::map<std::string, std::vector<std::string>> speakers_;
  std::vector<std::string> order_;
};

std::string not_shown_text(const Report& report) {
  std::vector<std::string> lines;
  Sentences kernels, rows;
  for (const auto& [kernel, reason] : report.not_selected) {
    kernels.add("not selected: " + reason, kernel);
  }
  kernels.write(lines, "kernel");
  for (const std::string& test : report.left_out) {
    lines.push_back("left out, its plan is only partly selected: " + test);
  }
  for (std::string& line : coverage_lines(report)) lines.push_back(std::move(line));
  for (const ReportRow& row : report.rows) {
    for (const std::string& sentence : row.not_shown) {
      rows.add(sentence, fmt::format("{}/{} {}", row.op, row.kernel, row.column));
    }
  }
  rows.write(lines, "row");
  if (lines.empty()) return {};
  std::string text = "\nNot shown by this run (the JSON report names every kernel and row):\n";
  for (std::size_t i = 0; i < lines.size() && i < listed_max; ++i) {
    text += fmt::format("  - {}\n", clean(lines[i]));
  }
  if (lines.size() > listed_max)
    text += fmt::format("  - and {} more\n", lines.size() - listed_max);
  return text;
}

/// What the change does to policy; every loosening is shown.
std::string policy_text(const Report& report, Paint paint) {
  if (report.policy_notes.empty()) return {};
  std::string text = "\nPolicy, compared with the base revision:\n";
  std::size_t quiet = 0;
  for (const std::string& note : report.policy_notes) {
    const bool loosens = note.starts_with("loosening: ");
    if (!loosens && ++quiet > listed_max) continue;
    const std::string line = clean(note);
    text += "  - " + (loosens ? paint.red(line) : line) + "\n";
  }
  if (quiet > listed_max) text += fmt::format("  - and {} more\n", quiet - listed_max);
  if (report.loosened) {
    text +=
        "  --allow-policy-change (a maintainer's label in the workflow) lets them take effect\n";
  }
  return text;
}

std::string verdict_text(const Report& report, Paint paint) {
  const int code = exit_code(report);
  switch (code) {
    case 0:
      return paint.green("\nAll selected was checked and is as expected.\n");
    case 1:
      return paint.red(report.loosened
                           ? "\nRed: the change loosens policy, see above. Exit code 1.\n"
                           : "\nRed: see the failed tests above. Exit code 1.\n");
    case 3:
      return paint.yellow(fmt::format(
          "\nThe environment failed{}. Exit code 3.\n",
          report.environment_problem.empty() ? "" : ": " + clean(report.environment_problem)));
    default:
      break;
  }
  if (report.rows.empty()) {
    return paint.yellow("\nNothing was checked: the selection is empty. Exit code 4.\n");
  }
  return paint.yellow("\nInconclusive: not everything selected was checked. Exit code 4.\n");
}

}  // namespace

std::string to_console_summary(const Report& report, bool colour) {
  const Counts counts = count(report);
  const Paint paint{colour};
  std::string text = test_totals(report, counts, paint);
  text += findings_text(report, counts, paint);
  if (counts.rows > 0) text += classes_text(counts);
  text += gpu_class_text(report);
  text += score_table_text(report);
  text += not_shown_text(report);
  text += policy_text(report, paint);
  text += verdict_text(report, paint);
  text += fmt::format("Run seed {}, profile {}.\n", clean(report.run_seed), clean(report.profile));
  return text;
}

}  // namespace gate
