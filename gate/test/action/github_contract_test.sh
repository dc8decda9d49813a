#!/bin/bash
# Every request of gate-publish against GitHub's own API description (github.com and an Enterprise
# Server), with real event payloads; and the comment of a hostile report through a renderer.
# Needs node and the packages of package.json, installed below the build folder. Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
work=$build/github-contract

skip() { echo "skipped: $1"; exit 77; }
command -v node > /dev/null || skip "no node"
command -v npm > /dev/null || skip "no npm"
[ -x "$build/gate-publish" ] || skip "gate-publish was not built (no libcurl)"

mkdir -p "$work"
stamp=$(sha256sum "$here/package-lock.json" | cut -d' ' -f1)
if [ "$(cat "$work/installed" 2> /dev/null)" != "$stamp" ]; then
  cp "$here/package.json" "$here/package-lock.json" "$work/"
  (cd "$work" && npm ci --ignore-scripts --no-audit --no-fund) || skip "packages cannot be fetched"
  echo "$stamp" > "$work/installed"
fi
cp "$here"/*.mjs "$work/"   # beside node_modules, where imports are found
cd "$work"
node comment_render.mjs "$here/../golden/expected"
node github_contract.mjs "$build/gate-publish" "$here/../golden/expected"
