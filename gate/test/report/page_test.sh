#!/usr/bin/env bash
# The report page in headless Chromium: its style is applied under its own policy, nothing is wider
# than a phone or a desktop, both colour schemes differ, and screenshots come out. With a second
# argument the screenshots stay there. SPDX-License-Identifier: Apache-2.0
set -euo pipefail
gate=$(realpath "$1")/gate
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "page_test: $*" >&2; exit 1; }
shots=${2:-$work/shots}
mkdir -p "$shots"
"$gate" run "$source/testcases/softmax" --device emu --ignore-expect --cases 24 \
  --html "$work/page.html" \
  --gtest_filter='*softmax_llm_buggy*:*/softmax.*:*softmax_cuda_buggy.f32*' >"$work/run.txt" || true
[ -s "$work/page.html" ] || { cat "$work/run.txt"; fail "no page"; }
sed 's/ig1:TOKEN/ig1:abc/' "$source/gate/test/golden/expected/run_page.html" >"$work/golden.html"

chromium() {
  command chromium --headless --no-sandbox --disable-gpu --hide-scrollbars \
    --user-data-dir="$work/profile" --allow-file-access-from-files "$@" 2>"$work/chromium.txt"
}
measure() {   # page, scheme (0 dark, 1 light)
  chromium --blink-settings=preferredColorScheme="$2" --virtual-time-budget=8000 --dump-dom \
    "file://$source/gate/test/report/page_frame.html#file://$1" | grep -oE 'width [0-9]+ .*' |
    sed 's/<.*//'
}
for page in page golden; do
  light=$(measure "$work/$page.html" 1)
  dark=$(measure "$work/$page.html" 0)
  printf '%s light:\n%s\n%s dark:\n%s\n' "$page" "$light" "$page" "$dark"
  [ "$(wc -l <<<"$light")" = 2 ] || { cat "$work/chromium.txt"; fail "the page was not measured"; }
  grep -q 'background rgb(255, 255, 255)' <<<"$light" || fail "$page: the style was not applied"
  grep -q 'background rgb(13, 17, 23)' <<<"$dark" || fail "$page: no dark scheme"
  while read -r _ width _ content _ articles _; do
    [ "$content" -le "$width" ] || fail "$page: $content wide in a window of $width"
    [ "$articles" -ge 1 ] || fail "$page: no finding is shown"
  done <<<"$light"
done
for scheme in 1:light 0:dark; do
  for size in 390,1600:phone 1280,1600:desktop; do
    file=$shots/page-${size#*:}-${scheme#*:}.png
    chromium --blink-settings=preferredColorScheme="${scheme%%:*}" --window-size="${size%%:*}" \
      --screenshot="$file" "file://$work/page.html" || fail "no screenshot: $file"
    [ "$(stat -c %s "$file")" -gt 10000 ] || fail "an empty screenshot: $file"
  done
done
echo "page_test: fits both widths in both schemes"
