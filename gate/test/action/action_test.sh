#!/bin/bash
# The Action's steps for real: the image built from docker/Dockerfile on a bare Debian, kernels in
# containers with the sandbox's flags, a user's repository and its pull requests. Where no container
# can start, the same scenarios with sandbox: process, and that is said.
# Then every way that a pull request could lower what is demanded of it. Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
source "$(dirname "$0")/packages.sh"
source "$here/sandbox.sh"
install_packages "$build/action-tests"
choose_sandbox "$build"
fresh_folder "$build/action-run"
cd "$build/action-tests"
code=0
part=${2:-all}   # people or policy: only that part
transcript=$build/action-transcript.md
rm -f "$transcript"
if [ "$part" != policy ]; then
  node action_scenarios.mjs "$root" "$build/gate" "$build/action-run/people" "$sandbox" \
    "$inputs" "$transcript" || code=1
fi
if [ "$part" != people ]; then
  node policy_scenarios.mjs "$root" "$build/gate" "$build/action-run/policy" "$sandbox" \
    "$inputs" "$transcript" || code=1
fi
exit $code
