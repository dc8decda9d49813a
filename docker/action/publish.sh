#!/usr/bin/env bash
# Publishes the judged report. The only step that sees a token, and what it says about the results
# changes no verdict: a failure here is a notice.
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "${BASH_SOURCE[0]}")/step.sh"
open_folder
source "$source_root/docker/action/engine.sh"
modes=(comment)
if [ "$GATE_COMMAND" = publish ]; then modes=(summary comment); fi
if [ "$GATE_CHECK_RUN" = true ]; then modes+=(check-run); fi
if [ "$GATE_STATUS" = true ]; then modes+=(status); fi
if [ "$GATE_SARIF" = true ]; then modes+=(sarif); fi
if [ -n "$GATE_SEEDS_BRANCH" ]; then modes+=(seeds); fi

cp "$GITHUB_EVENT_PATH" "$folder/publish/event.json"
: >"$folder/publish/outputs"
: >"$folder/publish/publisher-summary.md"
arguments=("${modes[@]}" --event "$folder/publish/event.json" --comment "$GATE_COMMENT"
  --comment-id "$GATE_COMMENT_ID" --output-file "$folder/publish/outputs"
  --summary-file "$folder/publish/publisher-summary.md")
results=$folder/verdict/results.json
if [ "$GATE_COMMAND" = publish ] && [ -n "$GATE_RESULTS" ]; then
  from=$GATE_RESULTS
  case "$from" in /*) ;; *) from=$GITHUB_WORKSPACE/$from ;; esac
  results=$folder/publish/results.json
  # Without results there is nothing to say, and the verdict job is red already.
  [ -f "$from/results.json" ] && [ ! -L "$from/results.json" ] || give_up 3 "no results to publish"
  cp --no-dereference "$from/results.json" "$results"
fi
# On workflow_run the publisher finds the artifact by itself.
if [ "$GITHUB_EVENT_NAME" != workflow_run ]; then arguments+=(--results "$results"); fi
# optional FLAG VALUE
optional() { if [ -n "$2" ]; then arguments+=("$1" "$2"); fi; }
optional --image "${image##localhost/*}"   # an image of this runner helps nobody else
optional --artifact-url "$GATE_ARTIFACT_URL"
optional --workflow "$GATE_WORKFLOW"
optional --bot "$GATE_BOT"
optional --seeds-branch "$GATE_SEEDS_BRANCH"
optional --category "$GATE_GPU_CLASS"
if [ -n "$GATE_CA_BUNDLE" ]; then
  cp "$GATE_CA_BUNDLE" "$folder/publish/ca.pem"
  arguments+=(--ca-bundle "$folder/publish/ca.pem")
fi
give_to_container "$folder/publish"
chmod a+r "$folder/publish"/*
variables=(GITHUB_TOKEN GITHUB_EVENT_NAME GITHUB_REPOSITORY GITHUB_SERVER_URL GITHUB_API_URL
  GITHUB_SHA GITHUB_REF GITHUB_RUN_ID GITHUB_RUN_ATTEMPT)
for name in http_proxy https_proxy HTTPS_PROXY no_proxy NO_PROXY ALL_PROXY all_proxy; do
  if [ -n "${!name:-}" ]; then variables+=("$name"); fi
done
published=0
trusted host "${variables[@]}" -- gate-publish "${arguments[@]}" >"$folder/log/publish.log" 2>&1 ||
  published=$?
show_untrusted <"$folder/log/publish.log"
if [ "$GATE_COMMAND" = publish ]; then
  head -c 1000000 "$folder/publish/publisher-summary.md" >>"$GITHUB_STEP_SUMMARY"
fi
comment_url=$(sed -n 's/^comment-url=//p' "$folder/publish/outputs" | tail -n 1)
output comment-url "${comment_url:-}"
[ "$published" = 0 ] ||
  printf '::notice title=Illusion gate::%s\n' \
    "publishing did not work (code $published, the log says why); the verdict stands"
