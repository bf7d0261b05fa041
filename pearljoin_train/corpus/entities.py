"""Entity types of phrases without a model to download: grammar, short lists, classifier of names.

A phrase has the type of an entity when it is that entity, prepositions and determiners aside: "in
the United States" is a GPE, "the president of the United States" is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pearljoin_train.corpus.grammar import number_type
from pearljoin_train.corpus.lists import listed_type
from pearljoin_train.corpus.names import NameClassifier
from pearljoin_train.corpus.sentence import Sentence, Span, join_tokens

__all__ = ["EntityTyper", "ListedTypes", "core", "name_in"]

OTHER = "OTHER"
# Tags of what may stand before an entity, prepositions first, and after it.
PREPOSITIONS = frozenset({"IN", "TO", "RB"})
DETERMINERS = frozenset({"DT", "PRP$", "PDT", "RB", "JJ"})
TRAILING = frozenset({"POS", ",", ".", ":", "''"})
# Lower-case words inside names, those they may begin with first; "and" only beside "of": "Ministry
# of Trade and Industry".
PARTICLES_LISTED = "de la le les du des von van der den di da del y e al bin ibn"
PARTICLES = frozenset(PARTICLES_LISTED.split())
LINKING = PARTICLES | {"of", "the", "for", "in", "on", "at", "to", "a", "an", "&", "'s"}


class EntityTyper(Protocol):
    """Gives phrases their entity types. Implementations can be pickled."""

    def __call__(self, sentences: Sequence[Sentence]) -> list[list[str]]:
        """Return one of `ENTITY_TYPES` for each span of each sentence."""
        ...


@dataclass(frozen=True)
class ListedTypes:
    """The `EntityTyper` that needs no download."""

    names: NameClassifier

    def __call__(self, sentences: Sequence[Sentence]) -> list[list[str]]:
        """Return the entity type of each span; names are classified all at once."""
        types: list[list[str]] = []
        unsure: dict[str, list[tuple[int, int]]] = {}
        for row, sentence in enumerate(sentences):
            types.append([])
            for column, span in enumerate(sentence.spans):
                known = _written_type(sentence, span)
                name = None if known else name_in(sentence, span)
                if name is not None:
                    unsure.setdefault(name, []).append((row, column))
                types[row].append(known or OTHER)
        for (_, places), kind in zip(unsure.items(), self.names(list(unsure)), strict=True):
            for row, column in places:
                types[row][column] = kind
        return types


def _written_type(sentence: Sentence, span: Span) -> str | None:
    tokens = sentence.tokens[span.start : span.stop]
    has_number = span.lexical in {"NP", "PP", "ADJP", "ADVP"}
    number = number_type(" ".join(tokens)) if has_number else None
    if number is not None or all(token.islower() for token in tokens):
        return number
    text = sentence.text(span._replace(stop=core(sentence, span)[1]))
    return listed_type(text) if _is_name(sentence, *core(sentence, span)) else None


def core(sentence: Sentence, span: Span) -> tuple[int, int]:
    """Return where a phrase starts and stops without its prepositions and determiners.

    Examples
    --------
    >>> sentence = Sentence(("in", "the", "New", "Forest"), ("IN", "DT", "NNP", "NNP"), ())
    >>> core(sentence, Span(0, 4, "PP"))
    (2, 4)
    """
    start, stop, _ = span
    tokens, tags = sentence.tokens, sentence.tags
    for leading in (PREPOSITIONS, DETERMINERS):
        while start < stop and tags[start] in leading and _may_lead(tokens[start], tags[start]):
            start += 1
    while stop > start and tags[stop - 1] in TRAILING:
        stop -= 1
    return start, stop


def _may_lead(token: str, tag: str) -> bool:
    return token.islower() or tag == "DT"


def name_in(sentence: Sentence, span: Span) -> str | None:
    """Return the name that a phrase is, or None if it is no name.

    Examples
    --------
    >>> sentence = Sentence(("in", "the", "New", "Forest"), ("IN", "DT", "NNP", "NNP"), ())
    >>> name_in(sentence, Span(0, 4, "PP")), name_in(sentence, Span(0, 2, "PP"))
    ('New Forest', None)
    """
    start, stop = core(sentence, span)
    if not _is_name(sentence, start, stop):
        return None
    return join_tokens(list(sentence.tokens[start:stop]))


def _is_name(sentence: Sentence, start: int, stop: int) -> bool:
    """Return whether tokens form a name: capitalised words, numbers and linking words."""
    tokens, tags = sentence.tokens[start:stop], sentence.tags[start:stop]
    if not any(_is_proper(*pair) for pair in zip(tokens, tags, strict=True)):
        return False
    first, last = tokens[0], tokens[-1]
    if not (_is_big(first) or first in PARTICLES) or not _is_big(last):
        return False
    linking = LINKING | {"and"} if "of" in tokens else LINKING
    return all(_is_big(token) or token in linking for token in tokens)


def _is_big(token: str) -> bool:
    return token[0].isupper() or token[0].isdigit()


def _is_proper(token: str, tag: str) -> bool:
    # Adjectives of peoples ("Polish") carry a capital too; a sentence's first word only by its tag.
    return token[0].isupper() and tag in {"NNP", "NNPS", "JJ"} and token not in {"I", "The", "A"}
