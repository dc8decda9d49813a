#!/bin/bash
# `gate init` on files of other tools: flashinfer-bench JSON and KernelBench problems become ops
# with Python references that run; malformed ones say where and why. import_torch_test.sh has what
# needs PyTorch.
# SPDX-License-Identifier: Apache-2.0
set -u
. "$(dirname "$0")/expecting.sh" "$1" imports

# A definition with its traced workloads and two solutions.
expect 0 "definition add_rmsnorm_h64" "$gate" init add_rmsnorm_h64.json add_rmsnorm_h64.jsonl \
  solution_rows.json solution_cuda.json
says "5 workloads, 4 of different sizes"
op=testcases/add_rmsnorm_h64
says 'hidden = 64' $op/op.toml
says 'constraints = ["batch <= 1024"]' $op/op.toml
says 'eps = { type = "f32", default = 1e-05, values = [1e-06, 1e-05] }' $op/op.toml
says 'batch = 300' $op/traced.toml
says 'args = ["x", "weight", "eps", "residual"]' $op/kernels/add_rmsnorm_rows.toml
expect 0 "1 clean" "$gate" run $op/kernels/add_rmsnorm_rows.toml --cases 24
says "unmodelled: the op has no error model"
says "add_rmsnorm_rows.f32/traced"
expect 1 "only rows 256.. of" "$gate" run $op/kernels/add_rmsnorm_cuda.toml --device emu --cases 24
says "add_rmsnorm_cuda.f32/traced"
expect 0 "  traced " "$gate" schema $op/kernels/add_rmsnorm_cuda.toml
sed -i 's/RMSNorm of/An RMSNorm of/' add_rmsnorm_h64.json
expect 2 "never overwritten" "$gate" init add_rmsnorm_h64.json

# A problem that a bundled op explains, and one that none does; a ModelNew that drops a tail.
expect 0 "op           softmax (sure)" "$gate" init 23_Softmax_numpy.py
expect 0 "1 clean" "$gate" run 23_Softmax_numpy.toml --cases 24
expect 0 "new op       gated_pairs: unmodelled" "$gate" init 12_Gated_Pairs.py
says "kept         groups = 4 (line 6), gain = 3 (line 7)"
says "b            [features * 2, batch] f32"
expect 0 "new op       pick_sum: unmodelled" "$gate" init 61_Pick_Sum.py
says "axes         batch = 64 (line 4), features = 4096 (line 5), hidden = 8192 (line 6)"
says "kept         axis = 1 (line 7)"
says "y            [batch, hidden] f32"
expect 0 "1 clean" "$gate" run testcases/pick_sum --cases 8
expect 0 "gated_pairs (likely)" "$gate" init gated_pairs_new.py
expect 0 "1 clean" "$gate" run testcases/gated_pairs/kernels/12_Gated_Pairs.toml --cases 24
expect 1 "columns 128.." "$gate" run testcases/gated_pairs/kernels/gated_pairs_new.toml --cases 24

# A reference in NumPy for a kernel whose op nobody knows: a stub, then filled in.
cp "$sources"/../newcomer/signed_power.cu .
expect 0 "to do        the body of testcases/signed_power/reference.py" \
  "$gate" init --python-reference signed_power.cu
toml=testcases/signed_power/kernels/signed_power.toml
"$gate" run $toml --device emu --cases 4 > said 2>&1 && { echo "FAILED: a stub passes"; bad=1; }
says "reference not written yet"
sed -i 's/    raise Not.*/    return values.dtype.type(gain) * values * np.abs(values)/' \
  testcases/signed_power/reference.py
expect 1 "FAILED" "$gate" run $toml --device emu --cases 12
says "unmodelled: the op has no error model"
sed -i 's/np.abs(values)/np.abs(values)[:1, None]/' testcases/signed_power/reference.py
"$gate" run $toml --device emu --cases 4 > said 2>&1
says "the reference returns shape"

# Malformed definitions: every problem of a file at once, with its place.
python3 - <<'P'
import json
good = json.load(open("add_rmsnorm_h64.json"))
def put(name, change):
    value = json.loads(json.dumps(good)); change(value)
    json.dump(value, open(name, "w"), indent=2)
put("axis.json", lambda d: (d["inputs"]["x"]["shape"].__setitem__(1, "hiden"),
                            d["outputs"]["y"].__setitem__("dtype", "float4_e2m1")))
put("constraint.json", lambda d: d["constraints"].append("hidden % 48 == 0"))
put("syntax.json", lambda d: d["constraints"].append("batch %% 2"))
put("reference.json", lambda d: d.__setitem__("reference", "def go(x): return x"))
put("type.json", lambda d: d["axes"]["batch"].__setitem__("type", "vari"))
solution = json.load(open("solution_rows.json"))
solution["spec"]["entry_point"] = "other.py::run"
solution["sources"].append({"path": "../evil.py", "content": "x"})
json.dump(solution, open("solution.json", "w"), indent=1)
P
expect 2 'axis.json:26:9: error: there is no axis "hiden"' "$gate" init axis.json
says 'hint: did you mean "hidden"?'
says 'axis.json:54:16: error: no device here computes with dtype "float4_e2m1"'
expect 2 'constraint.json:21:5: error: the constant axes do not meet "hidden % 48 == 0"' \
  "$gate" init constraint.json
expect 2 'syntax.json:21:5: error: ' "$gate" init syntax.json
expect 2 'the reference has no top-level function run(...)' "$gate" init reference.json
expect 2 'type.json:10:15: error: there is no axis type "vari"' "$gate" init type.json
expect 2 'error: there is no source "other.py"' "$gate" init solution.json
says '"../evil.py" is not a plain file name'
printf '{"name": "x",\n "axes": }\n' > broken.json
expect 2 'broken.json:2:10: error: not valid JSON' "$gate" init broken.json
echo '{"color": 1}' > nothing.json
expect 2 'nothing.json:1:1: error: neither a Definition' "$gate" init nothing.json
sed 's/"batch": 33/"batch": 3333/' add_rmsnorm_h64.jsonl > far.jsonl
expect 2 "far.jsonl:3:1: error: the workload does not meet the op's constraint batch <= 1024" \
  "$gate" init far.jsonl
echo '{"uuid": "a", "axes": {"n": 0}, "inputs": {}}' > bare.jsonl
expect 2 'bare.jsonl:1:29: error: the size of an axis must be a positive integer' \
  "$gate" init bare.jsonl

# Malformed problems.
sed 's/def get_inputs/def inputs/' 12_Gated_Pairs.py > no_inputs.py
expect 2 "no_inputs.py:1: error: no function 'get_inputs' at the top level" \
  "$gate" init no_inputs.py
sed 's/^class Model/class Modell/' 12_Gated_Pairs.py > no_model.py
expect 2 "error: no class 'Model' at the top level" "$gate" init no_model.py
sed 's/np.tanh(/np.tahn(/' 12_Gated_Pairs.py > wrong_name.py
expect 2 "wrong_name.py:19: error: does not run at any small sizes: AttributeError" \
  "$gate" init wrong_name.py
sed 's/return \[a, b\]/return [a, b, 3]/' 12_Gated_Pairs.py > number.py
expect 2 "number.py:22: error: input 'input2' of get_inputs() is a int, not a tensor" \
  "$gate" init number.py
echo 'x = = 1' > syntax.py; cat 12_Gated_Pairs.py >> syntax.py
expect 2 "syntax.py:1: error: not valid Python" "$gate" init syntax.py

# Without PyTorch its problems are told apart from broken ones.
if ! "${GATE_PYTHON:-/usr/bin/python3}" -c 'import torch' 2> /dev/null; then
  expect 3 "torch is not installed here" "$gate" init 19_Softplus_Norm_torch.py
fi
exit $bad
