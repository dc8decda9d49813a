#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages of one or more groups; the image, quickstart and CI share
# this list, so that nothing is needed that only one machine happens to have.
# Usage: install-deps.sh [--print] GROUP...   groups: build test image action report
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail

packages_of() {
  case "$1" in
    build) echo "g++ cmake ninja-build git ca-certificates libgtest-dev librapidcheck-dev" \
                "libtomlplusplus-dev libcurl4-openssl-dev libboost-context-dev libffi-dev" \
                "libcli11-dev nlohmann-json3-dev libpugixml-dev libfmt-dev libssl-dev" \
                "zlib1g-dev" ;;
    test) echo "libbenchmark-dev libcpp-httplib-dev python3-minimal python3-numpy" ;;
    image) echo "g++ git ca-certificates libcurl4" ;;
    action) echo "podman buildah runc debootstrap nodejs npm python3-lxml python3-yaml" \
                 "python3-junitparser uidmap openssl shellcheck" ;;
    report) echo "chromium python3-jsonschema python3-pytest" ;;
    *) echo "install-deps.sh: unknown group '$1' (build test image action report)" >&2; exit 2 ;;
  esac
}

# A tool that is there by other means (a newer node, say) is as good as its package.
provided() {
  case "$1" in
    nodejs) command -v node >/dev/null ;;
    npm) command -v npm >/dev/null ;;
    *) [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ] ;;
  esac
}

print_only=0
if [ "${1:-}" = --print ]; then print_only=1; shift; fi
command -v dpkg-query >/dev/null || {
  echo "install-deps.sh: this is no Debian or Ubuntu; install the equivalents of:" >&2
  for group in "$@"; do packages_of "$group" >&2; done
  exit 3
}
missing=()
for group in "$@"; do
  for package in $(packages_of "$group"); do
    provided "$package" || missing+=("$package")
  done
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi
if [ $print_only = 1 ]; then echo "${missing[*]}"; exit 0; fi

if [ "$(id -u)" = 0 ]; then as_root=()
elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then as_root=(sudo)
else
  echo "These packages are missing and need root to install: ${missing[*]}" >&2
  echo "Run: apt-get install ${missing[*]}" >&2
  exit 3
fi
echo "Installing ${#missing[@]} packages: ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
"${as_root[@]}" apt-get update -qq >"$log" 2>&1 || { cat "$log" >&2; exit 3; }
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
  --no-install-recommends "${missing[@]}" >"$log" 2>&1 || { tail -n 40 "$log" >&2; exit 3; }
