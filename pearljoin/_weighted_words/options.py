"""Options of `WeightedWordEncoder`: checked, and loaded."""

from __future__ import annotations

from numbers import Integral, Real
from pathlib import Path
from typing import Any, get_args

from pearljoin._encoders.load import DEFAULT, bundled_names
from pearljoin._encoders.model_folder import MODELS, ONNX, TOKENIZER, read_folder
from pearljoin._errors import InputError, ModelError, did_you_mean
from pearljoin._word_vectors import (
    Aggregator,
    DocumentFrequencies,
    Pooling,
    RankWeights,
    TfidfVocabulary,
    TokenTable,
    WordStore,
    WordTable,
    imputer,
    load_word_table,
)

__all__ = ["check_options", "make_aggregator"]


def check_options(pooling: Any, top: Any, cache_size: Any) -> None:
    """Check the options that no loader checks; raises InputError."""
    if pooling not in get_args(Pooling):
        choices = get_args(Pooling)
        meant = did_you_mean(pooling, choices)
        raise InputError(
            f"There is no such pooling. Got {pooling!r}. "
            f"Hint: {f'{meant} Use' if meant else 'use'} one of {', '.join(map(repr, choices))}."
        )
    if not isinstance(top, Real) or not 0.0 < float(top) <= 1.0:
        raise InputError(
            f"top is a share of a text's words, above 0 and at most 1. Got {top!r}. "
            "Hint: 0.3 keeps the 30 % of highest idf."
        )
    if not isinstance(cache_size, Integral) or int(cache_size) < 0:
        raise InputError(
            f"cache_size is a number of words, at least 0. Got {cache_size!r}. "
            "Hint: leave it at 200,000."
        )


def make_aggregator(
    counts: DocumentFrequencies,
    *,
    vectors: Any,
    pooling: Pooling,
    weights: Any,
    top: float,
    unknown: Any,
    lowercase: bool,
    cache_size: int,
) -> Aggregator:
    """Make the aggregator of the options of `WeightedWordEncoder`."""
    store: WordStore | TfidfVocabulary
    if pooling == "tf-idf":
        store = TfidfVocabulary(counts)
    else:
        table = load_vectors(vectors)
        store = WordStore(table, counts, impute=imputer(unknown, table), capacity=cache_size)
    rank_weights = RankWeights.load(weights) if pooling == "weighted" else None
    return Aggregator(store, pooling, rank_weights, top, lowercase)


def load_vectors(vectors: Any) -> WordTable:
    """Read the `vectors` option of `WeightedWordEncoder`.

    Parameters
    ----------
    vectors
        A bundled name or a model folder, for its token table; or what `load_word_table` reads.

    Raises
    ------
    ModelError
        If a model folder has no table of a transformer's tokens, or is damaged.
    InputError
        If it is nothing that holds word vectors.
    """
    if not isinstance(vectors, str | Path):
        return load_word_table(vectors)
    if isinstance(vectors, str) and vectors in bundled_names():
        return _token_table(MODELS / (DEFAULT if vectors == "default" else vectors))
    path = Path(vectors).expanduser()
    return _token_table(path) if path.is_dir() else load_word_table(path)


def _token_table(path: Path) -> TokenTable:
    folder = read_folder(path)
    if not folder.has(ONNX):
        raise ModelError(
            f"The model {folder.name!r} has no table of a transformer's tokens to weight. Got a "
            "static encoder, whose word pieces have learned weights. Hint: "
            f"vectors={DEFAULT!r}; or use the model itself, PhraseEncoder({folder.name!r})."
        )
    return TokenTable(folder.read(TOKENIZER), folder.read(ONNX), repr(str(path)))
