"""Float weights of a model folder, read back from its 8-bit graph.

A folder holds no float weights, which would double its size. So the graph of `bert_graph` is read
back: codes times scales, without the smoothing factors. The two encoders agree as well as rounding
to 8 bits allows, a cosine above 0.99.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import safetensors.numpy
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, helper, numpy_helper
from transformers import BertTokenizerFast

from pearljoin import load_encoder
from pearljoin._atomic import write_text
from pearljoin._errors import ModelError
from pearljoin.ngrams import NGRAMS, NgramPart
from pearljoin_train.export.bert_weights import BertWeights, Floats
from pearljoin_train.models.base import Base
from pearljoin_train.models.characters import FOLDER, save_characters
from pearljoin_train.models.ngrams import PhraseNgrams

__all__ = ["bundled_base", "read_float_weights", "to_transformers"]

_PRODUCTS = (
    "attention.self.query",
    "attention.self.key",
    "attention.self.value",
    "attention.output.dense",
    "intermediate.dense",
    "output.dense",
)
"""The matrix products of a layer, in the order in which the graph makes them."""


def read_float_weights(folder: Path) -> BertWeights:
    """Read the weights of a model folder that `export` wrote.

    Parameters
    ----------
    folder
        Holds ``model.onnx``.

    Raises
    ------
    ModelError
        If the graph is no 8-bit one of `export`'s.
    """
    graph = _Graph(onnx.load(folder / "model.onnx"))
    try:
        return graph.read()
    except (IndexError, KeyError, StopIteration, ValueError) as error:
        raise ModelError(
            f"The float weights of {folder} cannot be read back. Got a graph that "
            "`pearljoin_train export` did not write in 8 bits. Hint: give a folder in Hugging "
            "Face's layout."
        ) from error


def to_transformers(folder: Path, out: Path) -> Path:
    """Write a model folder's float weights in Hugging Face's layout; returns `out`.

    Raises
    ------
    ModelError
        As `read_float_weights` does.
    """
    weights = read_float_weights(folder)
    out.mkdir(parents=True, exist_ok=True)
    safetensors.numpy.save_file(dict(weights.tensors), out / "model.safetensors")
    write_text(out / "config.json", json.dumps(weights.config, indent=1) + "\n")
    tokenizer = BertTokenizerFast(tokenizer_file=str(folder / "tokenizer.json"))
    tokenizer.model_max_length = weights.config["max_position_embeddings"]
    tokenizer.save_pretrained(out)
    ngrams = folder / NGRAMS
    if ngrams.is_file():
        part = NgramPart.from_bytes(ngrams.read_bytes(), str(ngrams))
        save_characters(PhraseNgrams.of(part), part.share, out / FOLDER)
    return out


def bundled_base(out: Path) -> Base:
    """Write the bundled model's float weights into a folder, to be trained further from there."""
    folder: Path = getattr(load_encoder("default"), "folder")  # noqa: B009 - no part of `Encoder`
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    return Base(
        to_transformers(folder, out), config["name"], config["base_licence"], config["provenance"]
    )


class _Graph:
    """Reader of a graph that `bert_graph.build` wrote."""

    def __init__(self, model: ModelProto) -> None:
        self._constants = {
            each.name: numpy_helper.to_array(each) for each in model.graph.initializer
        }
        self._nodes = list(model.graph.node)
        self._maker = {node.output[0]: node for node in self._nodes}

    def read(self) -> BertWeights:
        codes, scale = (self._constants[node.input[0]] for node in self._all("Gather")[:2])
        if codes.dtype != np.int8:
            raise ValueError("no 8-bit embeddings")
        positions = self._constants[self._all("Slice")[0].input[0]]
        tensors: dict[str, NDArray[Any]] = {
            "embeddings.word_embeddings.weight": codes * scale,
            "embeddings.position_embeddings.weight": positions,
            # Their first row is in the positions.
            "embeddings.token_type_embeddings.weight": np.zeros((2, codes.shape[1]), np.float32),
        }
        products = self._all("MatMulIntegerToFloat")
        norms = self._all("LayerNormalization")
        self._read_norm(norms[0], "embeddings.LayerNorm", tensors)
        attentions, gelus = self._all("MultiHeadAttention"), self._all("BiasGelu")
        for layer, (attention, gelu) in enumerate(zip(attentions, gelus, strict=True)):
            stem = f"encoder.layer.{layer}"
            after_attention, after_output = norms[1 + 2 * layer : 3 + 2 * layer]
            self._read_norm(after_attention, f"{stem}.attention.output.LayerNorm", tensors)
            self._read_norm(after_output, f"{stem}.output.LayerNorm", tensors)
            biases = [
                *np.split(self._constants[attention.input[3]], 3),
                self._bias_before(after_attention),
                self._constants[gelu.input[1]],
                self._bias_before(after_output),
            ]
            of_layer = products[6 * layer : 6 * layer + 6]
            for name, node, bias in zip(_PRODUCTS, of_layer, biases, strict=True):
                tensors[f"{stem}.{name}.weight"] = np.ascontiguousarray(self._matrix(node).T)
                tensors[f"{stem}.{name}.bias"] = bias
        # Nothing uses the pooler, but transformers warns of a model that has none.
        dim = codes.shape[1]
        tensors["pooler.dense.weight"] = np.zeros((dim, dim), np.float32)
        tensors["pooler.dense.bias"] = np.zeros(dim, np.float32)
        return BertWeights(tensors, self._config(tensors, attentions[0], norms[0], len(gelus)))

    def _all(self, operator: str) -> list[NodeProto]:
        return [node for node in self._nodes if node.op_type == operator]

    def _matrix(self, product: NodeProto) -> Floats:
        """The float matrix (in, out) of an 8-bit product, for inputs as they were."""
        matrix = self._constants[product.input[1]] * self._constants[product.input[3]]
        before = self._maker[self._maker[product.input[0]].input[0]]
        if before.op_type == "Mul" and before.input[1] in self._constants:
            matrix = matrix * self._constants[before.input[1]][:, None]
        return np.asarray(matrix, dtype=np.float32)

    def _bias_before(self, norm: NodeProto) -> Floats:
        with_skip = self._maker[norm.input[0]]
        return self._constants[self._maker[with_skip.input[0]].input[1]]

    def _read_norm(self, norm: NodeProto, stem: str, tensors: dict[str, NDArray[Any]]) -> None:
        tensors[f"{stem}.weight"], tensors[f"{stem}.bias"] = (
            self._constants[name] for name in norm.input[1:]
        )

    def _config(
        self,
        tensors: dict[str, NDArray[Any]],
        attention: NodeProto,
        norm: NodeProto,
        n_layers: int,
    ) -> dict[str, Any]:
        n_words, dim = tensors["embeddings.word_embeddings.weight"].shape
        return {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_act": "gelu",
            "hidden_size": dim,
            "num_hidden_layers": n_layers,
            "num_attention_heads": _attribute(attention, "num_heads"),
            "intermediate_size": len(tensors["encoder.layer.0.intermediate.dense.bias"]),
            "vocab_size": n_words,
            "max_position_embeddings": len(tensors["embeddings.position_embeddings.weight"]),
            "type_vocab_size": 2,
            "layer_norm_eps": _attribute(norm, "epsilon"),
        }


def _attribute(node: NodeProto, name: str) -> Any:
    return next(helper.get_attribute_value(each) for each in node.attribute if each.name == name)
