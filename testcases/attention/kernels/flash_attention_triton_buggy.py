"""Attention of one head, tiled, online softmax. Bug: no rescale when the maximum rises."""
# SPDX-License-Identifier: Apache-2.0
import triton
import triton.language as tl


@triton.jit
def _flash_attention(q, k, v, o, m, n, d, scale, q_row, q_col, k_row, k_col, v_row, v_col, o_row,
                     o_col, QUERIES: tl.constexpr, KEYS: tl.constexpr, COLS: tl.constexpr):
    query = tl.program_id(0) * QUERIES + tl.arange(0, QUERIES)
    col = tl.arange(0, COLS)
    live = (query < m)[:, None] & (col < d)[None, :]
    rows = tl.load(q + query[:, None] * q_row + col[None, :] * q_col, mask=live, other=0.0)
    top = tl.full((QUERIES,), float("-inf"), dtype=tl.float32)
    total = tl.zeros((QUERIES,), dtype=tl.float32)
    out = tl.zeros((QUERIES, COLS), dtype=tl.float32)
    for first in range(0, n, KEYS):
        key = first + tl.arange(0, KEYS)
        there = (key < n)[:, None] & (col < d)[None, :]
        keys = tl.load(k + key[:, None] * k_row + col[None, :] * k_col, mask=there, other=0.0)
        score = tl.sum(rows.to(tl.float32)[:, None, :] * keys.to(tl.float32)[None, :, :], axis=2)
        score = tl.where((key < n)[None, :], score * scale, float("-inf"))
        tile_top = tl.maximum(top, tl.max(score, axis=1))
        shrink = tl.exp(top - tile_top)
        weight = tl.exp(score - tile_top[:, None])
        total = total * shrink + tl.sum(weight, axis=1)
        values = tl.load(v + key[:, None] * v_row + col[None, :] * v_col, mask=there, other=0.0)
        part = tl.sum(weight[:, :, None] * values.to(tl.float32)[None, :, :], axis=1)
        out = out + part
        top = tile_top
    out = out / total[:, None]
    where = o + query[:, None] * o_row + col[None, :] * o_col
    tl.store(where, out.to(o.dtype.element_ty), mask=live)


def flash_attention(q, k, v, o):
    (m, d), n = q.shape, k.shape[0]
    queries = max(4, triton.next_power_of_2(min(m, 8)))
    keys = max(8, triton.next_power_of_2(min(n, 32)))
    _flash_attention[(triton.cdiv(m, queries),)](
        q, k, v, o, m, n, d, d ** -0.5, *q.stride(), *k.stride(), *v.stride(), *o.stride(),
        QUERIES=queries, KEYS=keys, COLS=triton.next_power_of_2(d))
