// The text of --help; gate/cli/help/publish.txt is the same, held equal by a test.
// SPDX-License-Identifier: Apache-2.0
#include "gate/publish/publish.h"

namespace gate {

std::string_view publish_usage() {
  return R"USAGE(gate publish MODE... [flags]        (the same as: gate-publish MODE... [flags])

Publishes a JSON report on GitHub. Runs beside the job that decides, never instead of it: what the
results say does not change the exit code.

Modes, in any combination:
  summary     the step summary (needs no token)
  comment     the pull request comment, created or updated in place
  check-run   a check run with annotations at the kernels' lines
  status      a commit status
  sarif       code scanning alerts
  seeds       new seeds as a commit on --seeds-branch (never from pull requests)

  --results PATH        the report, a folder holding results.json, or a zip of one; without it, on
                        workflow_run, the run's artifact --artifact is downloaded
  --untrusted           the results come from a fork's run: tight caps, summary and comment only
                        (always so on workflow_run)
  --comment POLICY      when to create: changes (default), always, failures, off
  --comment-id ID       keeps several gates on one pull request apart
  --bot LOGIN           whose comments are ours (default github-actions[bot])
  --workflow PATH       workflow_run: the file whose runs are published
  --artifact NAME       workflow_run: NAME or NAME-<attempt> (default illusion-gate-verdict)
  --artifact-url URL    link to the uploaded artifact
  --image NAME@DIGEST   image for the command that reproduces
  --check-name NAME     --status-context NAME     --category NAME (SARIF)
  --seeds-branch NAME   for seeds
  --ca-bundle FILE      certificates of an Enterprise Server; proxies come from the environment
  --summary-file FILE   --output-file FILE
  --event FILE  --event-name NAME  --repository OWNER/NAME  --sha SHA  --ref REF  --run-id ID
  --attempt N  --api-url URL  --server-url URL    (default: what the runner's variables say)

The token is read from GITHUB_TOKEN and sent to the API and server addresses only.

Exit codes: 0 done, or nothing to do by design; 2 wrong use; 3 could not publish, with the reason
and the missing permission.
)USAGE";
}

}  // namespace gate
