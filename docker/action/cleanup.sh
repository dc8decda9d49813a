#!/usr/bin/env bash
# Whatever happened before, also a cancellation: no container of ours is left, and no copy of
# sources. Composite actions have no post step, so this is one that always runs.
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "${BASH_SOURCE[0]}")/step.sh"
open_folder
case "${sandbox:-}" in
  docker | podman)
    for name in "$container" "$container-trusted" "$container-probe"; do
      "$sandbox" rm --force "$name" >/dev/null 2>&1 || true
    done ;;
esac
chmod -R u+w "$folder/head" "$folder/base" 2>/dev/null || true
rm -rf "$folder/head" "$folder/base" "$folder/context" "$folder/work/home"
