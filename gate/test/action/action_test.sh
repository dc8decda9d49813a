#!/bin/bash
# The Action's steps for real: the image built from docker/Dockerfile on a bare Debian, kernels in
# containers with the sandbox's flags, a user's repository and its pull requests. Where no container
# can start, the same scenarios with sandbox: process, and that is said. Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
source "$(dirname "$0")/packages.sh"
source "$here/container_engine.sh"
root=$(cd "$here/../../.." && pwd)
[ -x "$build/gate-publish" ] || skip "gate-publish was not built (no libcurl)"
install_packages "$build/action-tests"
work=$build/action-run
rm -rf "$work"
mkdir -p "$work"

# The tree that was just built serves the image too: its content is this source tree's.
if [ "$build" = "$root/build/release" ]; then "$root/docker/content-hash.sh" > "$build/content-hash"; fi
trap 'rm -f "$build/content-hash"' EXIT

start_engine "$build/action-engine"
sandbox=podman
inputs="{\"base-image\":\"${base_image:-}\",\"allow-unpinned-image\":\"true\"}"
if [ -n "$no_container" ]; then
  echo "No container can start here ($no_container): the scenarios run with sandbox: process."
  sandbox=process
  inputs='{}'
fi
cd "$build/action-tests"
node action_scenarios.mjs "$root" "$work" $sandbox "$inputs" "$work/transcript.md"
