"""Matrix product, 32 x 32 output tile, serial loop over K, fp32 accumulator."""
# SPDX-License-Identifier: Apache-2.0
import triton
import triton.language as tl


@triton.jit
def _matmul(a, b, c, m, k, n, a_row, a_col, b_row, b_col, c_row, c_col, TILE: tl.constexpr):
    row = tl.program_id(1) * TILE + tl.arange(0, TILE)[:, None]
    col = tl.program_id(0) * TILE + tl.arange(0, TILE)[None, :]
    acc = tl.zeros((TILE, TILE), dtype=tl.float32)
    for i in range(k):
        left = tl.load(a + row.to(tl.int64) * a_row + i * a_col, mask=row < m, other=0.0)
        right = tl.load(b + i * b_row + col.to(tl.int64) * b_col, mask=col < n, other=0.0)
        acc += left.to(tl.float32) * right.to(tl.float32)
    where = c + row.to(tl.int64) * c_row + col.to(tl.int64) * c_col
    tl.store(where, acc.to(c.dtype.element_ty), mask=(row < m) & (col < n))


def matmul(a, b, c):
    (m, k), n = a.shape, b.shape[1]
    grid = (triton.cdiv(n, 32), triton.cdiv(m, 32))
    _matmul[grid](a, b, c, m, k, n, *a.stride(), *b.stride(), *c.stride(), TILE=32)
