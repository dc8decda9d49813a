"""RMSNorm without weight. Bug: the root is dropped."""
# SPDX-License-Identifier: Apache-2.0
import triton
import triton.language as tl


@triton.jit
def _rmsnorm(x, y, cols, eps, x_row, x_col, y_row, y_col, LANES: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, LANES)
    inside = lane < cols
    v = tl.load(x + row * x_row + lane * x_col, mask=inside, other=0.0).to(tl.float32)
    scale = 1.0 / (tl.sum(v * v, axis=0) / cols + eps)
    result = v * scale
    tl.store(y + row * y_row + lane * y_col, result.to(y.dtype.element_ty), mask=inside)


def rmsnorm(x, y, eps):
    rows, cols = x.shape
    lanes = triton.next_power_of_2(cols)
    _rmsnorm[(rows,)](x, y, cols, eps, *x.stride(), *y.stride(), LANES=lanes)
