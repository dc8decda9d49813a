# shellcheck shell=bash disable=SC2034
# Sourced by tests of `gate init`: a folder of their own with copies of sample files, and what they
# expect of a command. Usage: . expecting.sh BUILD SAMPLES; `bad` is 1 after a failure.
# SPDX-License-Identifier: Apache-2.0
gate=$(cd "$1" && pwd)/gate
sources=$(cd "$(dirname "$0")/$2" && pwd)
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
cp "$sources"/* "$work"; cd "$work" || exit 1
bad=0
expect() {  # exit code, text that must be said, command
  local want=$1 text=$2 rc; shift 2
  "$@" > said 2>&1; rc=$?
  if [ "$rc" != "$want" ] || ! grep -qF -- "$text" said; then
    echo "FAILED: $* (exit code $rc, wanted $want and '$text')"; tail -40 said; bad=1
  fi
}
says() { grep -qF -- "$1" "${2:-said}" || { echo "FAILED: no '$1'"; cat "${2:-said}"; bad=1; }; }
