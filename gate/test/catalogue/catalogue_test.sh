#!/usr/bin/env bash
# The catalogue's controls on emu and host: a few cases of every op and column, all clean. The full
# plan and 10,000 cases are gate/bench/controls.py's.
# Usage: catalogue_test.sh BUILD [CASES]
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
build=$1 cases=${2:-3}
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
ops=$(find "$root/testcases" -name op.toml | wc -l)
[ "$ops" -ge 40 ] || { echo "only $ops ops"; exit 1; }
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"$build/gate" run "$root/testcases" --corpus catalogue --device emu --cases "$cases" \
  --run-seed 0xca7a1096 >"$log" 2>&1 || { tail -n 60 "$log"; exit 1; }
grep -E '^[0-9]+ rows' "$log"
