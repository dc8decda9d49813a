#!/usr/bin/env bash
# First step: inputs checked, the folder of this use made, profile and base revision found. All of
# the event comes through the environment and is used as data only.
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "${BASH_SOURCE[0]}")/step.sh"

make_folder() {
  local parent=$GATE_OUT_DIR workspace
  case "$parent" in /*) ;; *) give_up 2 "out-dir must be an absolute path" ;; esac
  mkdir -p "$parent"
  parent=$(cd "$parent" && pwd -P)
  workspace=$(cd "$GITHUB_WORKSPACE" && pwd -P)
  case "$parent/" in "$workspace"/*) give_up 2 "out-dir must not be in the workspace" ;; esac
  folder=$(mktemp -d "$parent/use-XXXXXXXX")
  mkdir "$folder"/{head,base,work,log,verdict,publish}
  chmod 755 "$folder" "$folder"/*
  output folder "$folder"
  output verdict-folder "$folder/verdict"
}

check_words() {
  one_of command "$GATE_COMMAND" run merge publish
  one_of device "$GATE_DEVICE" emu cuda host python
  one_of profile "$GATE_PROFILE" auto pr nightly
  one_of sandbox "$GATE_SANDBOX" auto docker podman process none
  one_of require "$GATE_REQUIRE" selected all
  one_of fail-on "$GATE_FAIL_ON" new any never
  one_of flaky "$GATE_FLAKY" block warn
  one_of publish "$GATE_PUBLISH" auto off artifact-only
  one_of comment "$GATE_COMMENT" always changes failures off
  local name
  for name in GATE_ALLOW_POLICY_CHANGE GATE_ALLOW_UNPINNED_IMAGE GATE_ALLOW_UNSANDBOXED \
    GATE_CHECK_RUN GATE_SARIF GATE_STATUS GATE_UPLOAD_ARTIFACTS; do
    one_of "${name#GATE_}" "${!name}" true false
  done
  is_word "$GATE_COMMENT_ID" || give_up 2 "comment-id is not a plain word"
  is_word "$GATE_ARTIFACT_PREFIX" || give_up 2 "artifact-prefix is not a plain word"
  [ -z "$GATE_GPU_CLASS" ] || is_word "$GATE_GPU_CLASS" || give_up 2 "gpu-class is no plain word"
  [ -z "$GATE_TIME_LIMIT" ] || is_number "${GATE_TIME_LIMIT%s}" ||
    give_up 2 "time-limit is a number of seconds"
  is_number "$GATE_SHARD" && is_number "$GATE_SHARDS" && [ "$GATE_SHARDS" -ge 1 ] &&
    [ "$GATE_SHARD" -lt "$GATE_SHARDS" ] || give_up 2 "shard must be 0 to shards-1"
  [[ $GATE_RUN_SEED =~ ^(0x)?[0-9a-f]{0,16}$ ]] || give_up 2 "run-seed is hexadecimal, 64 bits"
  if [ "$GATE_SANDBOX" = none ] && [ "$GATE_ALLOW_UNSANDBOXED" != true ]; then
    give_up 2 "sandbox: none needs allow-unsandboxed: true"
  fi
}

# An image is what kernels run in and what judges them: named by content, or not at all.
check_image() {
  [ -n "$GATE_IMAGE" ] || return 0
  if [[ $GATE_IMAGE =~ ^[A-Za-z0-9._/:-]{1,200}@sha256:[0-9a-f]{64}$ ]]; then return; fi
  [[ $GATE_IMAGE =~ ^[A-Za-z0-9._/:@-]{1,300}$ ]] || give_up 2 "image is not the name of an image"
  [ "$GATE_ALLOW_UNPINNED_IMAGE" = true ] ||
    give_up 2 "image has no @sha256: digest; pin it, or say allow-unpinned-image: true"
}

profile_of_event() {
  if [ "$GATE_PROFILE" != auto ]; then echo "$GATE_PROFILE"; return; fi
  case "$GITHUB_EVENT_NAME" in schedule) echo nightly ;; *) echo pr ;; esac
}

# Nightly draws another plan each time; a pull request's comes from its head commit.
run_seed_of_event() {
  if [ -n "$GATE_RUN_SEED" ]; then echo "${GATE_RUN_SEED#0x}"; return; fi
  if [ "$profile" = nightly ]; then printf '%x\n' "$GITHUB_RUN_ID"; fi
}

check_event() {
  case "$GITHUB_EVENT_NAME" in
    pull_request_target) give_up 2 "pull_request_target gives a fork's code the repository's" \
      "rights; use pull_request, and workflow_run for the comments of forks" ;;
    workflow_run) [ "$GATE_COMMAND" = publish ] ||
      give_up 2 "on workflow_run only command: publish is allowed" ;;
  esac
  [[ $GATE_HEAD_SHA =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ ]] || give_up 2 "the event names no commit"
}

check_words
check_image
check_event
make_folder
profile=$(profile_of_event)
keep profile "$profile"
keep run_seed "$(run_seed_of_event)"
keep container "illusion-gate-$(basename "$folder")"
note "command $GATE_COMMAND, device $GATE_DEVICE, profile $profile, event $GITHUB_EVENT_NAME"
