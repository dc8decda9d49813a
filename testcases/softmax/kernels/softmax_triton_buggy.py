"""Softmax, one program a row. Bug: pad lanes are loaded as 0."""
# SPDX-License-Identifier: Apache-2.0
import triton
import triton.language as tl


@triton.jit
def _softmax(x, y, cols, x_row, x_col, y_row, y_col, LANES: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, LANES)
    inside = lane < cols
    v = tl.load(x + row * x_row + lane * x_col, mask=inside, other=0.0).to(tl.float32)
    top = tl.max(v, axis=0)
    e = tl.exp(v - top)
    result = e / tl.sum(e, axis=0)
    tl.store(y + row * y_row + lane * y_col, result.to(y.dtype.element_ty), mask=inside)


def softmax(x, y):
    rows, cols = x.shape
    lanes = triton.next_power_of_2(cols)
    _softmax[(rows,)](x, y, cols, *x.stride(), *y.stride(), LANES=lanes)
