"""The word vectors that the character encoder imitates."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

import numpy as np

from pearljoin import InputError, WeightedWordEncoder, load_encoder
from pearljoin._typing import FloatMatrix
from pearljoin_train.data import find

__all__ = ["Targets", "frequent_words", "read_targets", "read_words", "split_targets"]

TEXTS = (
    "text/wikipedia_sentences.txt.gz",
    "text/wikitext2_valid.txt.gz",
    "text/wikitext2_test.txt.gz",
    "text/gutenberg_novels.txt.gz",
)
WORD = re.compile(r"[^\W\d_]{2,}")
TOKENS = "tokens"


@dataclass(frozen=True, slots=True)
class Targets:
    """Words and their vectors.

    Attributes
    ----------
    words
        Distinct, the most frequent first.
    vectors
        float32 of shape (n_words, dim), unit rows.
    """

    words: list[str]
    vectors: FloatMatrix

    def __len__(self) -> int:
        return len(self.words)

    def take(self, keep: Sequence[bool]) -> Targets:
        """Return some of the words."""
        words = [word for word, kept in zip(self.words, keep, strict=True) if kept]
        return Targets(words, self.vectors[np.array(keep, dtype=np.bool_)])


def frequent_words(limit: int, fewest: int = 3) -> list[str]:
    """Return the most frequent words of the data folder's texts.

    Parameters
    ----------
    limit
        Most words.
    fewest
        Words seen less often are left out.

    Returns
    -------
    words
        Lower-case words of two or more letters, the most frequent first; of equally frequent
        ones, the one that comes first in the alphabet.
    """
    counts: Counter[str] = Counter()
    for text in TEXTS:
        with gzip.open(find(text), "rt", encoding="utf-8") as lines:
            for line in lines:
                counts.update(WORD.findall(line.replace("<unk>", " ").lower()))
    ranked = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [word for word, count in ranked if count >= fewest][:limit]


def read_words(path: Path, limit: int) -> list[str]:
    """Read up to `limit` words, the first field of each line: of a list, or of a vector file.

    Raises
    ------
    InputError
        If there is no such file.
    """
    if not path.is_file():
        raise InputError(
            f"There is no file of words of this name. Got {str(path)!r}. "
            "Hint: a text file with a word at the start of each line."
        )
    found: dict[str, None] = {}
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            word = line.split(maxsplit=1)[:1]
            found.update(dict.fromkeys(word))
            if len(found) == limit:
                break
    return list(found)


def read_targets(source: str, words: Sequence[str]) -> Targets:
    """Look words up in a table of word vectors, or have an encoder make their vectors.

    Parameters
    ----------
    source
        A word2vec, FastText or GloVe file; ``"tokens"``, the bundled encoder's table of tokens;
        or ``"default"``, a model folder or a hub id: that encoder's vectors of single words.
    words
        Words; those that the table does not hold, and second ones that are the same in lower
        case, are left out.

    Raises
    ------
    InputError
        If fewer than two words have a vector.
    """
    words = list(dict.fromkeys(word.lower() for word in words))
    if source == TOKENS or Path(source).expanduser().is_file():
        table = WeightedWordEncoder(
            "default" if source == TOKENS else source, pooling="mean", verbose=False
        ).fit([])
        known = table.covers(words).tolist()
        words = [word for word, covered in zip(words, known, strict=True) if covered]
        vectors = table.encode(words)
    else:
        vectors = load_encoder(source).encode(words)
    found = Targets(words, np.asarray(vectors, dtype=np.float32))
    found = found.take((np.abs(found.vectors).max(axis=1) > 0).tolist())
    if len(found) < 2:
        raise InputError(
            f"There are too few words to imitate. Got {len(found)} with a vector in {source!r}. "
            "Hint: --words names a file of words that the table holds."
        )
    return found


def split_targets(targets: Targets, held_out: float) -> tuple[Targets, Targets]:
    """Keep a share of the words from training, decided by the word alone.

    Returns
    -------
    learnt, held
        The words to train on, and those to evaluate on.
    """
    kept = [crc32(word.encode("utf-8", "replace")) % 10_000 < 10_000 * held_out
            for word in targets.words]  # fmt: skip
    return targets.take([not held for held in kept]), targets.take(kept)
