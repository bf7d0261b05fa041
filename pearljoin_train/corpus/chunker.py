"""The chunker: text to phrases without a parser to download.

A chunk (Tjong Kim Sang and Buchholz 2000) is the core of a phrase: an NP ends at its head noun, a
PP is the preposition alone, a VP a verb with its auxiliaries. The paper's phrases are constituents
of a full parse, so the chunks are put together again by four rules, which `compose` holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pearljoin_train.corpus.sentence import Sentence, Span
from pearljoin_train.corpus.sequences import SequenceModel, chunk_features, tag_features
from pearljoin_train.corpus.tokens import sentences

__all__ = ["Chunker", "chunk_spans", "compose"]


# What may follow a verb inside its phrase, and the tags that end a clause for certain.
COMPLEMENTS = frozenset({"PRT", "NP", "PP", "ADVP", "ADJP"})
CLOSING = frozenset({".", ",", ":", ")", "''"})


@dataclass(frozen=True)
class Chunker:
    """A `Parser`: splits a paragraph into sentences, tags and chunks them, composes phrases."""

    tagger: SequenceModel
    chunker: SequenceModel

    def __call__(self, text: str) -> list[Sentence]:
        """Parse a paragraph."""
        return [self.parse(tokens) for tokens in sentences(text)]

    def parse(self, tokens: Sequence[str]) -> Sentence:
        """Parse one sentence that is cut into tokens."""
        tags = self.tagger(tag_features(tokens))
        marks = self.chunker(chunk_features(tokens, tags))
        spans = compose(tokens, tags, chunk_spans(marks))
        return Sentence(tuple(tokens), tuple(tags), tuple(spans))


def chunk_spans(marks: Sequence[str]) -> list[Span]:
    """Turn marks (B-NP, I-NP, O) into spans.

    Examples
    --------
    >>> chunk_spans(["B-NP", "I-NP", "O", "I-VP"])
    [Span(start=0, stop=2, lexical='NP'), Span(start=3, stop=4, lexical='VP')]
    """
    spans: list[Span] = []
    for place, mark in enumerate(marks):
        kind = mark[2:]
        goes_on = mark[0] == "I" and spans and spans[-1][1:] == (place, kind)
        if goes_on:
            spans[-1] = spans[-1]._replace(stop=place + 1)
        elif kind:
            spans.append(Span(place, place + 1, kind))
    return spans


def compose(tokens: Sequence[str], tags: Sequence[str], chunks: Sequence[Span]) -> list[Span]:
    """Put chunks together to phrases that look like the constituents of a parse.

    1. An NP and a following one that starts with a possessive are one NP: "the city" "'s mayor",
       and what the possessive starts is no phrase.
    2. NPs joined by "of" are one NP: "the mayor" "of" "the city".
    3. A preposition and the NP after it are a PP: "in" "the city". Alone it is no phrase.
    4. A verb without its auxiliaries and the chunks after it are a VP, if a sign then closes the
       clause; where none does, the end of the VP is not known.

    Each NP is kept beside what it becomes part of, as in a parse.

    Parameters
    ----------
    tokens, tags
        The sentence.
    chunks
        Its chunks in order, which do not overlap.

    Returns
    -------
    spans
        Phrases of the five lexical types, in order of their start, longest last.

    Examples
    --------
    >>> words = "in the capital of France".split()
    >>> chunks = [Span(0, 1, "PP"), Span(1, 3, "NP"), Span(3, 4, "PP"), Span(4, 5, "NP")]
    >>> [" ".join(words[s.start:s.stop]) for s in compose(words, ["IN"] * 5, chunks)]
    ['in the capital of France', 'the capital', 'the capital of France', 'of France', 'France']
    """
    found: dict[Span, None] = {}
    full_nps: dict[int, int] = {}
    for place in reversed(range(len(chunks))):
        chunk = chunks[place]
        if chunk.lexical == "NP":
            stops = _np_stops(tokens, tags, chunks, place)
            full_nps[chunk.start] = stops[-1]
            if tags[chunk.start] != "POS":
                found |= {Span(chunk.start, stop, "NP"): None for stop in stops}
        elif chunk.lexical == "PP" and chunk.stop in full_nps:
            found[Span(chunk.start, full_nps[chunk.stop], "PP")] = None
        elif chunk.lexical == "VP":
            phrase = _verb_phrase(tags, chunks, place)
            found |= {} if phrase is None else {phrase: None}
        elif chunk.lexical in {"ADVP", "ADJP"}:
            found[chunk] = None
    return sorted(found, key=lambda span: (span.start, span.stop))


def _np_stops(
    tokens: Sequence[str], tags: Sequence[str], chunks: Sequence[Span], place: int
) -> list[int]:
    """Return where the NP that starts at a chunk may stop, from the shortest to the longest."""
    stops = [chunks[place].stop]
    rest = list(chunks[place + 1 :])
    while rest and rest[0].start == stops[-1]:
        joins_possessive = rest[0].lexical == "NP" and tags[rest[0].start] == "POS"
        joins_of = (
            len(rest) > 1
            and tokens[rest[0].start : rest[0].stop] in (["of"], ("of",))
            and rest[1].lexical == "NP"
            and rest[1].start == rest[0].stop
        )
        if not joins_possessive and not joins_of:
            break
        used = 2 if joins_of else 1
        stops.append(rest[used - 1].stop)
        rest = rest[used:]
    return stops


def _verb_phrase(tags: Sequence[str], chunks: Sequence[Span], place: int) -> Span | None:
    start, stop, _ = chunks[place]
    verbs = [token for token in range(start, stop) if tags[token].startswith("VB")]
    for chunk in chunks[place + 1 :]:
        if chunk.start != stop or chunk.lexical not in COMPLEMENTS:
            break
        stop = chunk.stop
    is_closed = stop == len(tags) or tags[stop] in CLOSING
    return Span(verbs[-1], stop, "VP") if verbs and is_closed else None
