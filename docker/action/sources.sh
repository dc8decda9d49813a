#!/usr/bin/env bash
# Copies of what the container may read: the workspace without any .git, and the base revision's
# tree. The base is read with git here, where kernels never run; a base that cannot be read is an
# environment failure and never the head's policy.
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "${BASH_SOURCE[0]}")/step.sh"
open_folder
# The runner that checked out is often another user than ours; only reading.
repository() { git -c safe.directory='*' -C "$GITHUB_WORKSPACE" "$@"; }

copy_head() {
  local size
  size=$(du -sm --exclude=.git "$GITHUB_WORKSPACE" | cut -f1)
  [ "$size" -le 4096 ] || give_up 2 "the workspace holds $size MB; at most 4096 can be copied"
  tar -C "$GITHUB_WORKSPACE" --exclude=.git -cf - . | tar -C "$folder/head" --no-same-owner -xf -
  # A .git of one line: gate reads the commit, and paths begin here, as in the repository.
  mkdir -p "$folder/head/.git/objects" "$folder/head/.git/refs"
  echo "$GATE_HEAD_SHA" >"$folder/head/.git/HEAD"
}

# The commit whose policy counts, or nothing where the event has no base.
base_commit() {
  local head parents
  if [ "$GATE_POLICY_FROM" != auto ]; then
    [[ $GATE_POLICY_FROM =~ ^[A-Za-z0-9][A-Za-z0-9._/-]{0,199}$ ]] ||
      give_up 2 "policy-from is not a revision"
    repository rev-parse --verify --quiet "$GATE_POLICY_FROM^{commit}" ||
      give_up 3 "policy-from: no commit $GATE_POLICY_FROM here; check out with fetch-depth: 0"
    return
  fi
  [ -n "$GATE_BASE_SHA" ] || return 0
  [[ $GATE_BASE_SHA =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ ]] || give_up 2 "the event's base is no commit"
  # On pull_request the merge commit is checked out: its first parent is the base it was made on,
  # which may be newer than the one the event names.
  head=$(repository rev-parse --verify --quiet HEAD || true)
  parents=$(repository rev-list --parents -n 1 HEAD 2>/dev/null || true)
  if [ "$head" = "$GITHUB_SHA" ] && [[ $parents =~ ^$head\ ([0-9a-f]+)\ $GATE_HEAD_SHA$ ]]; then
    echo "${BASH_REMATCH[1]}"
    return
  fi
  echo "$GATE_BASE_SHA"
}

# Attributes of the base could hide policy (export-ignore), which the head would then bring as new:
# git looks for them in an empty folder instead, and what it wrote is compared with the tree.
write_base() {
  local store
  store=$(repository rev-parse --absolute-git-dir)
  mkdir "$folder/context"
  GIT_INDEX_FILE=$folder/context/index git -c safe.directory='*' -C "$folder/context" \
    --git-dir="$store" --work-tree=. -c core.attributesFile=/dev/null -c core.autocrlf=false \
    archive --worktree-attributes --format=tar "$1" >"$folder/base.tar" ||
    give_up 3 "the base revision $1 cannot be read"
  rm -rf "$folder/context"
  tar -C "$folder/base" --no-same-owner -xf "$folder/base.tar"
  rm "$folder/base.tar"
  local left_out
  left_out=$(LC_ALL=C comm -z -13 \
    <(cd "$folder/base" && find . \( -type f -o -type l \) -printf '%P\0' | LC_ALL=C sort -z) \
    <(repository ls-tree -r -z "$1" | LC_ALL=C grep -zv '^160000 ' | cut -z -f 2- |
      LC_ALL=C sort -z) | tr "\0" "\n" | head -n 1 || true)
  [ -z "$left_out" ] || give_up 3 "the base revision's copy lacks ${left_out:0:200}"
}

copy_base() {
  local base
  base=$(base_commit)
  if [ -z "$base" ]; then
    note "this event has no base revision: policy is the commit's own"
    keep base ""
    return
  fi
  repository cat-file -e "$base^{tree}" 2>/dev/null ||
    give_up 3 "the base revision $base is not in this clone (shallow?); check out with" \
      "fetch-depth: 2 or 0, so that policy can be read from it"
  write_base "$base"
  copy_base_kernels
  keep base "$base"
  note "policy comes from base revision $base"
}

# Compiled kernels of the base commit, where sources alone do not run; never anything else.
copy_base_kernels() {
  [ -n "$GATE_BASE_KERNELS" ] || return 0
  [ -d "$GATE_BASE_KERNELS" ] || give_up 2 "base-kernels is not a folder"
  # Files of the commit are the head's, whatever the folder is called.
  local committed
  committed=$(repository ls-files -- "$(realpath "$GATE_BASE_KERNELS")" 2>/dev/null |
    head -n 1 || true)
  [ -z "$committed" ] ||
    give_up 2 "base-kernels holds files that the commit brings (${committed:0:200}); build it" \
      "from the base commit, outside of the checkout"
  (cd "$GATE_BASE_KERNELS" &&
    find . -type f \( -name '*.so' -o -name '*.ptx' -o -name '*.cubin' \) -print0 |
      tar --null -T - -cf -) | tar -C "$folder/base" --no-same-owner -xf -
}

check_credentials() {
  [ "$sandbox" = process ] || [ "$sandbox" = none ] || return 0
  if repository config --get-regexp '^http\..*\.extraheader$' >/dev/null 2>&1; then
    give_up 2 "the checkout keeps its token in the workspace, and sandbox: $sandbox does not" \
      "hide it; check out with persist-credentials: false"
  fi
}

check_credentials
copy_head
copy_base
