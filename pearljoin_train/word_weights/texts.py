"""Running text for the word-weights task: articles of paragraphs, cleaned as De Boom et al. do.

WikiText keeps articles and paragraphs. The novels stand one after another without a mark between
them, so books are separated by the names in them (`books`). The Wikipedia sentences stand
alone: they serve the word vectors and the document frequencies, never the pairs.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pearljoin_train.data import find
from pearljoin_train.word_weights.books import split_books

__all__ = ["Article", "novels", "read_text", "wikipedia_sentences", "wikitext"]

WIKITEXT_FILES = ("text/wikitext2_valid.txt.gz", "text/wikitext2_test.txt.gz")
SENTENCES_FILE = "text/wikipedia_sentences.txt.gz"
NOVELS_FILE = "text/gutenberg_novels.txt.gz"

WORD = re.compile(r"[^\W_]+")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
HEADING = re.compile(r"^ ?=(?P<level>( =)*) (?P<title>.*?) =( =)*\s*$")
JOINED = ((" @-@ ", "-"), (" @,@ ", ","), (" @.@ ", "."), ("<unk>", " "), (" n't", "n't"))


@dataclass(frozen=True)
class Article:
    """One article or book.

    Attributes
    ----------
    title
        Its heading, or for a book its number in the file.
    paragraphs
        Cleaned words of each paragraph, in order.
    """

    title: str
    paragraphs: tuple[tuple[str, ...], ...]


def words_of(text: str) -> tuple[str, ...]:
    """Clean one text (section 4.1): lower case, numbers to "0", no punctuation.

    Examples
    --------
    >>> words_of("In 2006, 1,234 people (at most) sang O'Casey's song.")
    ('in', '0', '0', 'people', 'at', 'most', 'sang', 'o', 'casey', 's', 'song')
    """
    return tuple(WORD.findall(NUMBER.sub("0", text.lower())))


def read_text(relative: str) -> str:
    """Return a text file of the data folder, unpacked where its name ends in ``.gz``."""
    path: Path = find(relative)
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        return str(file.read())


def wikitext() -> list[Article]:
    """Return the articles of both WikiText files, headings left out."""
    return [article for name in WIKITEXT_FILES for article in parse_wikitext(read_text(name))]


def parse_wikitext(text: str) -> Iterator[Article]:
    """Split WikiText into articles at its headings of the first level.

    Parameters
    ----------
    text
        One paragraph or heading a line; the tokens that WikiText puts into words (``@-@``,
        ``@,@``, ``<unk>``) are taken out again.
    """
    title: str | None = None
    paragraphs: list[tuple[str, ...]] = []
    for line in text.splitlines():
        heading = HEADING.match(line)
        if heading is None:
            words = words_of(_rejoined(line))
            if words:
                paragraphs.append(words)
        elif not heading["level"]:
            if title is not None:
                yield Article(title, tuple(paragraphs))
            title, paragraphs = heading["title"], []
    if title is not None:
        yield Article(title, tuple(paragraphs))


def _rejoined(line: str) -> str:
    for written, meant in JOINED:
        line = line.replace(written, meant)
    return line


def wikipedia_sentences() -> list[tuple[str, ...]]:
    """Return the cleaned words of each single Wikipedia sentence."""
    return [words_of(_rejoined(line)) for line in read_text(SENTENCES_FILE).splitlines()]


def novels() -> list[Article]:
    """Return the novels, one `Article` a book."""
    books = split_books(read_text(NOVELS_FILE))
    return [
        Article(f"book {number}", tuple(filter(None, map(words_of, _paragraphs(book)))))
        for number, book in enumerate(books, start=1)
    ]


def _paragraphs(text: str) -> list[str]:
    return re.split(r"\n{2,}", text)
