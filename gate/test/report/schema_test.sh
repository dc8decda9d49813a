#!/usr/bin/env bash
# JSON, JSON lines and scores of real runs (green, red, grey, a device that is absent) and of the
# golden reports are valid against the committed schemas; documents with a key missing or added are
# not. SPDX-License-Identifier: Apache-2.0
set -euo pipefail
gate=$(realpath "$1")/gate
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernels=$source/testcases/softmax/kernels
run() {   # name, then arguments of gate run
  local name=$1; shift
  "$gate" run "$@" --json "$work/$name.json" --jsonl "$work/$name.jsonl" >"$work/$name.txt" || true
  "$gate" render "$work/$name.json" --format scores --output "$work/$name-scores.json"
}
run red "$kernels/softmax_llm_buggy.toml" --cases 12 --ignore-expect
run green "$kernels/softmax.toml" --cases 8
run grey "$kernels/softmax.toml" --cases 8 --time-limit 0
run none "$kernels/softmax.toml" --gtest_filter=nothing
"$gate" run --stdin --op softmax "$source/testcases" --cases 8 --column f32 --author someone \
  --jsonl - --json "$work/stdin.json" <"$kernels/softmax_llm_buggy.cpp" --entry softmax_llm_f32 \
  --launch 'args = ["x", "y", "rows", "cols", "x.stride(0):i64", "x.stride(1):i64",
            "y.stride(0):i64", "y.stride(1):i64"]' \
  >"$work/stdin.jsonl" 2>"$work/stdin.txt" || true
golden=$source/gate/test/golden/expected
cp "$golden/run_report.json" "$work/golden.json"
cp "$golden/run_events.jsonl" "$work/golden.jsonl"
cp "$golden/run_scores.json" "$work/golden-scores.json"
sed -i 's/ig1:TOKEN/ig1:abc/' "$work"/golden*
/usr/bin/python3 "$source/gate/test/report/validate.py" "$source/gate/report/schema" \
  "$work"/*.json \
  "$work"/*.jsonl
