// gate render: a JSON report in another format, offline.
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "gate/base/text.h"
#include "gate/cli/arguments.h"
#include "gate/cli/report_files.h"
#include "gate/cli/terminal.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"
#include "gate/report/html.h"
#include "gate/report/markdown.h"
#include "gate/report/report.h"
#include "gate/report/sarif.h"
#include "gate/report/score.h"

namespace gate {
namespace {

struct Format {
  std::string name;
  std::string (*write)(const Report& report, bool colour);
};

const std::vector<Format>& all_formats() {
  static const std::vector<Format> formats = {
      {"console",
       [](const Report& report, bool colour) { return to_console_summary(report, colour); }},
      {"junit", [](const Report& report, bool) { return to_junit(report); }},
      {"json", [](const Report& report, bool) { return to_json(report); }},
      {"comment", [](const Report& report, bool) { return to_comment(report, {}); }},
      {"summary", [](const Report& report, bool) { return to_step_summary(report, {}); }},
      {"sarif", [](const Report& report, bool) { return to_sarif(report); }},
      {"html", [](const Report& report, bool) { return to_html(report); }},
      {"scores", [](const Report& report, bool) { return to_scores(report); }},
  };
  return formats;
}

Result<const Format*> find_format(const std::string& name) {
  std::vector<std::string> names;
  for (const Format& format : all_formats()) {
    if (format.name == name) return &format;
    names.push_back(format.name);
  }
  return user_failure("unknown format: " + clean_text(name, 100), "one of: " + join(names, " "));
}

}  // namespace

int render_verb(const Invocation& invocation) {
  std::vector<std::string> files;
  std::string format_name = "console", output;
  Arguments flags;
  flags.positional("FILE", files);
  flags.option("--format", format_name);
  flags.option("--output", output);
  const Result<Done> parsed = flags.parse(invocation.arguments);
  if (!parsed) return report_failure(parsed.failure(), invocation.err);
  if (files.size() != 1) {
    return report_failure(user_failure("render takes one JSON report"), invocation.err);
  }
  const Result<const Format*> format = find_format(format_name);
  if (!format) return report_failure(format.failure(), invocation.err);
  const Result<Report> report = read_report(files.front());
  if (!report) return report_failure(report.failure(), invocation.err);
  const bool colour = output.empty() && wants_colour("auto", invocation.out_is_terminal);
  const std::string rendered = (*format)->write(*report, colour);
  if (output.empty()) {
    invocation.out << rendered << std::flush;
    return 0;
  }
  const Result<Done> written = write_output("--output", output, rendered);
  return written ? 0 : report_failure(written.failure(), invocation.err);
}

}  // namespace gate
