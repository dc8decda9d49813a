#!/bin/bash
# The Action's steps for real: the image built from docker/Dockerfile on a bare Debian, kernels in
# containers with the sandbox's flags, a user's repository and its pull requests. Where no container
# can start, the same scenarios with sandbox: process, and that is said.
# With "known" as second argument also what needs novelty against the base's kernels: a known bug,
# and a second one beside it. Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
source "$(dirname "$0")/packages.sh"
source "$here/sandbox.sh"
install_packages "$build/action-tests"
choose_sandbox "$build"
fresh_folder "$build/action-run"
cd "$build/action-tests"
node action_scenarios.mjs "$root" "$build/action-run" "$sandbox" "$inputs" \
  "$build/action-transcript.md" "${2:-}"
