#!/bin/bash
# Linters over action.yml and the workflows, shellcheck over the Action's scripts, and the release
# check, which must refuse placeholders and accept pins. Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
source "$(dirname "$0")/packages.sh"
root=$(cd "$here/../../.." && pwd)
install_packages "$build/action-tests"
(cd "$build/action-tests" && node --import ./json_import.mjs lint.mjs "$root")

if command -v shellcheck > /dev/null; then
  (cd "$root" && shellcheck --severity=warning --exclude=SC2154,SC2034,SC2054 --external-sources \
    --source-path=docker/action docker/*.sh docker/action/*.sh gate/test/action/*.sh)
fi

pinned=$(mktemp -d)
trap 'rm -rf "$pinned"' EXIT
cp -R "$root/action.yml" "$root/.github" "$root/docker" "$pinned/"
sed -i -E 's/@0{40}/@1234567890123456789012345678901234567890/' \
  "$pinned"/.github/workflow-examples/*.yml
sed -i -E 's/sha256:0{64}/sha256:'"$(printf '1%.0s' {1..64})"'/' "$pinned/docker/base-images"
"$root/gate/test/action/release_check.sh" "$pinned"
for spoil in 's/(upload-artifact@)[0-9a-f]{40}/\1v7/ action.yml' \
  's/(checkout@)[0-9a-f]{40}/\10000000000000000000000000000000000000000/ .github/workflows/ci.yml' \
  's/@sha256:1+// docker/base-images'; do
  spoiled=$(mktemp -d)
  cp -R "$pinned/." "$spoiled/"
  sed -i -E "${spoil% *}" "$spoiled/${spoil##* }"
  if "$root/gate/test/action/release_check.sh" "$spoiled" > "$spoiled/said"; then
    echo "FAILED: the release check accepts ${spoil% *}"
    exit 1
  fi
  grep -q 'fill it with' "$spoiled/said"
  rm -rf "$spoiled"
done
echo "release check: 4 passed, 0 failed"
