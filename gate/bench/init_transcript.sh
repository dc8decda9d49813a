#!/bin/bash
# From a new user's sources to first verdicts with `gate init` and `gate run` only, as a transcript
# in Markdown on standard output. Usage: init_transcript.sh BUILD [CASES]
# SPDX-License-Identifier: Apache-2.0
set -u
build=$(cd "$1" && pwd); cases=${2:-48}
sources=$(cd "$(dirname "$0")/../test/integration/newcomer" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp "$sources"/* "$work"; cd "$work" || exit 1

shown() {  # a command, what it says, its exit code and its seconds
  echo; echo '```'; echo "\$ $*"
  local begin=$(date +%s.%N) rc
  "$@" > said 2>&1; rc=$?
  grep -v -e '^\[ RUN' -e '^\[       OK' said | sed "s|$work/||g" | cut -c1-160
  rm said
  printf '(exit code %d, %.1f s)\n```\n' "$rc" "$(echo "$(date +%s.%N) - $begin" | bc)"
}
gate() { "$build/gate" "$@"; }

echo "# Five kernels of a new user, from source to first verdict"
echo
echo "Written by gate/bench/init_transcript.sh with $cases cases a column, $(nproc) cores."
echo "Lines of passing tests are left out, long lines cut."
for source in row_softmax.cu tiled_matmul.cu fused_bias_gelu.cu signed_power.cu \
    triton_rmsnorm.py; do
  echo; echo "## $source"
  shown gate init "$source"
  toml=$(find . -name "${source%.*}.toml" -printf '%P\n' | head -1)
  stub=$(dirname "$(dirname "$toml")")/reference.cpp
  if grep -q 'reference not written yet' "$stub" 2>/dev/null; then
    shown gate run "$toml" --cases 8
    echo; echo "The body of $stub, filled in by the user:"
    case $source in
      fused_bias_gelu.cu) body='  const double root = std::sqrt(2 / std::numbers::pi);
  for (std::int64_t i = 0; i < c.axis("rows"); ++i) {
    for (std::int64_t j = 0; j < c.axis("cols"); ++j) {
      const S v = x(i, j) + bias(j);
      const S inner = S(root) * (v + S(0.044715) * v * v * v);
      out(i, j) = S(0.5) * v * (S(1) + gate::tanh(inner));
    }
  }' ;;
      signed_power.cu) body='  const S gain = S(c.attribute("gain"));
  for (std::int64_t i = 0; i < values.size(); ++i) {
    result[i] = gain * values[i] * gate::abs(values[i]);
  }' ;;
    esac
    printf '\n```\n%s\n```\n' "$body"
    awk -v body="$body" '/For example/ {skip = 1}
      /throw std::logic_error/ {print body; skip = 0; next} !skip' "$stub" > filled &&
      mv filled "$stub"
  fi
  shown gate run "$toml" --cases "$cases"
done
echo; echo "## What has no entry"
cp row_softmax.cu another.cu
shown gate init --check .
