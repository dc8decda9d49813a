#!/usr/bin/env bash
# Unit tests of the python worker, with every Python that could serve as one.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
found=0
for python in "${GATE_PYTHON:-python3}" /usr/bin/python3; do
  command -v "$python" > /dev/null || continue
  found=1
  "$python" gate/test/device/python_worker_test.py gate/device/python
done
[ "$found" = 1 ] || { echo "no Python here"; exit 77; }
