"""The float weights that are read back from an 8-bit graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import pytest

from pearljoin import load_encoder
from pearljoin._errors import ModelError
from pearljoin_train.common.config import Config
from pearljoin_train.export.bert_graph import build
from pearljoin_train.export.bert_weights import read_weights
from pearljoin_train.export.export_int8 import export
from pearljoin_train.export.float_weights import bundled_base, read_float_weights, to_transformers
from pearljoin_train.models.base import find_base
from pearljoin_train.models.phrase_model import load_phrase_model

NAMES = ["Tübingen University", "acetylsalicylic acid", "7", "Ministry of Silly Walks, 2nd floor"]


@pytest.fixture
def exported(tiny: Path, tmp_path: Path) -> Path:
    return export(find_base(str(tiny)), tmp_path / "exported", max_length=32)


def test_every_weight_comes_back_but_for_rounding(tiny: Path, exported: Path) -> None:
    original, found = read_weights(tiny), read_float_weights(exported)
    stems = {name for name in original.tensors if name.startswith("encoder.layer.")}
    assert stems == {name for name in found.tensors if name.startswith("encoder.layer.")}
    # The values and the attention's output keep their smoothing, which cancels between the two.
    kept = ("attention.self.value", "attention.output.dense.weight")
    for name in sorted(stems):
        if not any(part in name for part in kept):
            error = np.abs(found.get(name) - original.get(name)).max()
            assert error <= np.abs(original.get(name)).max() / 100, name
    for key in ("hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"):
        assert found.config[key] == original.config[key]


def test_the_folder_encodes_as_the_graph_does(exported: Path, tmp_path: Path) -> None:
    folder = to_transformers(exported, tmp_path / "floats")
    model = load_phrase_model(Config(base=str(folder))).eval()
    cosines = (model.encode(NAMES) * load_encoder(exported).encode(NAMES)).sum(axis=1)
    assert cosines.min() > 0.995


def test_the_bundled_model_can_be_trained_further(tmp_path: Path) -> None:
    base = bundled_base(tmp_path)
    model = load_phrase_model(Config(base=str(base.folder))).eval()
    cosines = (model.encode(NAMES) * load_encoder("default").encode(NAMES)).sum(axis=1)
    assert cosines.min() > 0.995
    assert base.licence == "Apache-2.0"


def test_another_graph_is_refused(tiny: Path, tmp_path: Path) -> None:
    model = build(read_weights(tiny), max_length=32, quantised=False)
    onnx.save(model, tmp_path / "model.onnx")
    with pytest.raises(ModelError, match="cannot be read back"):
        read_float_weights(tmp_path)
