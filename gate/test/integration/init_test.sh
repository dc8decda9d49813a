#!/bin/bash
# `gate init` on sources of a new user: the right op, files that run, nothing overwritten, --check.
# SPDX-License-Identifier: Apache-2.0
set -u
. "$(dirname "$0")/expecting.sh" "$1" newcomer

expect 1 "row_softmax.cu:8: error: no kernel entry names this source" \
  "$gate" init --check row_softmax.cu
expect 0 "op           softmax (sure)" "$gate" init row_softmax.cu
expect 0 "op           matmul (sure)" "$gate" init tiled_matmul.cu
expect 0 "op           rmsnorm (guess)" "$gate" init --names-only triton_rmsnorm.py
expect 0 "new op       signed_power (guess)" "$gate" init signed_power.cu
expect 0 "new op       " "$gate" init fused_bias_gelu.cu
expect 0 "1 sources looked at, 0 without" "$gate" init --check row_softmax.cu
expect 0 "PASSED" "$gate" run row_softmax.toml --device emu --cases 12
expect 0 "PASSED" "$gate" run tiled_matmul.toml --device emu --cases 12
[ -e testcases/softmax ] && { echo "FAILED: a bundled op was copied"; bad=1; }

# From another folder, into a folder of sources, and as an op of one's own.
mkdir -p elsewhere/src && cp row_softmax.cu elsewhere/src
(cd elsewhere && "$gate" init src > said 2>&1 && [ -e src/row_softmax.toml ] &&
  [ ! -e src/testcases ] && "$gate" run src --device emu --cases 4 > said 2>&1 &&
  "$gate" init --check src > said 2>&1) || { echo "FAILED: elsewhere"; cat elsewhere/said; bad=1; }
(cd elsewhere && "$gate" init --copy --name mine src/row_softmax.cu > said 2>&1 &&
  [ -e testcases/softmax/reference.cpp ] && [ -e testcases/softmax/kernels/row_softmax.cu ] &&
  "$gate" run testcases/softmax/kernels/mine.toml --device emu --cases 4 > said 2>&1) ||
  { echo "FAILED: --copy"; cat elsewhere/said; bad=1; }

# A stub says that it is one; filled in, the forgotten tail is found.
toml=testcases/signed_power/kernels/signed_power.toml stub=testcases/signed_power/reference.cpp
"$gate" run "$toml" --device emu --cases 4 > said 2>&1 && { echo "FAILED: a stub passes"; bad=1; }
grep -qF "reference not written yet" said || { echo "FAILED: stub"; cat said; bad=1; }
body='for (std::int64_t i = 0; i < values.size(); ++i)'
body="$body result[i] = S(c.attribute(\"gain\")) * values[i] * gate::abs(values[i]);"
sed -i "s|.*throw std::logic_error.*|  $body|" "$stub"
expect 1 "FAILED" "$gate" run "$toml" --device emu --cases 12

# Nothing is overwritten; a copy that is out of date is named.
echo "# mine" >> row_softmax.toml
expect 2 "never overwritten" "$gate" init row_softmax.cu
grep -q "# mine" row_softmax.toml || { echo "FAILED: overwritten"; bad=1; }
echo "// newer" >> signed_power.cu
expect 1 "out of date" "$gate" init --check signed_power.cu
printf '__global__ void k(const float* x, int) {}\n' > broken.cu
expect 2 "broken.cu:1: error: a parameter of k has no name" "$gate" init broken.cu
expect 2 "nowhere.cu: error: cannot open file" "$gate" init nowhere.cu
exit $bad
