"""Kernels in every form the gate takes beside .cu with a __global__ entry: .ptx, .cubin, .so, host
launchers, PyTorch functions and modules; and what is said of broken ones. Part `forms` of
acceptance.py; writes a small repository of its own, since binaries are built for this machine."""
# SPDX-License-Identifier: Apache-2.0
import pathlib
import shutil
import subprocess
import tempfile

from machine import kernels_as_expected, unexpected

ROW_CODE = r"""
  const float* in = x + blockIdx.x * x_row;
  float* out = y + blockIdx.x * y_row;
  float top = -1.0f / 0.0f, sum = 0.0f;
  if (x[(gridDim.x - 1) * x_row + (cols - 1) * x_col + @BEYOND@] == 123456.0f) top = 0.0f;
  for (int c = threadIdx.x; c < cols; c += 32) top = fmaxf(top, in[c * x_col]);
  for (int d = 16; d > 0; d /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
  bool bad = false;
  for (int c = threadIdx.x; c < cols; c += 32) bad |= in[c * x_col] != in[c * x_col];
  if (__any_sync(0xffffffffu, bad)) top = 0.0f / 0.0f;
  for (int c = threadIdx.x; c < cols@LESS@; c += 32) sum += expf(in[c * x_col] - top);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  for (int c = threadIdx.x; c < cols; c += 32)
    out[c * y_col] = expf(in[c * x_col] - top) / sum;
"""
PARAMETERS = ("const float* x, float* y, int cols, long long x_row, long long x_col, "
              "long long y_row, long long y_col")
KERNEL = ('#include <cmath>\nextern "C" __global__ void rows(' + PARAMETERS + ") {" + ROW_CODE +
          "}\n")
LAUNCHER = KERNEL + r"""
extern "C" int launch(const float* x, float* y, int height, int cols, long long x_row,
                      long long x_col, long long y_row, long long y_col, cudaStream_t stream) {
  rows<<<height, 32, 0, stream>>>(x, y, cols, x_row, x_col, y_row, y_col);
  return cudaGetLastError();
}
"""
STRIDES = '"x.stride(0):i64", "x.stride(1):i64", "y.stride(0):i64", "y.stride(1):i64"'
GRID = f'args = ["x", "y", "cols", {STRIDES}]\ngrid = ["rows"]\nblock = ["32"]\n'
HOST = f'args = ["x", "y", "rows", "cols", {STRIDES}, "stream"]\n'

PYTHON = {
    "returned": ("import torch\n\ndef f(x):\n    return torch.softmax(x, dim=-1)\n", '"x"',
                 "clean", None),
    "written": ("import torch\n\ndef f(x, y):\n    y.copy_(torch.softmax(x, dim=-1))\n", '"x", "y"',
                "clean", None),
    "module": ("import torch\n\nclass f(torch.nn.Module):\n    def __init__(self, dim):\n"
               "        super().__init__()\n        self.dim = dim\n\n    def forward(self, x):\n"
               "        return torch.softmax(x, dim=self.dim)\n\ndef get_init_inputs():\n"
               "    return [-1]\n", '"x"', "clean", None),
    "half_written": ("import torch\n\ndef f(x):\n    y = torch.empty_like(x)\n"
                     "    n = (x.shape[1] + 1) // 2\n"
                     "    y[:, :n] = torch.softmax(x, dim=-1)[:, :n]\n"
                     "    return y\n", '"x"', "defect", None),
    "no_import": ("import torch\nimport no_such_module_anywhere\n\ndef f(x):\n    return x\n",
                  '"x"', "defect", "build_failed"),
    "raises": ("import torch\n\ndef f(x):\n    raise ValueError('no')\n", '"x"', "defect", "crash"),
}


def description(source, entry, launch, expect):
    kind = f'kind = "{expect[1]}"\n' if expect[1] else ""
    bug = "" if expect[0] == "clean" else 'bug = "see its source"\n'
    return (f'[kernel]\nop = "softmax"\nsource = "{source}"\ncorpus = "forms"\n[entry]\n'
            f'f32 = "{entry}"\n[[launch]]\n{launch}[expect]\nclass = "{expect[0]}"\n{kind}{bug}')


def write_tree(root):
    """The op, its tolerance and its reference, as the repository has them."""
    op = root / "ops" / "softmax"
    (op / "kernels").mkdir(parents=True)
    (root / "tolerances").mkdir()
    (root / "gate.toml").write_text('[paths]\nops = ["ops"]\ntolerances = "tolerances"\n')
    for name in ("op.toml", "reference.cpp"):
        shutil.copy(pathlib.Path("testcases/softmax") / name, op / name)
    shutil.copy("tolerances/softmax.toml", root / "tolerances")
    return op / "kernels"


def source_text(less, beyond):
    return LAUNCHER.replace("@LESS@", less).replace("@BEYOND@", str(beyond))


def nvcc(arguments):
    program = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    subprocess.run([program, "-O2", *arguments], check=True, capture_output=True, text=True)


def write_binaries(kernels, build):
    """Binary kernels, right and wrong, for this machine's architecture; one for another."""
    rows = []
    for name, less in (("right", ""), ("wrong", " - 1")):
        source = build / f"{name}.cu"
        source.write_text(source_text(less, 0))
        expect = ("clean", None) if name == "right" else ("illusion", "wrong")
        nvcc(["-arch=native", "-cubin", str(source), "-o", str(kernels / f"{name}_cubin.cubin")])
        nvcc(["-arch=compute_80", "-ptx", str(source), "-o", str(kernels / f"{name}_ptx.ptx")])
        nvcc(["-arch=native", "-shared", "-Xcompiler", "-fPIC", str(source), "-o",
              str(kernels / f"{name}_library.so")])
        shutil.copy(source, kernels / f"{name}_launcher.cu")
        rows += [(f"{name}_cubin", ".cubin", "rows", GRID, expect),
                 (f"{name}_ptx", ".ptx", "rows", GRID, expect),
                 (f"{name}_library", ".so", "launch", HOST, expect),
                 (f"{name}_launcher", ".cu", "launch", HOST, expect)]
    nvcc(["-arch=sm_80", "-cubin", str(build / "right.cu"), "-o", str(kernels / "other_gpu.cubin")])
    shutil.copy(kernels / "right_ptx.ptx", kernels / "no_entry.ptx")
    # One element beyond the last one is read and changes nothing: only compute-sanitizer can tell.
    (kernels / "reads_beyond.cu").write_text(source_text("", 1))
    rows.append(("reads_beyond", ".cu", "launch", HOST, ("illusion", "out_of_bounds")))
    rows += [("other_gpu", ".cubin", "rows", GRID, ("defect", "build_failed")),
             ("no_entry", ".ptx", "no_such_entry", GRID, ("defect", "build_failed"))]
    return rows


def forms(machine, _, __):
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        kernels = write_tree(root)
        build = root / "build"
        build.mkdir()
        rows = write_binaries(kernels, build)
        for name, (source, arguments, *expect) in PYTHON.items():
            (kernels / f"torch_{name}.py").write_text(source)
            rows.append((f"torch_{name}", ".py", "f", f"args = [{arguments}]\n", expect))
        for name, extension, entry, launch, expect in rows:
            (kernels / f"{name}.toml").write_text(
                description(name + extension, entry, launch, expect))
        code, report, seconds = machine.gate(str(root), "--device", "cuda", "--sanitizer",
                                             "on")
    if report is None:
        return {"form_rows": None, "forms_reason": f"exit {code}"}
    total, fine = kernels_as_expected(report)
    table = {f"{row['kernel']}": [row["device"], row["class"], row["kind"], row["cases"]]
             for row in report["rows"]}
    return {"form_rows": total, "form_as_expected": fine, "form_table": table,
            "form_unexpected": unexpected(report), "form_exit": code,
            "form_not_selected": report["not_selected"], "form_seconds": round(seconds, 1)}
