#!/bin/bash
# A KernelBench problem of PyTorch, with weights and sizes of its own: the reference is its Model in
# fp64, a ModelNew that drops a tail is found. Skipped where there is no PyTorch (GATE_PYTHON names
# an interpreter).
# SPDX-License-Identifier: Apache-2.0
set -u
python=${GATE_PYTHON:-/usr/bin/python3}
"$python" -c 'import torch' 2> /dev/null || { echo "skipped: no torch in $python"; exit 77; }
export GATE_PYTHON=$python
. "$(dirname "$0")/expecting.sh" "$1" imports

expect 0 "new op       softplus_norm: unmodelled" "$gate" init 19_Softplus_Norm_torch.py
says "linear_weight [hidden_size, in_features] f32"
says "linear_bias  [hidden_size] f32"
expect 0 "softplus_norm" "$gate" init softplus_norm_new.py --op softplus_norm
kernels=testcases/softplus_norm/kernels
expect 0 "1 clean" "$gate" run $kernels/19_Softplus_Norm_torch.toml --cases 24
says "unmodelled: the op has no error model"
expect 1 "softplus_norm_new.f32" "$gate" run $kernels/softplus_norm_new.toml --cases 24
exit $bad
