"""Document frequencies of words, and their idf: inverse document frequency."""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from pearljoin._atomic import as_path, write_text
from pearljoin._errors import InputError
from pearljoin._typing import FloatVector
from pearljoin._word_vectors.split import split_words

__all__ = ["DocumentFrequencies"]

CHUNK = 32_768
"""Texts split into words at once."""


@dataclass(frozen=True)
class DocumentFrequencies:
    """Number of documents that each word occurs in.

    Attributes
    ----------
    counts
        Number of documents by word, each from 1 to `n_documents`.
    n_documents
        How many documents were counted, at least 1.
    """

    counts: Mapping[str, int]
    n_documents: int

    def __post_init__(self) -> None:
        highest = max(self.counts.values(), default=1)
        lowest = min(self.counts.values(), default=1)
        if not 1 <= lowest <= highest <= self.n_documents:
            raise InputError(
                "Document frequencies must lie between 1 and the number of documents. Got counts "
                f"from {lowest} to {highest} and {self.n_documents} documents. "
                "Hint: the first line of the file is the number of documents."
            )

    @classmethod
    def from_texts(cls, texts: Sequence[str], *, lowercase: bool = True) -> DocumentFrequencies:
        """Count over texts, each one a document.

        Examples
        --------
        >>> DocumentFrequencies.from_texts(["the end", "The start, the middle"]).counts["the"]
        2
        """
        counts: Counter[str] = Counter()
        for start in range(0, len(texts), CHUNK):
            found = split_words(texts[start : start + CHUNK], lowercase=lowercase)
            # One number for each pair of a text and a word in it.
            pairs = np.unique(found.texts * len(found.distinct) + found.codes)
            spread = np.bincount(pairs % max(len(found.distinct), 1), minlength=len(found.distinct))
            counts.update(dict(zip(found.distinct, spread.tolist(), strict=True)))
        return cls(dict(counts), max(len(texts), 1))

    @classmethod
    def of(cls, given: Any) -> DocumentFrequencies:
        """Take a pair of a mapping and the number of documents, or read a file.

        Raises
        ------
        InputError
            If it is neither, or holds what cannot be counts.
        """
        if isinstance(given, str | Path):
            return cls.read(given)
        if isinstance(given, cls):
            return given
        try:
            counts, n_documents = given
            return cls(dict(counts), int(n_documents))
        except (TypeError, ValueError, OverflowError) as error:
            if isinstance(error, InputError):
                raise
            raise InputError(
                "Document frequencies must be a file, or a pair of a mapping from word to count "
                f"and the number of documents. Got {given!r:.80} ({error}). "
                "Hint: ({'the': 90, 'pearl': 2}, 100)."
            ) from error

    @classmethod
    def read(cls, path: str | Path) -> DocumentFrequencies:
        """Read a text file, gzipped or not.

        Parameters
        ----------
        path
            The first line is the number of documents; every other one ``word<TAB>count``, or
            ``id<TAB>word<TAB>count`` as gensim's ``Dictionary.save_as_text`` writes it.

        Raises
        ------
        InputError
            If the file is not of this form.
        """
        lines = _read_lines(as_path(path, "file of document frequencies"))
        try:
            n_documents = int(lines[0])
            rows = [line.split("\t")[-2:] for line in lines[1:] if line]
            counts = {word: int(count) for word, count in rows}
        except (IndexError, ValueError) as error:
            raise InputError(
                f"{str(path)!r} is not a file of document frequencies ({error}). Hint: the first "
                "line is the number of documents, every other one word<TAB>count."
            ) from error
        return cls(counts, n_documents)

    def write(self, path: str | Path) -> None:
        """Write the file that `read` reads: words by count, then in alphabetical order."""
        ordered = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
        lines = [str(self.n_documents), *(f"{word}\t{count}" for word, count in ordered)]
        write_text(path, "\n".join(lines) + "\n", what="file of document frequencies")

    def idf(self, words: Sequence[str]) -> FloatVector:
        """Inverse document frequency, equation 1: ``ln(N / (1 + df))``.

        Returns
        -------
        idf
            float32 of shape (n_words,). A word that was never counted has df 0, so the highest
            idf there is; a word of every document has one just below 0.

        Examples
        --------
        >>> DocumentFrequencies({"a": 3}, 4).idf(["a", "b"]).round(3)
        array([0.   , 1.386], dtype=float32)
        """
        seen = np.array([self.counts.get(word, 0) for word in words], dtype=np.float64)
        return np.log(self.n_documents / (1.0 + seen)).astype(np.float32)


def _read_lines(path: Path) -> list[str]:
    try:
        data = path.read_bytes()
        text = (gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data).decode("utf-8")
    except (OSError, UnicodeDecodeError, EOFError) as error:
        raise InputError(
            f"The file of document frequencies cannot be read. Got {str(path)!r}: {error}. "
            "Hint: give the path of a UTF-8 text file."
        ) from error
    return text.splitlines()
