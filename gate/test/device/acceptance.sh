#!/usr/bin/env bash
# Takes the measurements of a GPU machine: a built tree, no network. Each part is resumable and
# merged, with the commit that it ran at, into gate/bench/results/cuda.json.
# Usage: acceptance.sh --part PART [--part PART…] [--build FOLDER] [--out FILE]
#                      [--seconds N] [--cases N] [--run-seeds N] [--lanes J,J] [--filter F]
#   parts: corpus controls faults conformance speed triton forms two_gpu
# The corpus' bugs within their first 16 cases, many run seeds: gate/bench/corpus_seeds.py.
# SPDX-License-Identifier: Apache-2.0
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
exec python3 gate/test/device/acceptance.py "$@"
