#!/usr/bin/env bash
# Refuses a release while a pin is a placeholder, and says which command fills it.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
root=${1:-$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)}
cd "$root"
refused=0
refuse() {
  refused=$((refused + 1))
  printf '%s\n    fill it with: %s\n' "$1" "$2"
}

while IFS='=' read -r kind image; do
  case "$kind" in '#'* | '') continue ;; esac
  name=${image%%@*}
  if ! [[ $image =~ @sha256:[0-9a-f]{64}$ ]] || [[ $image =~ @sha256:0{64}$ ]]; then
    refuse "docker/base-images: $name has no digest" \
      "digest=\$(docker buildx imagetools inspect $name --format '{{.Manifest.Digest}}') &&
      sed -i \"s|^$kind=.*|$kind=$name@\$digest|\" docker/base-images"
  fi
done <docker/base-images

while IFS=: read -r file line text; do
  used=$(sed 's/.*uses:[[:space:]]*//; s/[[:space:]].*//' <<<"$text")
  case "$used" in ./*) continue ;; esac
  if ! [[ $used =~ @[0-9a-f]{40}$ ]] || [[ $used =~ @0{40}$ ]]; then
    name=${used%%@*}
    if [ "$name" = illusion-gate/illusion-gate ]; then
      # A commit cannot name itself: the examples name the one before the release's.
      refuse "$file:$line: the example does not name this release" \
        "sed -i \"s|$name@[^ ]*.*|$name@\$(git rev-parse HEAD)|\" $file && git commit -am Pins"
      continue
    fi
    refuse "$file:$line: $name is not pinned to a commit" \
      "commit=\$(git ls-remote https://github.com/$name 'refs/tags/v*' | tail -n 1 | cut -f1) &&
      sed -i \"s|$name@[^ ]*|$name@\$commit|\" $file"
  fi
done < <(grep -rnE '^[[:space:]]*(- )?uses:' action.yml .github --include='*.yml')

if [ $refused -gt 0 ]; then
  echo "$refused placeholders: no release"
  exit 1
fi
echo "Every action and base image is pinned."
