// gate publish: runs gate-publish, which stands beside this program. It is a program of its own so
// that gate needs no network library and never holds a token while it runs kernels.
// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "gate/base/process.h"
#include "gate/cli/verb.h"
#include "gate/cli/verbs.h"

namespace gate {
namespace {

constexpr int publish_timeout_ms = 60 * 60 * 1000;  // rate limits may ask for long waits
constexpr int exit_unpublished = 3;

}  // namespace

int publish_verb(const Invocation& invocation) {
  std::vector<std::string> arguments = {(program_folder() / "gate-publish").string()};
  arguments.insert(arguments.end(), invocation.arguments.begin(), invocation.arguments.end());
  const Result<ProcessResult> ended = run_process(arguments, {.timeout_ms = publish_timeout_ms});
  if (!ended) {
    Failure failure = ended.failure();
    failure.problems.front().hint = "gate-publish is built where libcurl was found";
    return report_failure(failure, invocation.err);
  }
  invocation.out << ended->output << std::flush;
  invocation.err << ended->errors << std::flush;
  return ended->exit_code < 0 ? exit_unpublished : ended->exit_code;
}

}  // namespace gate
