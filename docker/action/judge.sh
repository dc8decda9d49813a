#!/usr/bin/env bash
# Judges what the kernels' container left: results are parsed under limits and counted anew by a
# second container that runs no kernel, every report is rendered from them, and the verdict is
# theirs. An exit code without results, or better than the results, is not believed.
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "${BASH_SOURCE[0]}")/step.sh"
open_folder
source "$source_root/docker/action/engine.sh"
judged=$folder/verdict

# Only regular files, of bounded size, under names of ours; links and odd names stay behind.
copy_results() {
  local from at=0 file
  inputs=()
  if [ "$GATE_COMMAND" = run ]; then
    file=$folder/work/results.json
    if [ -f "$file" ] && [ ! -L "$file" ]; then inputs=("$file"); fi
    return
  fi
  from=$GATE_RESULTS
  case "$from" in /*) ;; *) from=$GITHUB_WORKSPACE/$from ;; esac
  [ -d "$from" ] || give_up 3 "results: no folder $GATE_RESULTS"
  while IFS= read -r -d '' file; do
    cp --no-dereference "$file" "$folder/work/$at.json"
    inputs+=("$folder/work/$at.json")
    at=$((at + 1))
  done < <(find "$from" -maxdepth 3 -type f -name results.json -size -200M -print0 | sort -z)
  chmod -R a+rX "$folder/work"
}

copy_seeds() {
  local from at=0 file
  for from in "$folder/work/seeds" "${GATE_RESULTS:-}"; do
    [ -n "$from" ] && [ -d "$from" ] || continue
    while IFS= read -r -d '' file; do
      [[ $(basename "$file") =~ ^[A-Za-z0-9][A-Za-z0-9._-]{0,120}\.toml$ ]] || continue
      local op
      op=$(basename "$(dirname "$file")")
      is_word "$op" || continue
      mkdir -p "$judged/seeds/$op"
      cp --no-dereference "$file" "$judged/seeds/$op/"
      at=$((at + 1))
      [ "$at" -lt 256 ] || break
    done < <(find "$from" -type f -path '*/[!/]*/*.toml' -size -256k -print0 | sort -z)
  done
}

merge_arguments() {
  merging=(merge "${inputs[@]}" --json "$judged/results.json" --junit "$judged/junit.xml"
    --outputs "$judged/outputs" --fail-on "$GATE_FAIL_ON" --flaky "$GATE_FLAKY" --colour never)
  if [ "$GATE_COMMAND" = run ]; then
    if [ -n "$GATE_GPU_CLASS" ]; then merging+=(--gpu-class "$GATE_GPU_CLASS"); fi
    return
  fi
  merging+=(--expect-shards "$GATE_SHARDS")
  if [ -n "$GATE_GPU_CLASSES" ]; then merging+=(--expect-classes "$GATE_GPU_CLASSES"); fi
  if [ -n "$GATE_GPU_CLASSES_NOT_RUN" ]; then
    merging+=(--classes-not-run "$GATE_GPU_CLASSES_NOT_RUN")
  fi
}

render_all() {
  local format
  for format in comment:comment.md summary:report.md sarif:illusion-gate.sarif; do
    trusted none -- gate render "$judged/results.json" --format "${format%%:*}" \
      --output "$judged/${format#*:}"
  done
}

# worse A B: the code that says more: our bug, user error, red, environment, inconclusive, pass.
worse() {
  local code
  for code in 70 2 1 3 4; do
    if [ "$1" = $code ] || [ "$2" = $code ]; then echo $code; return; fi
  done
  if [ "$1" = 0 ] && [ "$2" = 0 ]; then echo 0; else echo 3; fi
}

write_summary() {
  cp "$GITHUB_EVENT_PATH" "$folder/publish/event.json"
  chmod a+r "$folder/publish/event.json"
  : >"$folder/publish/summary.md"
  give_to_container "$folder/publish" "$judged"
  trusted none GITHUB_EVENT_NAME GITHUB_REPOSITORY GITHUB_SERVER_URL GITHUB_API_URL GITHUB_SHA \
    GITHUB_REF GITHUB_RUN_ID GITHUB_RUN_ATTEMPT -- gate-publish summary \
    --results "$judged/results.json" --event "$folder/publish/event.json" \
    --comment-id "$GATE_COMMENT_ID" --image "$image" \
    --summary-file "$folder/publish/summary.md" | show_untrusted
  head -c 1000000 "$folder/publish/summary.md" >>"$GITHUB_STEP_SUMMARY"
}

# Why nothing was judged, as the run said it: plain text between fences it cannot close.
last_words() {
  if [ "$GATE_COMMAND" != run ] || [ ! -s "$folder/log/run.log" ]; then return; fi
  printf '\n```text\n'
  tail -n 30 "$folder/log/run.log" | tail -c 4000 | LC_ALL=C tr -d '\000-\010\013-\037\177' |
    tr '`' "'"
  printf '\n```\n'
}

run_code=0
if [ "$GATE_COMMAND" = run ]; then run_code=$(cat "$folder/run-code" 2>/dev/null || echo 3); fi
[[ $run_code =~ ^(0|1|2|3|4|70)$ ]] || run_code=3   # 137 and the like: it was killed
copy_results
if [ ${#inputs[@]} -eq 0 ]; then
  note "there are no results"
  {
    printf '## Illusion gate: error\n\nNothing was judged: no results (exit code %s).\n' "$run_code"
    last_words
  } >>"$GITHUB_STEP_SUMMARY"
  worse "$run_code" 3 >"$folder/code"
  exit 0
fi
give_to_container "$folder/work" "$judged"
merge_arguments
merged=0
trusted none -- gate "${merging[@]}" >"$folder/log/merge.log" 2>&1 || merged=$?
show_untrusted <"$folder/log/merge.log"
if [ ! -s "$judged/results.json" ]; then
  note "the results cannot be believed (gate merge: exit code $merged)"
  printf '## Illusion gate: error\n\nThe results could not be read.\n' >>"$GITHUB_STEP_SUMMARY"
  worse "$merged" 3 >"$folder/code"
  exit 0
fi
# The run's own red (1) and grey (4) are replaced by those of the results only where something may
# excuse them: fail-on, flaky, or a shard that has no kernel. Elsewhere results that say better than
# the run were tampered with.
excusable=""
if [ "$GATE_FAIL_ON" = never ] || [ "$GATE_FLAKY" = warn ]; then
  excusable=" 1 4 "
elif [ "$GATE_COMMAND" = run ] && [ "$GATE_SHARDS" -gt 1 ]; then
  excusable=" 4 "
fi
case "$excusable" in *" $run_code "*) run_code=$merged ;; esac
if [ "$GATE_COMMAND" = run ] && [ "$run_code" != 0 ] && [ "$merged" = 0 ]; then
  note "the run ended with $run_code, its results with $merged: the worse counts"
fi
if [ "$GATE_FAIL_ON" = never ] && [ "$run_code" = 3 ]; then run_code=0; fi
worse "$run_code" "$merged" >"$folder/code"
copy_seeds
render_all
write_summary
if [ -f "$folder/log/run.log" ]; then cp "$folder/log/run.log" "$judged/run-log.txt"; fi
output ready true
