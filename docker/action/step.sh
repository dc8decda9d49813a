# What every step of action.yml shares: where things are, how to say something, how to hand over.
# Sourced. Settings of one use of the Action live in its own folder, which no container can write.
# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
set -euo pipefail
source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

note() { printf 'illusion gate: %s\n' "$*"; }

# give_up CODE TEXT: the step fails; the verdict step turns the code into the Action's result.
give_up() {
  local code=$1
  shift
  # Percent, carriage return and newline are what a workflow command needs escaped.
  local text=${*//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::error title=Illusion gate::%s\n' "${text//$'\n'/%0A}" >&2
  if [ -n "${folder:-}" ] && [ -d "$folder" ]; then echo "$code" >"$folder/step-code"; fi
  exit "$code"
}

# output NAME VALUE: one line, nothing a later step could be surprised by.
output() {
  case "$2" in *$'\n'* | *$'\r'*) give_up 70 "output $1 has more than one line" ;; esac
  printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"
}

keep() { printf '%s=%q\n' "$1" "$2" >>"$folder/settings"; }

# Later steps: the folder that preflight made, with what it found out.
open_folder() {
  folder=${GATE_FOLDER:?preflight made no folder}
  # shellcheck source=/dev/null
  source "$folder/settings"
  if [ -f "$folder/engine" ]; then
    # shellcheck source=/dev/null
    source "$folder/engine"
  fi
}

is_word() { [[ $1 =~ ^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$ ]]; }
is_number() { [[ $1 =~ ^[0-9]{1,9}$ ]]; }

# one_of NAME VALUE ALLOWED...
one_of() {
  local name=$1 value=$2 allowed
  shift 2
  for allowed in "$@"; do
    if [ "$value" = "$allowed" ]; then return; fi
  done
  give_up 2 "input $name is '${value:0:60}', not one of: $*"
}

# Kernel output is hostile: it is shown without control characters, and between stop-commands, so
# that no line of it is a workflow command.
show_untrusted() {
  local word
  word=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$word"
  LC_ALL=C tr -d '\000-\010\013-\037\177' || true
  printf '\n::%s::\n' "$word"
}
