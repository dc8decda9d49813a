#!/usr/bin/env bash
# Runs the corrected twin of every fault kernel on the emulator under many distinct schedules and
# prints a table; ends with 1 if any is red.
# Usage: twins.sh BUILD [SCHEDULES [JOBS]]     (default: 1000 schedules for each of four small
# cases a twin; a job a core)
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(realpath "${1:?usage: twins.sh BUILD [SCHEDULES [JOBS]]}")
schedules=${2:-1000} jobs=${3:-$(nproc)}
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
pids=()
for ((i = 0; i < jobs; ++i)); do
  GTEST_TOTAL_SHARDS=$jobs GTEST_SHARD_INDEX=$i GATE_TWIN_SCHEDULES=$schedules \
    "$build/test/gate-device-tests" --gtest_filter='*FaultTwin*:FaultKernels.*' \
    > "$logs/$i" 2>&1 &
  pids+=($!)
done
code=0
for pid in "${pids[@]}"; do wait "$pid" || code=$?; done
echo "Corrected twins on emu, commit $(git rev-parse HEAD), $(date -u +%F)"
echo
echo "| twin | cases | schedules a case | red |"
echo "|---|---|---|---|"
cat "$logs"/* | awk '/^ *twin / { printf "| %s | %s | %s | %s |\n", $2, $4, $6, $8 }' | sort
red=$(cat "$logs"/* | awk '/^ *twin / { red += $NF } END { print red + 0 }')
echo
echo "Red: $red. Test programs: exit $code."
if [ "$code" -ne 0 ]; then grep -h -A4 -E "Failure|FAILED" "$logs"/* >&2 || true; fi
exit "$code"
