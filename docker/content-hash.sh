#!/usr/bin/env bash
# One hash over everything the image is made of: which built tree or image is good enough to reuse.
# Usage: content-hash.sh [--list]
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
export LC_ALL=C
list() {
  {
    find CMakeLists.txt CMakePresets.json cmake docker/Dockerfile docker/*.sh -type f
    find gate -type f -not -path 'gate/test/*' -not -path 'gate/bench/*'
    # Bundled references are compiled in; op schemas and tolerances stand beside the programs.
    find tolerances -type f -name '*.toml'
    find testcases -type f \( -name op.toml -o -name '*.cpp' -o -name '*.h' \) \
      -not -path '*/kernels/*'
  } | sort
}
if [ "${1:-}" = --list ]; then list; exit; fi
list | tr '\n' '\0' | xargs -0 sha256sum | sha256sum | cut -c1-32
