#!/bin/bash
# `gate schema`: sizes with their places, a committed form that is the same anywhere, --check.
# SPDX-License-Identifier: Apache-2.0
set -u
gate=$(cd "$1" && pwd)/gate
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp "$here"/newcomer/row_softmax.cu "$work"; cd "$work" || exit 1
bad=0
expect() {  # exit code, text that must be said, command
  local want=$1 text=$2 rc; shift 2
  "$@" > said 2>&1; rc=$?
  if [ "$rc" != "$want" ] || ! grep -qF -- "$text" said; then
    echo "FAILED: $* (exit code $rc, wanted $want and '$text')"; cat said; bad=1
  fi
}
kernels=testcases/softmax/kernels toml=testcases/softmax/kernels/row_softmax.toml
"$gate" init --copy --names-only row_softmax.cu > said || { cat said; exit 1; }

expect 0 "tile        256, mined at row_softmax.cu:6 (THREADS = 256)" "$gate" schema $toml
for text in "axis cols: 1 to 65536" "tile 256, mined at row_softmax.cu:6" "op default: primes" \
    "column f32: x f32, y f32" "layouts  contiguous " "never    row_pitch strided transposed" \
    "neg_inf_holes@1" \
    "reference operations in all" "  cost     96 entries"; do
  grep -qF -- "$text" said || { echo "FAILED: schema does not say '$text'"; cat said; bad=1; }
done
grep -A1 "tile 256, mined" said | grep -q "255 256 257 .*511 512 513" ||
  { echo "FAILED: neighbours of the tile"; cat said; bad=1; }

expect 1 "row_softmax.schema: error: no schema is committed" "$gate" schema $toml --check
expect 0 "wrote      $kernels/row_softmax.schema" "$gate" schema $toml --write
expect 0 "unchanged  $kernels/row_softmax.schema" "$gate" schema $toml --write
expect 0 "1 committed schemas compared, 0 problems" "$gate" schema testcases --check
grep -qF "$work" $kernels/row_softmax.schema && { echo "FAILED: a machine's path"; bad=1; }
# The same text in another folder, under another commit.
mkdir other && cp -r testcases tolerances other && git -C other init -q &&
  git -C other -c user.name=a -c user.email=a@b commit -q --allow-empty -m x
(cd other && expect 0 "0 problems" "$gate" schema testcases --check; exit $bad) || bad=1
# The source changes: the first line that differs is named, and what refreshes it.
sed -i 's/THREADS = 256/THREADS = 192/' $kernels/row_softmax.cu
expect 1 "row_softmax.schema:6: error: this schema is stale; now here: tile        192, mined" \
  "$gate" schema $toml --check
grep -qF "hint: \`gate schema $toml --write\` refreshes it" said || { cat said; bad=1; }
expect 0 "wrote" "$gate" schema $toml --write
expect 0 "0 problems" "$gate" schema $toml --check
# Declared tiles and [domain] are named as such; another profile stays the one of its head.
sed -i '/^source/a tiles = [96]' $toml
sed -i 's/^constraints = \[/&"cols % 4 == 0", /' $toml
expect 0 "tile        96, declared in row_softmax.toml" "$gate" schema $toml
for text in "cols % 4 == 0 (kernel's domain)" "nearest legal"; do
  grep -qF "$text" said || { echo "FAILED: '$text'"; cat said; bad=1; }
done
expect 0 "wrote" "$gate" schema $toml --write --profile nightly
expect 0 "0 problems" "$gate" schema $toml --check
expect 2 "unknown profile: weekly" "$gate" schema $toml --profile weekly
expect 2 "exclude each other" "$gate" schema $toml --write --check
exit $bad
