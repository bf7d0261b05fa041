"""Sentences with phrases, as parsers return them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple, Protocol

__all__ = ["Parser", "Sentence", "Span", "join_tokens"]


class Span(NamedTuple):
    """A phrase of a sentence: its first token, the token after its last, and its lexical type."""

    start: int
    stop: int
    lexical: str


@dataclass(frozen=True)
class Sentence:
    """Tokens, their Penn Treebank tags, and the phrases among them."""

    tokens: tuple[str, ...]
    tags: tuple[str, ...]
    spans: tuple[Span, ...]

    def text(self, span: Span) -> str:
        """Return a phrase as one writes it.

        The sentence's first word loses its capital unless its tag says it is a name, so that a
        phrase is the same phrase wherever it stands.
        """
        tokens = list(self.tokens[span.start : span.stop])
        if span.start == 0 and not self.tags[0].startswith("NNP"):
            tokens[0] = _without_capital(tokens[0])
        return join_tokens(tokens)


class Parser(Protocol):
    """Splits a text into sentences with phrases. Implementations can be pickled."""

    def __call__(self, text: str) -> list[Sentence]:
        """Parse a paragraph, or a bracketed tree."""
        ...


def _without_capital(word: str) -> str:
    # "The", but not "I", "DNA", "A." or "McCoy".
    is_plain = len(word) > 1 and word[1:].isalpha() and word[1:].islower()
    return word.lower() if is_plain or word == "A" else word


# Token borders without a space: before n't, 's, %, and closing signs; after $ and opening signs.
GLUED_LEFT = re.compile(r" (?=(?:n't|'(?:s|re|ve|ll|d|m)?|%|[,.;:?!)\]])(?: |$))", re.IGNORECASE)
GLUED_RIGHT = re.compile(r"(?:(?<=[$£€#(\[])|(?<=US\$)) ")


def join_tokens(tokens: list[str]) -> str:
    """Join treebank tokens into text.

    Examples
    --------
    >>> join_tokens("the city 's $ 50 million ( 10 % )".split())
    "the city's $50 million (10%)"
    """
    return GLUED_RIGHT.sub("", GLUED_LEFT.sub("", " ".join(tokens)))
