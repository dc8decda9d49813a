#!/usr/bin/env bash
# README's table of fixed-shape checks is what the committed study says.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
python3 gate/bench/fixed_shape_table.py --check
