"""RMS norm in Triton, as somebody new to the gate has it."""
# SPDX-License-Identifier: Apache-2.0
import torch
import triton
import triton.language as tl


@triton.jit
def rmsnorm_kernel(x_ptr, y_ptr, n_cols, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n_cols
    x = tl.load(x_ptr + row * n_cols + offsets, mask=mask, other=0.0).to(tl.float32)
    scale = 1.0 / tl.sqrt(tl.sum(x * x) / n_cols + eps)
    tl.store(y_ptr + row * n_cols + offsets, x * scale, mask=mask)


def rmsnorm(x, eps=1e-6):
    x = x.contiguous()
    y = torch.empty_like(x)
    rmsnorm_kernel[(x.shape[0],)](x, y, x.shape[1], eps, BLOCK=triton.next_power_of_2(x.shape[1]))
    return y
