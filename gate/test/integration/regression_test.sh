#!/usr/bin/env bash
# A finding leaves the gate: its token replays in an empty HOME from another copy of the tree with
# the same bytes; its tensors are .npy files that NumPy reads; its C++ and Python tests fail on the
# kernel and pass on a right one.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
gate=$(realpath "$1")/gate
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
python=/usr/bin/python3   # the one that Debian's NumPy belongs to
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "regression_test: $*" >&2; exit 1; }

copy_tree() {   # the part of the repository that one kernel needs
  mkdir -p "$1/testcases" "$1/tolerances"
  cp -r "$source/testcases/softmax" "$1/testcases/"
  cp "$source/tolerances/softmax.toml" "$1/tolerances/"
  cp "$source/gate.toml" "$1/"
}
copy_tree "$work/here"
copy_tree "$work/elsewhere/deep"

# Find it.
cd "$work/here"
rc=0
"$gate" run testcases/softmax/kernels/softmax_llm_buggy.toml --ignore-expect --cases 16 \
  --gtest_filter='*.f32/*' --json run.json --seeds-out found >run.txt || rc=$?
[ $rc = 1 ] || { cat run.txt; fail "the padded softmax was not found: exit $rc"; }
seed=$(find found -name '*.toml' | sort | head -n 1)
first='json.load(open("run.json"))["rows"][0]["findings"][0]'
token=$($python -c "import json; print($first[\"token\"])")

# Replay it here and elsewhere: same inputs, same outputs, same verdict.
"$gate" replay "$seed" >here.txt || rc=$?
[ $rc = 1 ] || fail "the seed does not reproduce"
mkdir "$work/home"
(cd "$work/elsewhere/deep" && env -i PATH="$PATH" HOME="$work/home" "$gate" replay "$token") \
  >elsewhere.txt || rc=$?
[ $rc = 1 ] || fail "the token does not reproduce elsewhere"
diff <(grep -v "^  where " here.txt) <(grep -v "^  where " elsewhere.txt) ||
  fail "the replays differ"
grep -q '^REPRODUCES$' here.txt || fail "no verdict in the replay"
grep -q '^  element ' here.txt || fail "no failing element in the replay"
printf '| a saved comment |\n\n```sh\ngate replay %s\n```\n' "$token" >comment.md
rc=0; "$gate" replay comment.md >comment.txt || rc=$?
[ $rc = 1 ] && diff here.txt comment.txt || fail "the saved comment does not replay alike"

# Its tensors.
rc=0; "$gate" replay "$seed" --write tensors >/dev/null || rc=$?
[ $rc = 1 ] || fail "--write changed the verdict"
$python - <<'PYTHON'
import numpy
x, got = numpy.load("tensors/x.npy"), numpy.load("tensors/y.got.npy")
want, limit = numpy.load("tensors/y.expected.npy"), numpy.load("tensors/y.limit.npy")
top = numpy.exp(x.astype(float) - x.max(axis=1, keepdims=True))
assert x.dtype == numpy.float32 and got.shape == want.shape == limit.shape == x.shape
assert numpy.allclose(want, top / top.sum(axis=1, keepdims=True), rtol=1e-12), want
assert (abs(got - want) > limit).any(), "the files do not show the failure"
PYTHON

# Its C++ test: GoogleTest and the kernel are all it is given.
rc=0; "$gate" replay "$seed" --gtest >finding_test.cpp 2>told.txt || rc=$?
[ $rc = 1 ] && grep -q REPRODUCES told.txt || fail "--gtest did not replay"
build() {
  g++ -std=c++20 -O1 -Wall -Wextra -Werror -I. finding_test.cpp -o "$1" -lgtest -lgtest_main \
    -pthread
}
build red
rc=0; ./red >red.txt || rc=$?
[ $rc = 1 ] && grep -q 'y element .*: got .*, want .*, limit' red.txt || {
  cat red.txt
  fail "the C++ test is not red"
}
cp testcases/softmax/kernels/softmax_llm_buggy.cpp buggy.cpp
sed -i 's/, 0.0f);/, -INFINITY);/' testcases/softmax/kernels/softmax_llm_buggy.cpp
cmp -s buggy.cpp testcases/softmax/kernels/softmax_llm_buggy.cpp && fail "nothing was corrected"
build green
./green >green.txt || { cat green.txt; fail "the C++ test is red on a right kernel"; }

# Its Python test, on both too.
rc=0; "$gate" replay "$seed" --pytest >test_finding.py 2>told.txt || rc=$?
[ $rc = 0 ] && grep -q '^PASSES' told.txt || fail "the corrected kernel does not pass its replay"
call='import importlib; m = importlib.import_module("test_finding")
[f() for n, f in vars(m).items() if n.startswith("test_")]'
$python -B -c "$call" || fail "the Python test is red on a right kernel"
cp buggy.cpp testcases/softmax/kernels/softmax_llm_buggy.cpp
if $python -B -c "$call" 2>python.txt; then fail "the Python test is not red"; fi
grep -q 'y element .*: got .*, want' python.txt || {
  cat python.txt
  fail "the Python test says nothing"
}
echo "regression_test: token, tensors, C++ and Python tests agree"
