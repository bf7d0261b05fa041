"""Training examples from a corpus of counted phrases, with paraphrases."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from pearljoin._errors import InputError
from pearljoin_train.corpus.merge import read_rows
from pearljoin_train.corpus.phrase_types import label_names, type_id
from pearljoin_train.training.examples import Examples

__all__ = ["read_corpus_examples"]


def read_corpus_examples(
    corpus: Path, *, views: Path | None = None, type_set: str = "paper"
) -> Examples:
    """Read the phrases of a corpus, all of them, with their types.

    The names that the development split is made of may be among them, as the paper keeps none
    apart: evaluate models trained on them by the benchmark.

    Parameters
    ----------
    corpus
        What ``python -m pearljoin_train corpus build`` wrote.
    views
        What ``python -m pearljoin_train augment`` wrote for these phrases; its paraphrases become
        their other names, its other views are left out, as a batch makes them anew.
    type_set
        "paper" or "fine", see `Config`.

    Raises
    ------
    InputError
        If a file is missing or is none of these.
    """
    rows = _read(corpus, "`python -m pearljoin_train corpus build TEXTS --out FILE` writes one.")
    names = label_names(type_set)
    number = {name: at for at, name in enumerate(names)}
    phrases, types = [], []
    for phrase, lexical, entity, _ in rows:
        phrases.append(phrase)
        if type_set == "paper":
            types.append(type_id(lexical, entity))
        else:
            types.append(number[entity if lexical == "NP" else lexical])
    aliases = {} if views is None else _paraphrases(views)
    return Examples(
        "corpus",
        phrases,
        [aliases.get(phrase, ()) for phrase in phrases],
        np.array(types, dtype=np.int64),
    )


def _read(path: Path, hint: str) -> list[tuple[str, str, str, int]]:
    try:
        return list(read_rows(path))
    except (OSError, KeyError, ValueError) as error:
        raise InputError(f"The corpus cannot be read. Got {path}: {error}. Hint: {hint}") from error


def _paraphrases(path: Path) -> dict[str, tuple[str, ...]]:
    try:
        table: dict[str, Sequence[Any]] = pq.read_table(path).to_pydict()
        rows = list(zip(table["phrase"], table["views"], table["methods"], strict=True))
    except (OSError, KeyError, ValueError) as error:
        raise InputError(
            f"The file of views cannot be read. Got {path}: {error}. "
            "Hint: `python -m pearljoin_train augment --phrases FILE --out FILE` writes one."
        ) from error
    found = {}
    for phrase, views, methods in rows:
        kept = {v for v, m in zip(views, methods, strict=True) if m == "paraphrase" and v != phrase}
        if kept:
            found[phrase] = tuple(sorted(kept))
    return found
