"""From parsed sentences to the phrases that are counted: which spans count, and as what text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pearljoin_train.corpus.entities import EntityTyper
from pearljoin_train.corpus.sentence import Parser, Sentence, Span

__all__ = ["Extractor", "Phrase", "countable"]

Phrase = tuple[str, str, str]
"""Its text, lexical type and entity type."""

UNFINISHED = frozenset({"a", "an", "the", "and", "or", "'s", "'"})
BRACKETS = {")": "(", "]": "["}


def countable(sentence: Sentence, max_words: int) -> Sentence:
    """Return the sentence with the spans that are phrases to count.

    Signs at the ends of a span are cut off. A span goes that is then empty, holds a word left out
    of the text (``<unk>``) or half a pair of brackets, ends in a determiner, or is too long.

    Parameters
    ----------
    sentence
        As a parser made it.
    max_words
        How many tokens a phrase may have, at least 1.
    """
    trimmed = (_trimmed(sentence.tokens, span) for span in sentence.spans)
    kept = (span for span in trimmed if _counts(sentence.tokens[span.start : span.stop], max_words))
    return replace(sentence, spans=tuple(dict.fromkeys(kept)))


def _trimmed(tokens: Sequence[str], span: Span) -> Span:
    start, stop, _ = span
    while start < stop and not _is_word(tokens[start]) and tokens[start] not in "$£€#([":
        start += 1
    while stop > start and not _is_word(tokens[stop - 1]) and tokens[stop - 1] not in "%)]":
        stop -= 1
    if stop > start and tokens[stop - 1] in {"'s", "'"}:
        stop -= 1
    return span._replace(start=start, stop=stop)


def _is_word(token: str) -> bool:
    return any(sign.isalnum() for sign in token)


def _counts(tokens: Sequence[str], max_words: int) -> bool:
    if not 0 < len(tokens) <= max_words or tokens[-1].lower() in UNFINISHED:
        return False
    pairs = all(
        tokens.count(closing) == tokens.count(opening) for closing, opening in BRACKETS.items()
    )
    has_gap = any(token[0] == "<" and token[-1] == ">" and len(token) > 2 for token in tokens)
    return pairs and not has_gap and any(_is_word(token) for token in tokens)


@dataclass(frozen=True)
class Extractor:
    """Text to typed phrases with counts; holds the models, and survives pickling."""

    parser: Parser
    typer: EntityTyper
    max_words: int = 8

    def __call__(self, texts: Sequence[str]) -> Counter[Phrase]:
        """Count the phrases of some paragraphs or bracketed trees."""
        parsed = [sentence for text in texts for sentence in self.parser(text)]
        sentences = [countable(sentence, self.max_words) for sentence in parsed]
        counts: Counter[Phrase] = Counter()
        for sentence, types in zip(sentences, self.typer(sentences), strict=True):
            for span, entity in zip(sentence.spans, types, strict=True):
                counts[sentence.text(span), span.lexical, entity] += 1
        return counts
