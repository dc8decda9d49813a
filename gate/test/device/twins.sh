#!/usr/bin/env bash
# Runs the corrected twin of every fault kernel on the emulator under many distinct schedules and
# prints a table; ends with 1 if any is red.
# Usage: twins.sh BUILD [SCHEDULES]      (default 1000 schedules for each of six cases a twin)
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(realpath "${1:?usage: twins.sh BUILD [SCHEDULES]}")
schedules=${2:-1000}
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
log=$(mktemp)
trap 'rm -f "$log"' EXIT
code=0
GATE_TWIN_SCHEDULES=$schedules "$build/test/gate-device-tests" \
  --gtest_filter='*FaultTwin*:FaultKernels.*' > "$log" || code=$?
echo "Corrected twins on emu, commit $(git rev-parse HEAD), $(date -u +%F)"
echo
echo "| twin | cases | schedules a case | red |"
echo "|---|---|---|---|"
awk '/^ *twin / { printf "| %s | %s | %s | %s |\n", $2, $4, $6, $8 }' "$log"
red=$(awk '/^ *twin / { red += $NF } END { print red + 0 }' "$log")
echo
echo "Red: $red. Test program: exit $code."
if [ "$code" -ne 0 ]; then grep -A4 -E "Failure|FAILED" "$log" >&2 || true; fi
exit "$code"
