"""Ranges of a BERT encoder's activations on calibration names, for the 8-bit export."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from pearljoin._optional import onnx_runtime
from pearljoin_train.export.bert_graph import build
from pearljoin_train.export.bert_weights import BertWeights, Floats
from pearljoin_train.export.quantise import Site

__all__ = ["calibration_names", "largest_activations"]


def calibration_names() -> list[str]:
    """Names of many kinds, written for this project, that show how large activations run."""
    text = Path(__file__).with_name("calibration_names.txt")
    return text.read_text(encoding="utf-8").splitlines()


def largest_activations(
    weights: BertWeights, tokenizer: Tokenizer, names: list[str], *, max_length: int
) -> dict[Site, Floats]:
    """Largest absolute input of each channel of each matrix product, over some names.

    Returns
    -------
    largest
        float32 of shape (in,) for each matrix product.
    """
    watched = build(weights, max_length=max_length, quantised=False, watch=True)
    session = onnx_runtime().InferenceSession(watched.SerializeToString())
    sites = [output.name for output in session.get_outputs()[1:]]
    largest: dict[Site, Floats] = {}
    for encoding in tokenizer.encode_batch(names):
        found = session.run(sites, {"input_ids": np.array([encoding.ids], dtype=np.int64)})
        for label, value in zip(sites, found, strict=True):
            kind, index = label.split(".")
            site = (kind, int(index))
            largest[site] = np.maximum(largest.get(site, np.float32(0)), value)
    return largest
