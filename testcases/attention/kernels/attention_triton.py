"""Attention of one head, one program a query row, all keys in one tile."""
# SPDX-License-Identifier: Apache-2.0
import triton
import triton.language as tl


@triton.jit
def _attention(q, k, v, o, n, d, scale, q_row, q_col, k_row, k_col, v_row, v_col, o_row, o_col,
               KEYS: tl.constexpr, COLS: tl.constexpr):
    query = tl.program_id(0).to(tl.int64)
    key = tl.arange(0, KEYS)
    col = tl.arange(0, COLS)
    there = (key < n)[:, None] & (col < d)[None, :]
    row = tl.load(q + query * q_row + col * q_col, mask=col < d, other=0.0).to(tl.float32)
    keys = tl.load(k + key[:, None] * k_row + col[None, :] * k_col, mask=there, other=0.0)
    score = tl.sum(keys.to(tl.float32) * row[None, :], axis=1) * scale
    score = tl.where(key < n, score, float("-inf"))
    weight = tl.exp(score - tl.max(score, axis=0))
    weight = weight / tl.sum(weight, axis=0)
    values = tl.load(v + key[:, None] * v_row + col[None, :] * v_col, mask=there, other=0.0)
    result = tl.sum(values.to(tl.float32) * weight[:, None], axis=0)
    tl.store(o + query * o_row + col * o_col, result.to(o.dtype.element_ty), mask=col < d)


def attention(q, k, v, o):
    (m, d), n = q.shape, k.shape[0]
    _attention[(m,)](q, k, v, o, n, d, d ** -0.5, *q.stride(), *k.stride(), *v.stride(),
                     *o.stride(), KEYS=triton.next_power_of_2(n),
                     COLS=triton.next_power_of_2(d))
