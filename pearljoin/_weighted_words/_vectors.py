"""Where word vectors come from: a bundled model by name, a model folder, or what holds vectors."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pearljoin._encoders._folder import MODELS, ONNX, TOKENIZER, read_folder
from pearljoin._encoders._load import DEFAULT, bundled_names
from pearljoin._word_vectors import TokenTable, WordTable, load_word_table

__all__ = ["load_vectors"]


def load_vectors(vectors: Any) -> WordTable:
    """Read the `vectors` option of `WeightedWordEncoder`.

    Parameters
    ----------
    vectors
        A bundled name or a model folder, for its token table; or what `load_word_table` reads.

    Raises
    ------
    ModelError
        If a model folder has no token table, or is damaged.
    InputError
        If it is nothing that holds word vectors.
    """
    if not isinstance(vectors, str | Path):
        return load_word_table(vectors)
    if str(vectors) in bundled_names():
        return _token_table(MODELS / (DEFAULT if vectors == "default" else vectors))
    path = Path(vectors).expanduser()
    return _token_table(path) if path.is_dir() else load_word_table(path)


def _token_table(path: Path) -> TokenTable:
    folder = read_folder(path)
    return TokenTable(folder.read(TOKENIZER), folder.read(ONNX), repr(str(path)))
