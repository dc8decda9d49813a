#!/usr/bin/env bash
# Last step: outputs, and the verdict as the step's result. Whatever earlier steps did not get to is
# an error, never a pass.
# SPDX-License-Identifier: Apache-2.0
source "$(dirname "${BASH_SOURCE[0]}")/step.sh"

word_of() {
  case "$1" in 0) echo pass ;; 1) echo fail ;; 4) echo inconclusive ;; *) echo error ;; esac
}

if [ -z "${GATE_FOLDER:-}" ] || [ ! -d "$GATE_FOLDER" ]; then
  output verdict error
  output exit-code 2
  exit 2
fi
folder=$GATE_FOLDER
if [ "$GATE_COMMAND" = publish ]; then
  code=$(cat "$folder/step-code" 2>/dev/null || echo 0)   # publishing has no verdict of its own
else
  code=$({ cat "$folder/step-code" "$folder/code" 2>/dev/null || true; } | head -n 1)
  [[ $code =~ ^(0|1|2|3|4|70)$ ]] || code=3
fi
verdict=$(word_of "$code")
counts=$folder/verdict/outputs
if [ -f "$counts" ] && [ ! -L "$counts" ]; then
  while IFS='=' read -r name value; do
    case "$name" in
      verdict) case "$value" in pass | fail | error | inconclusive) judged=$value ;; esac ;;
      new-count | known-count | fixed-count | flaky-count | infra-count)
        if is_number "$value"; then output "$name" "$value"; fi ;;
    esac
  done <"$counts"
fi
# fail-on and flaky change whether the job fails, not what was found.
case "$code" in 0 | 1) verdict=${judged:-$verdict} ;; esac
output verdict "$verdict"
output exit-code "$code"
for pair in results-path:results.json junit-path:junit.xml sarif-path:illusion-gate.sarif \
  summary-path:report.md seeds-path:seeds; do
  if [ -e "$folder/verdict/${pair#*:}" ]; then
    output "${pair%%:*}" "$folder/verdict/${pair#*:}"
  fi
done
note "verdict: $verdict (exit code $code)"
exit "$code"
