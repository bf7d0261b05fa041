"""Columns of which some texts are read as others: in Latin letters, or as what they stand for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeAlias

from pearljoin._tables.cells import compared_value
from pearljoin._tables.columns import Cells
from pearljoin._tables.read_table import PlainColumn
from pearljoin._text.normalise import mend, normalise

__all__ = ["Glossary", "rewritten_column", "translated_column", "translation"]

Glossary: TypeAlias = tuple[tuple[str, str], ...]
"""Texts and words of a column, and those that they are read as."""

_DOTTED = re.compile(r"(?<![\w'’])[^\W\d_]+(?:\.[^\W\d_]+)*\.?(?![\w'’])")
"""A word, or several with dots between, which may be one: *n.L.* No part of *ST108* or *don't*."""

_WORD = re.compile(r"[^\W\d_]+")


def rewritten_column(column: Cells, read_as: Mapping[Any, str]) -> Cells:
    """Read some cells of a column as other texts; the column itself where it has none of them.

    Parameters
    ----------
    column
        The column.
    read_as
        By cell, what it is read as.
    """
    if not read_as:
        return column
    changed = [
        read_as.get(cell, cell) if isinstance(cell, str | int) else cell
        for cell in column.to_list()
    ]
    return PlainColumn(column.name, changed)


def translated_column(column: Cells, texts: Glossary, words: Glossary) -> Cells:
    """Read cells as what they stand for; they are compared with the glossaries as texts are.

    Parameters
    ----------
    column
        The column.
    texts
        What whole texts are read as.
    words
        What words of other texts are read as.
    """
    reader = _Reader(texts, words)
    read_as = {}
    for cell in {cell for cell in column.to_list() if isinstance(cell, str | int)}:
        text = compared_value(cell, "text", column.name)
        if isinstance(text, str) and (right := reader.read(text)) is not None:
            read_as[cell] = right
    return rewritten_column(column, read_as)


def translation(text: str, texts: Mapping[str, str], words: Mapping[str, str]) -> str | None:
    """Return what a text is read as; None where it is read as it is."""
    return _Reader(tuple(texts.items()), tuple(words.items())).read(text)


class _Reader:
    """Reads texts by a glossary of texts, and one of words."""

    def __init__(self, texts: Glossary, words: Glossary) -> None:
        self._texts = {normalise(mend(text)): right for text, right in texts}
        self._right = dict(words)
        self._words: dict[str, str] = {}

    def read(self, text: str) -> str | None:
        """Return what a text is read as; None where it is read as it is."""
        whole = self._texts.get(normalise(mend(text)))
        if whole is not None or not self._right:
            return whole
        read = _DOTTED.sub(self._word, text)
        return None if read == text else read

    def _word(self, found: re.Match[str]) -> str:
        word = found[0]
        if word not in self._words:
            right = self._right.get(normalise(word))
            if right is None and "." in word:
                right = _WORD.sub(self._word, word)
            self._words[word] = word if right is None else right
        return self._words[word]
