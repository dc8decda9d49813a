"""What a PyTorch harness takes per case: softmax f16 8 x 127, the inputs that cuda_speed wrote, the
corpus' CUDA kernel on the GPU, an fp64 reference on the CPU, allclose. Prints JSON."""
# SPDX-License-Identifier: Apache-2.0
import json
import sys
import time

import cupy
import numpy
import torch

ROWS, COLS, LANES = 8, 127, 128


def load_kernel(source):
    with open(source, encoding="utf-8") as file:
        code = "#define INFINITY (__int_as_float(0x7f800000))\n" + file.read()
    module = cupy.RawModule(code=code, options=("-std=c++17", "-I/usr/local/cuda/include"),
                            name_expressions=["softmax<__half>"])
    return module.get_function("softmax<__half>")


def check(kernel, host):
    """One case as harnesses do it: to the GPU, run, back, compare."""
    x = host.cuda()
    y = torch.empty_like(x)
    kernel((ROWS,), (LANES,), (x.data_ptr(), y.data_ptr(), numpy.int32(COLS), numpy.int32(LANES),
                               *(numpy.int64(stride) for stride in x.stride() + y.stride())))
    torch.cuda.synchronize()
    reference = torch.softmax(host.double(), dim=-1)
    return torch.allclose(y.cpu().double(), reference, atol=1e-2, rtol=1e-2)


def main():
    kernel = load_kernel(sys.argv[1])
    values = numpy.fromfile(sys.argv[2], dtype=numpy.float16).reshape(-1, ROWS, COLS)
    torch.set_num_threads(1)
    hosts = [torch.from_numpy(value.copy()) for value in values]
    for host in hosts[:200]:
        check(kernel, host)
    started = time.perf_counter()
    passed = sum(check(kernel, host) for host in hosts)
    seconds = time.perf_counter() - started
    print(json.dumps({"pytorch_us_per_case": seconds / len(hosts) * 1e6, "cases": len(hosts),
                      "passed": int(passed), "torch": torch.__version__}))


if __name__ == "__main__":
    main()
