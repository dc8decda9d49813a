# Which sandbox the scenarios use here, and what the Action must be given for it. Sourced after
# packages.sh; sets root, sandbox, inputs.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
source "$here/container_engine.sh"
root=$(cd "$here/../../.." && pwd)

choose_sandbox() {   # choose_sandbox BUILD
  [ -x "$1/gate-publish" ] || skip "gate-publish was not built (no libcurl)"
  # The tree that was just built serves the image too: its content is this source tree's.
  if [ "$1" = "$root/build/release" ]; then
    "$root/docker/content-hash.sh" > "$1/content-hash"
  fi
  start_engine "$1/action-engine"
  sandbox=podman
  inputs="{\"base-image\":\"${base_image:-}\",\"allow-unpinned-image\":\"true\"}"
  if [ -n "$no_container" ]; then
    echo "No container can start here ($no_container): the scenarios run with sandbox: process."
    sandbox=process
    inputs='{}'
  fi
}

fresh_folder() { rm -rf "$1"; mkdir -p "$1"; }
