"""Check whether this processor's fast 8-bit matrix products are exact."""

from __future__ import annotations

import base64
from functools import cache

import numpy as np

from pearljoin._optional import onnx_runtime

# An ONNX model of one MatMulInteger: uint8 "a" (m, k) times int8 "b" (k, n).
PROBE = base64.b64decode(
    "CAk6YgoYCgFhCgFiEgF5Ig1NYXRNdWxJbnRlZ2VyEgFwWhUKAWESEAoOCAISCgoDEgFtCgMSAWta"
    "FQoBYhIQCg4IAxIKCgMSAWsKAxIBbmIVCgF5EhAKDggGEgoKAxIBbQoDEgFuQgQKABAU"
)


@cache
def products_overflow() -> bool:
    """Whether ONNX Runtime's products of uint8 and int8 overflow.

    On x86 processors without VNNI its kernels add pairs of products in 16 bits and clamp them.
    ONNX Runtime can use an exact, slower kernel (``session.x64quantprecision``), but
    then gives up the fast exact one on processors with VNNI too, which halves the speed. So the
    largest numbers are multiplied once, and the result looked at.
    """
    onnxruntime = onnx_runtime()
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(PROBE, options, providers=["CPUExecutionProvider"])
    depth = 64
    a = np.full((16, depth), 255, dtype=np.uint8)
    b = np.full((depth, 32), 127, dtype=np.int8)
    (product,) = session.run(None, {"a": a, "b": b})
    return bool((product != 255 * 127 * depth).any())
