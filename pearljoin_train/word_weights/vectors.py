"""Word vectors for the word-weights task, trained on its own text with gensim and cached.

Skip-gram with negative sampling and a window of five words, as section 5 of De Boom et al. The
other tables (another architecture, other text, other sizes and seeds) are for carrying weights to.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from pearljoin._optional import require
from pearljoin_train.data import cache_folder

__all__ = ["CBOW", "NOVELS_ONLY", "SKIPGRAM", "TableRecipe", "trained_table", "vectors_folder"]


@dataclass(frozen=True)
class TableRecipe:
    """Settings of one table of word vectors.

    Attributes
    ----------
    name
        What result files call it.
    skipgram
        True: skip-gram. False: continuous bag of words.
    dim
        Numbers in a word's vector.
    window, negative, epochs, min_count, seed
        As gensim's ``Word2Vec`` takes them. `min_count`: words seen less often have no vector.
    """

    name: str
    skipgram: bool = True
    dim: int = 300
    window: int = 5
    negative: int = 5
    epochs: int = 5
    min_count: int = 3
    seed: int = 1


SKIPGRAM = TableRecipe("skip-gram 300")
CBOW = TableRecipe("cbow 150", skipgram=False, dim=150, seed=2)
NOVELS_ONLY = TableRecipe("skip-gram 100, novels only", dim=100, seed=3)


def vectors_folder() -> Path:
    """Return the folder in the user's cache where trained tables are kept."""
    return cache_folder().parent / "word_vectors"


def trained_table(
    recipe: TableRecipe,
    texts: Sequence[Sequence[str]],
    *,
    workers: int = 1,
    folder: Path | None = None,
) -> Any:
    """Train a table on `texts`, or load it where the same recipe and texts were trained before.

    Parameters
    ----------
    recipe
        What to train.
    texts
        Cleaned words of every paragraph.
    workers
        Threads. More than one is faster, and the vectors then differ a little from run to run.
    folder
        Where tables are kept; by default `vectors_folder`.

    Returns
    -------
    vectors
        A gensim ``KeyedVectors``.

    Raises
    ------
    MissingExtraError
        If gensim is not installed.
    """
    gensim = require("gensim.models", extra="train", purpose="training word vectors")
    folder = folder or vectors_folder()
    stem = folder / f"{_fingerprint(recipe, texts)}.kv"
    if stem.exists():
        return gensim.KeyedVectors.load(str(stem))
    folder.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(dir=folder) as unfinished:
        corpus = Path(unfinished) / "corpus.txt"
        _write_lines(corpus, texts)
        model = gensim.Word2Vec(
            corpus_file=str(corpus),
            sg=int(recipe.skipgram),
            vector_size=recipe.dim,
            window=recipe.window,
            negative=recipe.negative,
            epochs=recipe.epochs,
            min_count=recipe.min_count,
            seed=recipe.seed,
            workers=workers,
        )
        model.wv.save(str(Path(unfinished) / stem.name))
        # Large arrays lie in files of their own; the table is there once its own file is.
        parts = Path(unfinished).glob(f"{stem.name}*")
        for part in sorted(parts, key=lambda part: part.name == stem.name):
            part.replace(folder / part.name)
    return model.wv


def _fingerprint(recipe: TableRecipe, texts: Iterable[Sequence[str]]) -> str:
    digest = hashlib.sha256(json.dumps(asdict(recipe), sort_keys=True).encode())
    for text in texts:
        digest.update(" ".join(text).encode() + b"\n")
    return digest.hexdigest()[:16]


def _write_lines(path: Path, texts: Iterable[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(" ".join(text) + "\n" for text in texts)
