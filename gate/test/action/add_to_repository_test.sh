#!/bin/bash
# README's "Add it to your repository" as a new user would do it, from an empty repository to a
# refused merge. The transcript is left in the build folder; the committed one is such a run's.
# Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
source "$(dirname "$0")/packages.sh"
source "$here/sandbox.sh"
install_packages "$build/action-tests"
choose_sandbox "$build"
run=$(mktemp -d)   # not below this tree: its gate.toml would be the user's
trap 'rm -rf "$run"' EXIT
cd "$build/action-tests"
node add_to_repository.mjs "$root" "$build/gate" "$run/site" "$sandbox" "$inputs" \
  "$build/add_to_repository.md"
