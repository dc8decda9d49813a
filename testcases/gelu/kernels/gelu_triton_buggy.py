"""GELU, tanh form, flattened, block of 1024,
Bug: the factor one half is dropped."""
# SPDX-License-Identifier: Apache-2.0
import triton
import triton.language as tl
from triton.language.extra import libdevice


@triton.jit
def _gelu(x, y, rows, cols, x_row, x_col, y_row, y_col, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < tl.cast(rows, tl.int64) * cols
    row, col = i // cols, i % cols
    v = tl.load(x + row * x_row + col * x_col, mask=inside, other=0.0).to(tl.float32)
    inner = 0.7978845608028654 * (v + 0.044715 * v * v * v)
    result = v * (1.0 + libdevice.tanh(inner))
    tl.store(y + row * y_row + col * y_col, result.to(y.dtype.element_ty), mask=inside)


def gelu(x, y):
    rows, cols = x.shape
    grid = (triton.cdiv(rows * cols, 1024),)
    _gelu[grid](x, y, rows, cols, *x.stride(), *y.stride(), BLOCK=1024)
