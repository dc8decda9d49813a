#!/usr/bin/env bash
# The programs and what they need at run time, from this source tree into one folder: taken from
# prebuilt/ where that is of exactly this content, else compiled. Used by the Dockerfile, and by the
# Action on runners where no container can start.
# Usage: build-tree.sh TARGET
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
target=$1
cd "$(dirname "${BASH_SOURCE[0]}")/.."
content=$(docker/content-hash.sh)

copy_tree() {   # copy_tree BUILT
  mkdir -p "$target"
  cp -R "$1/gate" "$1/gate-worker" "$1/gate-publish" "$1/runtime" "$target/"
  echo "$content" >"$target/content-hash"
}

if [ "$(cat prebuilt/content-hash 2>/dev/null)" = "$content" ]; then
  echo "The tree of content $content is built already."
  copy_tree prebuilt
  exit
fi
docker/install-deps.sh build
cmake --preset release -DGATE_TESTS=OFF -B build/image >/dev/null
ninja -C build/image gate gate-worker gate-publish gate_runtime
strip build/image/gate build/image/gate-worker build/image/gate-publish
copy_tree build/image
