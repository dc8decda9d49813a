#!/usr/bin/env bash
# The one step in which kernels run: a container with the policy's and the kernels' copies read-only
# and work/ writable; or, in sandbox: process, the worker's own hardening under a scrubbed
# environment. Its exit code is kept for the judge, who does not believe it alone.
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "${BASH_SOURCE[0]}")/step.sh"
open_folder
source "$source_root/docker/action/engine.sh"
log=$folder/log/run.log

# softmax !gelu -> softmax/*-gelu/*
filter_of_ops() {
  local only=() but=() op
  local -a ops
  read -r -a ops <<<"${GATE_OPS//$'\n'/ }"
  for op in "${ops[@]}"; do
    [[ $op =~ ^!?[A-Za-z0-9_*?]{1,64}$ ]] || give_up 2 "ops: '${op:0:60}' is no name of an op"
    case "$op" in !*) but+=("${op#!}/*") ;; *) only+=("$op/*") ;; esac
  done
  [ ${#only[@]} -gt 0 ] || only=('*')
  local IFS=:
  echo "${only[*]}${but[*]:+-${but[*]}}"
}

gate_arguments() {   # gate_arguments HEAD BASE OUT: fills the array `arguments`
  local path
  local -a kernels
  read -r -a kernels <<<"${GATE_KERNELS//$'\n'/ }"
  [ ${#kernels[@]} -gt 0 ] || give_up 2 "kernels is empty"
  arguments=(run)
  for path in "${kernels[@]}"; do
    case "/$path/" in *//* | */../*) give_up 2 "kernels: paths are below the workspace" ;; esac
    case "$path" in -*) give_up 2 "kernels: '$path' looks like a flag" ;; esac
    arguments+=("$1/$path")
  done
  arguments+=(--device "$GATE_DEVICE" --profile "$profile" --json "$3/results.json"
    --junit "$3/junit.xml" --seeds-out "$3/seeds" --colour never)
  if [ -n "$base" ]; then arguments+=(--policy-from "$2"); fi
  if [ "$GATE_ALLOW_POLICY_CHANGE" = true ]; then arguments+=(--allow-policy-change); fi
  if [ "$GATE_REQUIRE" = all ]; then arguments+=(--require all); fi
  if [ -n "$run_seed" ]; then arguments+=(--run-seed "$run_seed"); fi
  if [ -n "$GATE_TIME_LIMIT" ]; then arguments+=(--time-limit "${GATE_TIME_LIMIT%s}"); fi
  if [ "$GATE_SHARDS" -gt 1 ]; then arguments+=(--shard "$GATE_SHARD/$GATE_SHARDS"); fi
  local filter
  filter=$(filter_of_ops)
  if [ "$filter" != '*' ]; then arguments+=("--gtest_filter=$filter"); fi
}

# 20 MB of log, 2 MB of it on the screen.
record() { tee >(head -c 20000000 >"$log"; cat >/dev/null) | { head -c 2000000; cat >/dev/null; }; }

say_command() {
  local text
  printf -v text '%q ' "$@"
  note "command: $text"
}

start() {
  case "$sandbox" in
    docker | podman)
      gate_arguments /repository /policy /out
      container_flags "$container"
      if [ "$GATE_DEVICE" = cuda ] || [ "$GATE_DEVICE" = python ]; then gpu_flags; fi
      flags+=(--workdir /repository --volume "$folder/head:/repository:ro")
      if [ -n "$base" ]; then flags+=(--volume "$folder/base:/policy:ro"); fi
      flags+=(--volume "$folder/work:/out:rw")
      say_command "$sandbox" "${flags[@]}" "$image" "${arguments[@]}"
      "$sandbox" "${flags[@]}" "$image" "${arguments[@]}" </dev/null ;;
    *)
      gate_arguments "$folder/head" "$folder/base" "$folder/work"
      mkdir -p "$folder/work/home"
      local unshared=()
      if unshare --net true 2>/dev/null; then unshared=(unshare --net); fi
      if [ ${#unshared[@]} = 0 ]; then note "no network namespace here: only workers have none"; fi
      say_command "${unshared[@]}" "$tree/gate" "${arguments[@]}"
      cd "$folder/head"
      env -i PATH="$PATH" HOME="$folder/work/home" TMPDIR="$folder/work/home" LANG=C.UTF-8 \
        CUDA_CACHE_DISABLE=1 "${unshared[@]}" setpriv --no-new-privs --pdeathsig TERM \
        "$tree/gate" "${arguments[@]}" </dev/null ;;
  esac
}

stop() {
  note "stopping"
  case "$sandbox" in
    docker | podman) "$sandbox" stop --time 2 "$container" >/dev/null 2>&1 || true ;;
    *) kill -TERM -- "-$runs" 2>/dev/null || true ;;
  esac
}

gate_arguments . . .   # wrong inputs end the step here, not in the container
give_to_container "$folder/work"
set -m   # a process group of its own, so that all of it can be stopped
set +e
code_file=$folder/run-code
{ { start; echo $? >"$code_file"; } 2>&1 | record | show_untrusted; } &
runs=$!
trap stop INT TERM
wait "$runs"
trap - INT TERM
set -e
[ -s "$code_file" ] || echo 3 >"$code_file"
note "gate run ended with exit code $(cat "$code_file")"
