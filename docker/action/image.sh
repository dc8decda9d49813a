#!/usr/bin/env bash
# Chooses the sandbox, gets the image (the digest-pinned one, or built once per content hash from
# docker/Dockerfile), and probes that a container of it starts with all our flags. sandbox: auto
# takes the first of docker, podman and process that does; never none.
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "${BASH_SOURCE[0]}")/step.sh"
open_folder
source "$source_root/docker/action/engine.sh"
content=$("$source_root/docker/content-hash.sh")

# A tree built from exactly this content: in our own checkout (our CI), or in a job container of
# our image.
built_tree() {
  local place
  for place in "$source_root/build/release" /opt/illusion-gate "$tree_cache/$content"; do
    if [ "$(cat "$place/content-hash" 2>/dev/null)" = "$content" ]; then echo "$place"; return; fi
  done
  return 1
}

base_image() {
  local kind=cpu base
  if [ "$GATE_DEVICE" = cuda ] || [ "$GATE_DEVICE" = python ]; then kind=cuda; fi
  base=${GATE_BASE_IMAGE:-$(sed -n "s/^$kind=//p" "$source_root/docker/base-images")}
  [[ $base =~ ^[A-Za-z0-9._/:@-]{1,300}$ ]] || give_up 2 "base-image is not the name of an image"
  case "$base" in
    *@sha256:0000000000*)
      [ "$GATE_ALLOW_UNPINNED_IMAGE" = true ] ||
        give_up 2 "the base image ${base%%@*} is not pinned in docker/base-images yet; pin it," \
          "give image, or say allow-unpinned-image: true"
      base=${base%%@*} ;;
    *@sha256:*) ;;
    *) [ "$GATE_ALLOW_UNPINNED_IMAGE" = true ] ||
      give_up 2 "base-image has no @sha256: digest; pin it, or say allow-unpinned-image: true" ;;
  esac
  echo "$base"
}

# Only the files that the hash is taken over, and the built tree where there is one.
stage_context() {
  local context=$1 built file
  mkdir -p "$context/prebuilt"
  (cd "$source_root" && "$source_root/docker/content-hash.sh" --list |
    tar --no-recursion -T - -cf -) | tar -C "$context" -xf -
  if built=$(built_tree); then
    for file in gate gate-worker gate-publish runtime content-hash; do
      cp -R "$built/$file" "$context/prebuilt/"
    done
    (cd "$context/prebuilt" && strip gate gate-worker gate-publish 2>/dev/null) || true
  fi
}

build_image() {
  local base context="$folder/context" started=$SECONDS
  base=$(base_image)
  image="localhost/illusion-gate:${content:0:16}-$(printf '%s' "$base" | sha256sum | cut -c1-8)"
  if "$sandbox" image inspect "$image" >/dev/null 2>&1; then
    note "image $image is there already"
    return
  fi
  note "building image $image on $base (once per content; see log/image.log)"
  stage_context "$context"
  local format=()   # podman keeps a HEALTHCHECK only in this one
  if [ "$sandbox" = podman ]; then format=(--format docker); fi
  if ! "$sandbox" build "${format[@]}" --file "$context/docker/Dockerfile" \
    --build-arg BASE="$base" --build-arg CONTENT="$content" --tag "$image" \
    "$context" >"$folder/log/image.log" 2>&1; then
    tail -c 4000 "$folder/log/image.log" | show_untrusted
    give_up 3 "the image cannot be built with $sandbox"
  fi
  rm -rf "$context"
  note "image built in $((SECONDS - started)) s"
}

pull_image() {
  image=$GATE_IMAGE
  if "$sandbox" image inspect "$image" >/dev/null 2>&1; then return; fi
  "$sandbox" pull --quiet "$image" >"$folder/log/image.log" 2>&1 ||
    give_up 3 "the image $image cannot be pulled"
}

# A container with every flag of a real run must start, and gate doctor must like what it sees.
probe() {
  container_flags "$container-probe"
  if [ "$GATE_COMMAND" = run ] && [ "$GATE_DEVICE" = cuda ]; then gpu_flags; fi
  local ask=(doctor --sandbox)
  if [ "$writable_root" = yes ]; then ask+=(--writable-root); fi
  if [ "$GATE_COMMAND" = run ]; then ask+=(--device "$GATE_DEVICE"); fi
  timeout 300 "$sandbox" "${flags[@]}" "$image" "${ask[@]}" >"$folder/log/probe.log" 2>&1
}

use_container() {
  if [ -n "$GATE_IMAGE" ]; then pull_image; else build_image; fi
  writable_root=no
  if probe; then return; fi
  # Some GPU hooks fail on a read-only root; everything else is kept, and it is said.
  writable_root=yes
  if probe; then
    note "a read-only root does not work here: this run has a writable one"
    return
  fi
  writable_root=no
  tail -c 3000 "$folder/log/probe.log" | show_untrusted
  return 1
}

use_process() {
  if tree=$(built_tree); then return; fi
  note "building the programs on this machine (once per content)"
  rm -rf "${tree_cache:?}/$content"
  mkdir -p "$tree_cache"
  "$source_root/docker/build-tree.sh" "$tree_cache/$content" >"$folder/log/image.log" 2>&1 || {
    tail -c 4000 "$folder/log/image.log" | show_untrusted
    give_up 3 "the programs cannot be built on this machine"
  }
  tree=$tree_cache/$content
}

choose() {
  local wanted=$GATE_SANDBOX
  for sandbox in docker podman; do
    [ "$wanted" = auto ] || [ "$wanted" = "$sandbox" ] || continue
    if engine_works "$sandbox"; then
      if use_container; then return; fi
      note "$sandbox is here, but no container of ours starts"
    fi
    [ "$wanted" = auto ] || give_up 3 "sandbox: $sandbox does not work on this runner"
  done
  sandbox=$wanted
  if [ "$wanted" = auto ]; then sandbox=process; fi
  use_process
  image=""
}

# Versions before 1.17.8 let crafted images out (CVE-2025-23266, CVE-2025-23267).
check_toolkit() {
  [ "$GATE_COMMAND" = run ] && [ "$GATE_DEVICE" = cuda ] || return 0
  [ "$sandbox" = docker ] || [ "$sandbox" = podman ] || return 0
  local version
  version=$(nvidia-ctk --version 2>/dev/null | sed -n 's/.*version \([0-9.]*\).*/\1/p' | head -n 1)
  [ -n "$version" ] || give_up 3 "no nvidia-ctk on this runner: install the NVIDIA toolkit"
  [ "$(printf '%s\n' 1.17.8 "$version" | sort -V | head -n 1)" = 1.17.8 ] ||
    give_up 3 "NVIDIA Container Toolkit $version is older than 1.17.8"
}

tree=""
image=""
writable_root=no
tree_cache=${RUNNER_TOOL_CACHE:-${RUNNER_TEMP:-/tmp}}/illusion-gate
choose
check_toolkit
{
  printf 'sandbox=%q\nimage=%q\ntree=%q\nwritable_root=%q\n' "$sandbox" "$image" "$tree" \
    "$writable_root"
} >"$folder/engine"
output sandbox "$sandbox"
output image "$image"
note "sandbox: $sandbox${image:+, image $image}"
