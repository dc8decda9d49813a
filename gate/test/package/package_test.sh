#!/bin/bash
# find_package(gate): a project of somebody else configures with the installed tree only, builds,
# passes what is right, finds what is wrong, and prints a seed that shows it again.
# SPDX-License-Identifier: Apache-2.0
set -u
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
if grep -q '^GATE_SANITIZE.*=.\+' "$build/CMakeCache.txt"; then
  echo "skipped: the package of a sanitized build needs sanitized consumers"; exit 77
fi
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
bad=0
fail() { echo "FAILED: $1"; tail -40 "$work/said"; bad=1; }
quiet() { "$@" > "$work/said" 2>&1 || { fail "$*"; exit 1; }; }

quiet cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/installed"   # the package may not know where it was put
cp -r "$here/consumer" "$work/consumer"
cp "$here/../integration/newcomer/row_softmax.cu" "$work/consumer/kernels"
quiet cmake -G Ninja -S "$work/consumer" -B "$work/build" -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_PREFIX_PATH="$work/installed" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF
quiet cmake --build "$work/build"
grep -rqF "$build" "$work/installed/lib/cmake" && { echo "FAILED: paths of the build"; bad=1; }

test_of() { "$work/build/consumer_test" --gtest_filter="$1" > "$work/said" 2>&1; }
says() { grep -qE -- "$1" "$work/said" || fail "no '$1'"; }
cd "$work" || exit 1
test_of Softmax.launcher || fail "a right launcher"
test_of KernelFile.clean || fail "a right kernel file"
test_of Softmax.launcher_without_tail && fail "a wrong launcher passes"
says "softmax/softmax_no_tail wrong"
says "case +softmax/f32 .* cols=65 rows=1"
says "run seed 0x[0-9a-f]+"
seed=$(grep -oE 'ig1:[A-Za-z0-9_-]+' "$work/said" | head -1)
[ -n "$seed" ] || fail "no seed"
GATE_REPLAY=$seed test_of 'Softmax.*'
says "0 cases passed before it \(replay\)"
says "cols=65 rows=1"
grep -q "OK \] Softmax.launcher " "$work/said" || fail "the seed is of one launcher only"
test_of Relu.writes_past_the_end && fail "writes past the end pass"
says "out_of_bounds: y: [0-9]+ bytes outside of it were written"
test_of Relu.asks_for_a_tensor_that_is_not_there || fail "an unknown tensor passes"
test_of Relu.throws && fail "an exception passes"
says "relu/launcher crash: the launcher: .*range_check"
test_of KernelFile.missing && fail "a missing kernel file passes"
says "nowhere.toml: error: there is no such file"
# The installed program stands alone.
"$work/installed/bin/gate" run "$work/consumer/kernels/row_softmax.toml" --device emu --cases 4 \
  > "$work/said" 2>&1 || fail "the installed gate"
exit $bad
