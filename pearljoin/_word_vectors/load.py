"""Read word vectors: from files, mappings and gensim objects.

Files may be gzipped: word2vec (text and binary), FastText (`.vec` and `.bin`), GloVe.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike

from pearljoin._atomic import as_path
from pearljoin._errors import InputError
from pearljoin._typing import FloatMatrix, FloatVector
from pearljoin._word_vectors.fasttext import MAGIC, read_fasttext
from pearljoin._word_vectors.tables import ArrayTable, GensimSubwords, WordTable

__all__ = ["load_word_table", "read_word_vectors"]

VectorSource: TypeAlias = str | Path | Mapping[str, ArrayLike] | Any
"""What `load_word_table` reads."""

GZIP = b"\x1f\x8b"
LONGEST_WORD = 10_000
"""Bytes. A binary file without a space for so long is not one of word vectors."""
FIRST_ROWS = 1024
BLOCK = 1 << 20
"""Bytes of a binary file read at once."""
LONGEST_ROW = 1 << 16
"""Bytes from which the format is found: the first row of a text file fits in."""


def load_word_table(source: VectorSource) -> WordTable:
    """Read word vectors from a file, a mapping or a gensim object.

    Parameters
    ----------
    source
        The path of a file: word2vec and FastText (text and binary), GloVe. A mapping from word
        to vector. A gensim ``KeyedVectors``, or a gensim model that has one. An object that is a
        `WordTable` already.

    Raises
    ------
    InputError
        If it is none of these, or holds no vectors, or vectors of different lengths, or numbers
        that are not finite.
    """
    if isinstance(source, str | Path):
        return _from_path(source)
    source = getattr(source, "wv", source)
    if hasattr(source, "key_to_index") and hasattr(source, "vectors"):
        _check(source.vectors, "the gensim vectors")
        subwords = hasattr(source, "vectors_ngrams")
        return (
            GensimSubwords(source) if subwords else ArrayTable(source.key_to_index, source.vectors)
        )
    if isinstance(source, Mapping):
        return _from_mapping(source)
    if isinstance(source, WordTable):
        return source
    raise InputError(
        f"Word vectors cannot be read from this. Got {type(source).__name__}. Hint: pass the path "
        "of a word2vec, FastText or GloVe file, a gensim KeyedVectors, or a dict of arrays."
    )


def _from_path(source: str | Path) -> WordTable:
    path = as_path(source, "file of word vectors").expanduser()
    if not path.is_file():
        raise InputError(
            f"There are no word vectors of this name. Got {str(source)!r}. Hint: give the path of "
            "a file, or leave `vectors` at 'default'."
        )
    return read_word_vectors(path)


def _from_mapping(source: Mapping[str, ArrayLike]) -> ArrayTable:
    odd = next((word for word in source if not isinstance(word, str)), None)
    if odd is not None:  # it would silently match no word of any text
        raise InputError(
            f"The words of a mapping of word vectors are strings. Got {odd!r}. "
            "Hint: write the keys as in the texts, say '1984' for 1984."
        )
    try:
        with np.errstate(over="ignore"):  # to infinity, which is refused below
            rows = [np.asarray(vector, dtype=np.float32) for vector in source.values()]
    except (TypeError, ValueError) as error:
        raise InputError(
            f"A mapping of word vectors holds rows of numbers. Got one that does not ({error}). "
            "Hint: pass {word: array of dim numbers, ...}."
        ) from error
    lengths = {row.shape for row in rows}
    if len(lengths) != 1 or len(shape := next(iter(lengths))) != 1 or not shape[0]:
        raise InputError(
            "A mapping of word vectors needs at least one word, and vectors of one length. Got "
            f"shapes {sorted(lengths)[:3]}. Hint: pass {{word: array of dim numbers, ...}}."
        )
    matrix = np.stack(rows)
    _check(matrix, "the mapping")
    return ArrayTable({word: row for row, word in enumerate(source)}, matrix)


def _check(matrix: FloatMatrix, what: str) -> None:
    # The sum of all numbers is finite exactly when each is (or they are absurdly large).
    if not len(matrix) or not np.isfinite(matrix.sum(dtype=np.float64)):
        raise InputError(
            f"Word vectors must be finite and at least one. Got {len(matrix)} in {what}. "
            "Hint: drop the words whose vectors hold NaN or infinity."
        )


def read_word_vectors(path: Path) -> WordTable:
    """Read a file of word vectors; its content gives the format.

    Parameters
    ----------
    path
        A word2vec file (text or binary), a FastText ``.vec`` or ``.bin`` file, or a GloVe file
        (no first line of counts). A word that occurs twice keeps its first vector.

    Raises
    ------
    InputError
        If the file is of none of these formats, is cut short, or holds numbers that are not
        finite. Pickles, gensim's ``.kv`` among them, are not read: load those with gensim and
        pass the object.
    """
    try:
        with _open(path) as file:
            start = file.read(LONGEST_ROW)
            file.seek(0)
            if start[:4] == MAGIC:
                return read_fasttext(file)
            if start[:1] == b"\x80":
                raise InputError("it is a pickle, which could run code")
            return _collect(_rows(file, start))
    except (InputError, OSError, EOFError, ValueError, MemoryError, OverflowError) as error:
        raise InputError(
            f"{str(path)!r} cannot be read as word vectors: {error}. Hint: word2vec, FastText and "
            "GloVe files are read; open any other with the library that wrote it and pass a dict."
        ) from error


def _open(path: Path) -> BinaryIO:
    with path.open("rb") as file:
        zipped = file.read(2) == GZIP
    return cast("BinaryIO", gzip.open(path, "rb") if zipped else path.open("rb"))


def _rows(file: BinaryIO, start: bytes) -> Iterator[tuple[str, FloatVector]]:
    """Yield words and vectors of a file, in any of the text formats or word2vec's binary one."""
    first, _, others = start.partition(b"\n")
    header = first.split()
    if len(header) == 2 and all(part.isdigit() for part in header):
        count, dim = int(header[0]), int(header[1])
        if dim < 1:
            raise InputError(f"its vectors have {dim} numbers")
        file.readline()
        binary = not _is_text_row(others.partition(b"\n")[0], dim)
        rows = _binary_rows(file, count, dim) if binary else _text_rows(file, dim)
        found = 0
        for found, row in enumerate(rows, start=1):  # noqa: B007
            yield row
        if found != count:
            raise InputError(f"it names {count} words and holds {found}")
    else:
        # GloVe: a word may hold spaces, so the vector is counted from the right.
        dim = sum(_is_number(part) for part in header[1:])
        if dim < 2:
            raise InputError("its first line is neither two counts nor a word and its numbers")
        yield from _text_rows(file, dim)


def _is_number(part: bytes) -> bool:
    try:
        float(part)
    except ValueError:
        return False
    return True


def _is_text_row(line: bytes, dim: int) -> bool:
    parts = line.rstrip().rsplit(b" ", dim)
    return len(parts) == dim + 1 and all(map(_is_number, parts[1:]))


def _text_rows(file: BinaryIO, dim: int) -> Iterator[tuple[str, FloatVector]]:
    for line in file:
        if not line.strip():
            continue
        word, *numbers = line.rstrip().rsplit(b" ", dim)
        if len(numbers) != dim:
            raise InputError(f"a line of {len(numbers)} numbers where {dim} are due")
        yield word.decode("utf-8", errors="replace"), np.array(numbers, dtype=np.float32)


def _binary_rows(file: BinaryIO, count: int, dim: int) -> Iterator[tuple[str, FloatVector]]:
    rest, start = b"", 0
    for _ in range(count):
        while (space := rest.find(b" ", start)) < 0 or len(rest) < space + 1 + 4 * dim:
            if space < 0 and len(rest) - start > LONGEST_WORD:
                raise InputError("no word ends where one should")
            more = file.read(BLOCK)
            if not more:
                raise InputError("it is cut short")
            rest, start = rest[start:] + more, 0
        # The word2vec program ends each row with a line feed, gensim does not.
        word = rest[start:space].lstrip(b"\n").decode("utf-8", errors="replace")
        start = space + 1 + 4 * dim
        yield word, np.frombuffer(rest, dtype="<f4", count=dim, offset=space + 1)


def _collect(rows: Iterator[tuple[str, FloatVector]]) -> ArrayTable:
    index: dict[str, int] = {}
    matrix = np.empty((0, 0), dtype=np.float32)
    for word, vector in rows:
        if word in index:
            continue
        if len(index) == len(matrix):
            # In place: a list of rows and the array made of it would take the memory twice.
            matrix.resize((2 * len(matrix) or FIRST_ROWS, len(vector)), refcheck=False)
        matrix[len(index)] = vector
        index[word] = len(index)
    if not index:
        raise InputError("it holds no words")
    matrix.resize((len(index), matrix.shape[1]), refcheck=False)
    if not np.isfinite(matrix).all():
        raise InputError("it holds numbers that are not finite")
    return ArrayTable(index, matrix)
