"""A BERT encoder as an ONNX graph, in float32 or 8 bits.

Written by hand rather than traced, so that each operator is ONNX Runtime's fused one and each
matrix product is quantised the way a phrase encoder needs: every token's activations are scaled
by that token's own range (never the batch's), so a phrase's vector does not depend on what stands
beside it. Weights have one scale per output column, embeddings one per word.

Per matrix product, with x float32 (tokens, in) and W float32 (in, out):

    s = max|x| per row / 127;   q = uint8(x / s + 128);   y = s * ((q - 128) @ W8) * w_scale

Channels whose activations run large would take the whole range; they are scaled down and the
matching rows of W up by the same factor, as in SmoothQuant (Xiao et al. 2023, equation 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, helper, numpy_helper

from pearljoin_train.export.bert_weights import BertWeights, Floats
from pearljoin_train.export.quantise import QKV, Site, quantise

__all__ = []

KINDS = ("attention", "attention_out", "ffn_in", "ffn_out")
_CONTRIB = "com.microsoft"
# GELU never goes below -0.17, so its few negative levels need few of the 256 codes.
_GELU_ZERO = 16
_GELU_LOWEST = 0.1701


def build(
    weights: BertWeights,
    *,
    max_length: int,
    pooling: str = "mean",
    quantised: bool,
    factors: Mapping[Site, Floats] | None = None,
    watch: bool = False,
) -> ModelProto:
    """Write the encoder as an ONNX model: ``input_ids`` (n, length) to unit vectors (n, dim).

    There is no mask: a batch holds phrases of one length.

    Parameters
    ----------
    weights
        A BERT encoder with absolute positions and GELU.
    max_length
        Longest phrase in tokens.
    pooling
        ``"mean"`` or ``"cls"``.
    quantised
        8-bit matrices and embeddings, or float32.
    factors
        What `smoothing_factors` gave.
    watch
        Also give each matrix product's largest input per channel, as outputs ``kind.layer``.

    Returns
    -------
    model
        The ONNX model, all its data inside.
    """
    graph = _Graph(quantised, dict(factors or {}) if quantised else {}, watch)
    heads = int(weights.config["num_attention_heads"])
    epsilon = float(weights.config["layer_norm_eps"])
    flat = graph.constant(np.array([-1, weights.dim]))
    shape = graph.add(
        "Concat", graph.add("Shape", "input_ids"), graph.constant(np.array([weights.dim])), axis=0
    )
    x = graph.add("Reshape", _embeddings(graph, weights, max_length, epsilon), flat)
    for index in range(weights.layers):
        x = _layer(graph, weights, index, x, shape, flat, heads, epsilon)
    x = graph.add("Reshape", x, shape)
    x = _pool(graph, x, pooling)
    x = graph.add("LpNormalization", x, axis=-1, p=2)
    return graph.model(x, weights.dim)


def _pool(graph: _Graph, x: str, pooling: str) -> str:
    """Token vectors (n, length, dim) to phrase vectors (n, dim), of any length."""
    second = graph.constant(np.array([1]))
    if pooling == "cls":
        x = graph.add("Gather", x, graph.constant(np.array([0])), axis=1)
        return graph.add("Squeeze", x, second)
    # A sum as a product with ones: ReduceMean adds in another order when n is 1, and the last
    # bit of a vector would then depend on the batch. Normalising takes care of the factor.
    length = graph.add("Shape", x, start=1, end=2)
    one = helper.make_tensor("one", TensorProto.FLOAT, [1], [1.0])
    ones = graph.add("ConstantOfShape", length, value=one)
    ones = graph.add("Unsqueeze", ones, graph.constant(np.array([0])))
    return graph.add("Squeeze", graph.add("MatMul", ones, x), second)


def _embeddings(graph: _Graph, weights: BertWeights, max_length: int, epsilon: float) -> str:
    stem = "embeddings"
    words = weights.get(f"{stem}.word_embeddings.weight")
    if graph.quantised:
        codes, scale = quantise(words, axis=1)
        x = graph.add(
            "Cast", graph.add("Gather", graph.constant(codes), "input_ids"), to=TensorProto.FLOAT
        )
        x = graph.add("Mul", x, graph.add("Gather", graph.constant(scale), "input_ids"))
    else:
        x = graph.add("Gather", graph.constant(words), "input_ids")
    places = weights.get(f"{stem}.position_embeddings.weight")[:max_length]
    places = places + weights.get(f"{stem}.token_type_embeddings.weight")[0]
    zero = graph.constant(np.array([0]))
    length = graph.add("Shape", "input_ids", start=1, end=2)
    x = graph.add("Add", x, graph.add("Slice", graph.constant(places), zero, length, zero))
    norm = [graph.constant(weights.get(f"{stem}.LayerNorm.{n}")) for n in ("weight", "bias")]
    return graph.add("LayerNormalization", x, *norm, axis=-1, epsilon=epsilon)


def _layer(
    graph: _Graph,
    weights: BertWeights,
    index: int,
    x: str,
    shape: str,
    flat: str,
    heads: int,
    epsilon: float,
) -> str:
    """One transformer layer: token vectors (n * length, dim) in and out."""

    def add_and_norm(y: str, bias: Floats, skip: str, name: str) -> str:
        # Not the fused SkipLayerNormalization: ONNX Runtime's CPU kernel for it takes five times
        # as long as these three.
        stem = f"encoder.layer.{index}.{name}.LayerNorm"
        norm = [graph.constant(weights.get(f"{stem}.{n}")) for n in ("weight", "bias")]
        y = graph.add("Add", graph.add("Add", y, graph.constant(bias)), skip)
        return graph.add("LayerNormalization", y, *norm, axis=-1, epsilon=epsilon)

    matrices, biases = zip(*(weights.layer(index, name) for name in QKV), strict=True)
    # Attention mixes tokens, never channels, so its output's factors fold into the values.
    fold = graph.factors.get(("attention_out", index), np.float32(1))
    matrices = (*matrices[:2], matrices[2] / fold)
    biases = (*biases[:2], biases[2] / fold)
    parts = graph.products(x, ("attention", index), matrices)
    x_attended = graph.add(
        "MultiHeadAttention",
        *(graph.add("Reshape", part, shape) for part in parts),
        graph.constant(np.concatenate(biases)),
        domain=_CONTRIB,
        num_heads=heads,
    )
    x_attended = graph.add("Reshape", x_attended, flat)
    matrix, bias = weights.layer(index, "attention.output.dense")
    (y,) = graph.products(x_attended, ("attention_out", index), [matrix])
    x = add_and_norm(y, bias, x, "attention.output")
    matrix, bias = weights.layer(index, "intermediate.dense")
    (y,) = graph.products(x, ("ffn_in", index), [matrix])
    y = graph.add("BiasGelu", y, graph.constant(bias), domain=_CONTRIB)
    matrix, bias = weights.layer(index, "output.dense")
    (y,) = graph.products(y, ("ffn_out", index), [matrix])
    return add_and_norm(y, bias, x, "output")


@dataclass
class _Graph:
    """An ONNX graph being written."""

    quantised: bool
    factors: dict[Site, Floats]
    watch: bool
    _nodes: list[Any] = field(default_factory=list)
    _constants: list[Any] = field(default_factory=list)
    _watched: dict[str, str] = field(default_factory=dict)

    def constant(self, value: NDArray[Any]) -> str:
        name = f"constant_{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def number(self, value: float) -> str:
        return self.constant(np.array(value, dtype=np.float32))

    def add(self, operator: str, *inputs: str, domain: str = "", **attributes: Any) -> str:
        output = f"{operator.lower()}_{len(self._nodes)}"
        self._nodes.append(
            helper.make_node(operator, inputs, [output], name=output, domain=domain, **attributes)
        )
        return output

    def products(self, x: str, site: Site, matrices: Iterable[Floats]) -> list[str]:
        """Multiply x (tokens, in) by each matrix (in, out)."""
        self._watch(x, site)
        if not self.quantised:
            return [self.add("MatMul", x, self.constant(matrix)) for matrix in matrices]
        factor = self.factors.get(site)
        if factor is not None:
            matrices = [matrix * factor[:, None] for matrix in matrices]
            if site[0] != "attention_out":  # folded into the values already
                x = self.add("Mul", x, self.constant(1 / factor))
        codes, scale, zero = self._quantise_rows(x, gelu=site[0] == "ffn_out")
        one = self.number(1)
        results = []
        for matrix in matrices:
            weight, weight_scale = quantise(matrix, axis=0)
            product = self.add(
                "MatMulIntegerToFloat",
                codes,
                self.constant(weight),
                one,
                self.constant(weight_scale[0]),
                zero,
                domain=_CONTRIB,
            )
            results.append(self.add("Mul", product, scale))
        return results

    def _quantise_rows(self, x: str, *, gelu: bool) -> tuple[str, str, str]:
        """Quantise each row by its own range: names of codes, scales (tokens, 1), zero point."""
        zero = _GELU_ZERO if gelu else 128
        last = self.constant(np.array([1]))
        if gelu:
            top, lowest = x, _GELU_LOWEST / _GELU_ZERO
            levels = 255 - _GELU_ZERO
        else:
            top, lowest = self.add("Abs", x), 1e-9
            levels = 127
        scale = self.add("ReduceMax", top, last, keepdims=0)
        scale = self.add("Mul", scale, self.number(1 / levels))
        scale = self.add("Max", scale, self.number(lowest))
        zeros = self.add(
            "Expand", self.constant(np.array([zero], dtype=np.uint8)), self.add("Shape", scale)
        )
        codes = self.add("QuantizeLinear", x, scale, zeros, axis=0)
        return codes, self.add("Unsqueeze", scale, last), self.constant(np.array(zero, np.uint8))

    def _watch(self, x: str, site: Site) -> None:
        if not self.watch:
            return
        first = self.constant(np.array([0]))
        largest = self.add("ReduceMax", self.add("Abs", x), first, keepdims=0)
        self._watched[f"{site[0]}.{site[1]}"] = largest

    def model(self, output: str, dim: int) -> ModelProto:
        self._nodes.append(helper.make_node("Identity", [output], ["vectors"]))
        outputs = [helper.make_tensor_value_info("vectors", TensorProto.FLOAT, ["n", dim])]
        nodes = self._nodes
        for name, source in self._watched.items():
            nodes.append(helper.make_node("Identity", [source], [name]))
            outputs.append(helper.make_tensor_value_info(name, TensorProto.FLOAT, ["in"]))
        inputs = [helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["n", "length"])]
        graph = helper.make_graph(nodes, "bert", inputs, outputs, self._constants)
        return helper.make_model(
            graph,
            producer_name="pearljoin",
            ir_version=9,
            opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid(_CONTRIB, 1)],
        )
