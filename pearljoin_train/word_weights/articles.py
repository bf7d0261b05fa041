"""Pairs of texts cut out of articles (De Boom et al., section 4.1)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from pearljoin import InputError
from pearljoin_train.word_weights.pairs import PairSet
from pearljoin_train.word_weights.texts import Article

__all__ = ["article_pairs", "split_articles"]

GAP = 2
"""Words skipped between the two texts of a related pair."""


def split_articles(
    articles: Sequence[Article], shares: Sequence[float], rng: np.random.Generator
) -> list[list[Article]]:
    """Deal whole articles out to parts, so that no article has pairs in two of them.

    Parameters
    ----------
    articles
        The articles.
    shares
        Share of the words that each part is to have; together 1.
    rng
        Decides the order in which articles are dealt.

    Returns
    -------
    parts
        One list a share. Each article goes to the part that lacks most of its share.
    """
    sizes = [sum(map(len, article.paragraphs)) for article in articles]
    missing = np.array(shares) * sum(sizes)
    parts: list[list[Article]] = [[] for _ in shares]
    for place in rng.permutation(len(articles)):
        part = int(np.argmax(missing))
        parts[part].append(articles[place])
        missing[part] -= sizes[place]
    return parts


def article_pairs(
    articles: Sequence[Article],
    lengths: tuple[int, int],
    rng: np.random.Generator,
    *,
    step: int | None = None,
    at_most: int | None = None,
) -> PairSet:
    """Cut pairs out of articles (section 4.1).

    Parameters
    ----------
    articles
        At least two, cleaned.
    lengths
        Fewest and most words of a text. Where they differ, each text's length is drawn for
        itself, all lengths alike.
    rng
        Draws lengths and unrelated partners.
    step
        Words from the start of one related pair to the start of the next in a paragraph. None:
        the next begins where the last ended, so no word is used twice. A small step makes many
        overlapping pairs of little text: for training, never for testing.
    at_most
        Keep so many related pairs, drawn at random, and as many unrelated ones.

    Returns
    -------
    pairs
        Related pairs: n words of a paragraph and, after two that are skipped, the words that
        follow in the same paragraph. As many unrelated ones: the first text of each related
        pair with the second of a pair from another article.

    Raises
    ------
    InputError
        If the articles give no pairs, or pairs from one article only.
    """
    cut = [
        (number, left, right)
        for number, article in enumerate(articles)
        for paragraph in article.paragraphs
        for left, right in _cut_paragraph(paragraph, lengths, step, rng)
    ]
    if at_most is not None and len(cut) > at_most:
        cut = [cut[place] for place in np.sort(rng.permutation(len(cut))[:at_most])]
    source = np.array([number for number, _, _ in cut])
    if not len(cut) or (source == source[0]).all():
        raise InputError(
            f"Pairs need paragraphs of at least {2 * lengths[0] + GAP} words in two articles. "
            f"Got {len(cut)} related pairs from {len(articles)} articles. Hint: use more text."
        )
    partner = _other_article(source, rng)
    related = [(left, right) for _, left, right in cut]
    return PairSet.of(related, [(cut[i][1], cut[j][2]) for i, j in enumerate(partner)])


def _cut_paragraph(
    words: Sequence[str], lengths: tuple[int, int], step: int | None, rng: np.random.Generator
) -> Iterator[tuple[str, str]]:
    start = 0
    while True:
        n, m = rng.integers(lengths[0], lengths[1] + 1, size=2)
        end = start + n + GAP + m
        if end > len(words):
            return
        yield " ".join(words[start : start + n]), " ".join(words[end - m : end])
        start = end if step is None else start + step


def _other_article(source: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw for each pair the position of one from another article."""
    partner = rng.integers(len(source), size=len(source))
    while (same := np.flatnonzero(source[partner] == source)).size:
        partner[same] = rng.integers(len(source), size=len(same))
    return partner
