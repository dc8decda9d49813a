#!/bin/bash
# Every request of gate-publish against GitHub's own API description (github.com and an Enterprise
# Server), with real event payloads; and the comment of a hostile report through a renderer.
# Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
source "$(dirname "$0")/packages.sh"
[ -x "$build/gate-publish" ] || skip "gate-publish was not built (no libcurl)"
install_packages "$build/action-tests"
cd "$build/action-tests"
node comment_render.mjs "$here/../golden/expected"
node github_contract.mjs "$build/gate-publish" "$here/../golden/expected"
