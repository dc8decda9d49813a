#!/bin/bash
# JUnit of a run that is red for real, read by two independent parsers. Exit 77: skipped.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../../.." && pwd)
python=/usr/bin/python3
$python -c 'import junitparser' 2> /dev/null || { echo "skipped: no python3-junitparser"; exit 77; }
work=$build/junit-readers
rm -rf "$work"
mkdir -p "$work"
code=0
"$build/gate" run "$root/testcases/softmax/kernels/softmax_llm_buggy.toml" --device host \
  --ignore-expect --cases 24 --run-seed 7 --json "$work/results.json" --junit "$work/junit.xml" \
  --seeds-out "$work/seeds" > "$work/log" 2>&1 || code=$?
[ "$code" = 1 ] || { tail -n 40 "$work/log"; echo "FAILED: the run is not red but $code"; exit 1; }
$python "$root/gate/test/action/junit_readers.py" "$work/junit.xml" "$work/results.json"
