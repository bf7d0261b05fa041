"""Operators that a model folder's graph may use: none that repeats or branches."""

from __future__ import annotations

__all__ = ["OPERATORS"]

# Those of transformers of the BERT family as the usual exporters write them. A graph of these runs
# each node once: there is no Loop, Scan or If, no random number, no function of the model's own.
_STANDARD = """
Abs Add And Cast Ceil Clip Concat Constant ConstantOfShape Cos CumSum DequantizeLinear Div
DynamicQuantizeLinear Equal Erf Exp Expand Flatten Floor Gather GatherElements GatherND Gelu Gemm
Greater GreaterOrEqual Identity LayerNormalization Less LessOrEqual Log LpNormalization MatMul
MatMulInteger Max Mean Min Mod Mul Neg Not Or Pow QuantizeLinear RMSNormalization Range Reciprocal
ReduceL2 ReduceMax ReduceMean ReduceMin ReduceSum Relu Reshape RotaryEmbedding Round Shape Sigmoid
Sign Sin Slice Softmax Softplus Split Sqrt Squeeze Sub Tanh Transpose Trilu Unsqueeze Where
"""
_MICROSOFT = """
Attention BiasGelu DynamicQuantizeMatMul EmbedLayerNormalization FastGelu FusedMatMul Gelu
MatMulIntegerToFloat MatMulNBits MultiHeadAttention QAttention QEmbedLayerNormalization QuickGelu
RotaryEmbedding SimplifiedLayerNormalization SkipLayerNormalization
SkipSimplifiedLayerNormalization
"""

OPERATORS = {
    **dict.fromkeys(("", "ai.onnx"), frozenset(_STANDARD.split())),
    "com.microsoft": frozenset(_MICROSOFT.split()),
}
"""Names of the operators by their domain."""
