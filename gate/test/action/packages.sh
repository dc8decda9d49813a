# The npm packages of these tests, installed once below the build folder; the scripts are copied
# beside them, where their imports are found. Sourced; exits 77 where they cannot be had.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

skip() { echo "skipped: $1"; exit 77; }

install_packages() {   # install_packages FOLDER
  command -v node > /dev/null || skip "no node"
  command -v npm > /dev/null || skip "no npm"
  mkdir -p "$1"
  local stamp
  stamp=$(sha256sum "$here/package-lock.json" | cut -d' ' -f1)
  if [ "$(cat "$1/installed" 2> /dev/null)" != "$stamp" ]; then
    cp "$here/package.json" "$here/package-lock.json" "$1/"
    (cd "$1" && npm ci --ignore-scripts --no-audit --no-fund > npm.log 2>&1) ||
      skip "packages cannot be fetched: $(tail -n 1 "$1/npm.log")"
    echo "$stamp" > "$1/installed"
  fi
  cp "$here"/*.mjs "$1/"
}
