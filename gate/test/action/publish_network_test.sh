#!/bin/bash
# gate-publish behind an Enterprise Server's certificates and behind proxies, all on the loopback.
# Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
source "$(dirname "$0")/packages.sh"
command -v node > /dev/null || skip "no node"
command -v openssl > /dev/null || skip "no openssl"
[ -x "$build/gate-publish" ] || skip "gate-publish was not built (no libcurl)"
work=$build/publish-network
mkdir -p "$work"
cd "$work"
node "$here/publish_network.mjs" "$build/gate-publish" "$here/../golden/expected/red.json"
