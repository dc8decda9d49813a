"""Softmax in NumPy, returned: the gate copies it into the output."""
# SPDX-License-Identifier: Apache-2.0
import numpy


def softmax(x):
    wide = x.astype(numpy.float32)
    with numpy.errstate(all="ignore"):
        top = numpy.exp(wide - wide.max(axis=1, keepdims=True))
        return (top / top.sum(axis=1, keepdims=True)).astype(x.dtype)
