// argv -> verb -> exit code, and nothing else: what each verb does is in gate/cli/<verb>.cpp.
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <iostream>

#include "gate/base/process.h"
#include "gate/cli/shard.h"
#include "gate/cli/verb.h"
#include "gate/worker/worker_process.h"

namespace {

constexpr int exit_own_bug = 70;

int own_bug(const char* what) {
  std::cerr << "gate: internal error: " << what << "\n";
  return exit_own_bug;
}

}  // namespace

int main(int argc, char** argv) {
  // Also for exceptions on the threads below: they end here, not in a core file.
  std::set_terminate([] { std::_Exit(own_bug("an exception escaped a thread")); });
  try {
    gate::Invocation invocation{
        .arguments = {argv + (argc > 0 ? 1 : 0), argv + argc},
        .out = std::cout,
        .err = std::cerr,
        .out_is_terminal = ::isatty(STDOUT_FILENO) == 1,
        .err_is_terminal = ::isatty(STDERR_FILENO) == 1,
        .shard = gate::shard_environment(),
    };
    gate::scrub_environment();
    gate::hide_from_workers();
    return gate::dispatch(invocation);
  } catch (const std::exception& problem) {
    return own_bug(problem.what());
  } catch (...) {
    return own_bug("an exception of unknown type");
  }
}
