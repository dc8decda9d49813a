#!/bin/bash
# The big example workflow: shards and classes of GPU, one verdict, hostile results, the publisher
# for forks, a cancelled run. In containers where they start, else with sandbox: process.
# Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
source "$(dirname "$0")/packages.sh"
source "$here/sandbox.sh"
install_packages "$build/action-tests"
choose_sandbox "$build"
fresh_folder "$build/verdict-run"
cd "$build/action-tests"
node verdict_scenarios.mjs "$root" "$build/verdict-run" "$sandbox" "$inputs"
