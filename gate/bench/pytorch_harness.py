"""What a PyTorch harness takes per case: softmax f16 8 x 127, the corpus' CUDA kernel on the GPU,
an fp64 reference on the CPU. Two of them: `bare` takes the inputs that cuda_speed wrote and asks
allclose; `checking` does what the gate does for a case, in PyTorch's own operations: draws the
input, poisons the output, looks at modified inputs, unwritten and non-finite elements, compares
each element with its limit, finds the worst one, and runs nothing twice. Prints JSON."""
# SPDX-License-Identifier: Apache-2.0
import json
import sys
import time

import cupy
import numpy
import torch

ROWS, COLS, LANES = 8, 127, 128
ZONE = 2048


def load_kernel(source):
    with open(source, encoding="utf-8") as file:
        code = "#define INFINITY (__int_as_float(0x7f800000))\n" + file.read()
    module = cupy.RawModule(code=code, options=("-std=c++17", "-I/usr/local/cuda/include"),
                            name_expressions=["softmax<__half>"])
    return module.get_function("softmax<__half>")


def launch(kernel, x, y):
    kernel((ROWS,), (LANES,), (x.data_ptr(), y.data_ptr(), numpy.int32(COLS), numpy.int32(LANES),
                               *(numpy.int64(stride) for stride in x.stride() + y.stride())))
    torch.cuda.synchronize()


def bare(kernel, host):
    x = host.cuda()
    y = torch.empty_like(x)
    launch(kernel, x, y)
    reference = torch.softmax(host.double(), dim=-1)
    return torch.allclose(y.cpu().double(), reference, atol=1e-2, rtol=1e-2)


def checking(kernel, seed):
    host = torch.randn(ROWS, COLS, generator=torch.Generator().manual_seed(seed)).half()
    storage = torch.full((2 * ZONE + ROWS * COLS,), float("nan"), dtype=torch.float16,
                         device="cuda")
    y = storage[ZONE:ZONE + ROWS * COLS].view(ROWS, COLS)
    x = host.cuda()
    launch(kernel, x, y)
    after, whole = x.cpu(), storage.cpu()
    got = whole[ZONE:ZONE + ROWS * COLS].view(ROWS, COLS).double()
    untouched = torch.isnan(whole[:ZONE]).all() and torch.isnan(whole[-ZONE:]).all()
    reference = torch.softmax(host.double(), dim=-1)
    limit = 2.0 ** -11 * reference.abs() + 2.0 ** -25 + 6e-6 * reference.abs()
    distance = (got - reference).abs()
    worst = int(torch.argmax(torch.nan_to_num(distance / limit, nan=float("inf"))))
    return (torch.equal(after, host) and bool(untouched) and not bool(torch.isnan(got).any())
            and bool((distance <= limit).all()) and worst >= 0)


def microseconds(check, kernel, cases):
    for case in cases[:200]:
        check(kernel, case)
    started = time.perf_counter()
    passed = sum(bool(check(kernel, case)) for case in cases)
    return (time.perf_counter() - started) / len(cases) * 1e6, passed


def main():
    kernel = load_kernel(sys.argv[1])
    values = numpy.fromfile(sys.argv[2], dtype=numpy.float16).reshape(-1, ROWS, COLS)
    torch.set_num_threads(1)
    hosts = [torch.from_numpy(value.copy()) for value in values]
    bare_time, bare_passed = microseconds(bare, kernel, hosts)
    checking_time, checking_passed = microseconds(checking, kernel, list(range(len(hosts))))
    print(json.dumps({"pytorch_us_per_case": checking_time, "bare_us_per_case": bare_time,
                      "cases": len(hosts), "passed": int(checking_passed),
                      "bare_passed": int(bare_passed), "torch": torch.__version__}))


if __name__ == "__main__":
    main()
