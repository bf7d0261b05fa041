"""Check the fields of a model folder's `config.json` for type and range."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pearljoin._errors import ModelError

TOKENIZER = "tokenizer.json"
ONNX = "model.onnx"
SAFETENSORS = "model.safetensors"
NGRAMS = "ngrams.npz"
TOKENS = "tokens.npz"
GRAPH_INPUTS = ("input_ids", "attention_mask", "token_type_ids")

_SAFE_SUFFIXES = {".json", ".onnx", ".safetensors", ".npz", ".md", ".txt"}
_PICKLE_SUFFIXES = {".bin", ".pt", ".pth", ".ckpt", ".pkl", ".pickle", ".joblib"}


class ConfigChecker:
    """Reader of a configuration's fields, each checked for type and range."""

    def __init__(self, path: Path, raw: Mapping[str, Any]) -> None:
        self._path = path
        self._raw = raw

    def fail(self, key: str, need: str, hint: str = "export the folder again") -> None:
        got = repr(self._raw.get(key, "nothing"))
        raise ModelError(f"{str(self._path)!r}: {key!r} {need}. Got {got[:120]}. Hint: {hint}.")

    def text(self, key: str, *, longest: int, empty: bool = False) -> str:
        value = self._raw.get(key)
        if not isinstance(value, str) or len(value) > longest or not (value or empty):
            self.fail(key, f"must be a text of at most {longest} characters")
        return str(value)

    def integer(self, key: str, *, lowest: int = 1, highest: int) -> int:
        value = self._raw.get(key)
        if isinstance(value, bool) or not isinstance(value, int) or not lowest <= value <= highest:
            self.fail(key, f"must be a whole number from {lowest} to {highest}")
        return int(self._raw[key])

    def fraction(self, key: str) -> float | None:
        value = self._raw.get(key)
        if value is None:
            return None
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not math.isfinite(value)
            or not 0 <= value <= 1
        ):
            self.fail(key, "must be a number from 0 to 1")
        return float(value)

    def choice(self, key: str, choices: tuple[str, ...]) -> str:
        value = self._raw.get(key)
        if value not in choices:
            self.fail(key, f"must be one of {', '.join(choices)}")
        return str(value)

    def mapping(self, key: str) -> Mapping[str, Any]:
        value = self._raw.get(key, {})
        if not isinstance(value, dict):
            self.fail(key, "must be an object")
        return dict(value)

    def graph_inputs(self, key: str) -> tuple[str, ...]:
        value = self._raw.get(key)
        if (
            not isinstance(value, list)
            or "input_ids" not in value
            or any(name not in GRAPH_INPUTS for name in value)
        ):
            self.fail(key, f"must list input_ids, and at most {', '.join(GRAPH_INPUTS[1:])}")
        return tuple(value or ())

    def files(self, key: str) -> Mapping[str, str]:
        value = self._raw.get(key)
        if not isinstance(value, dict) or not value:
            self.fail(key, "must map file names to their sha256")
        files = dict(value or {})
        for name, digest in files.items():
            self._file(name, digest)
        if TOKENIZER not in files or not {ONNX, SAFETENSORS, TOKENS} & set(files):
            self.fail(key, f"must list {TOKENIZER} and {ONNX}, {SAFETENSORS} or {TOKENS}")
        return files

    def _file(self, name: str, digest: object) -> None:
        suffix = Path(name).suffix.lower()
        where = f"{str(self._path)!r} lists the file {name[:120]!r}"
        if suffix in _PICKLE_SUFFIXES:
            raise ModelError(
                f"{where}, a pickle, which could run code when loaded. Got suffix {suffix!r}. "
                f"Hint: export the weights as {ONNX} or {SAFETENSORS}."
            )
        if name in {".", "..", ""} or set(name) & set("/\\:\0") or suffix not in _SAFE_SUFFIXES:
            raise ModelError(
                f"{where}, which is not a plain name of a file in the folder. Hint: do not use "
                f"a folder from this source; names end in {', '.join(sorted(_SAFE_SUFFIXES))}."
            )
        if (
            not isinstance(digest, str)
            or len(digest) != 64
            or set(digest) - set("0123456789abcdef")
        ):
            raise ModelError(
                f"{where} without a sha256. Got {digest!r:.80}. Hint: export the folder again."
            )
