"""Pairs of short texts that belong together, and pairs that do not (De Boom et al., section 4)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pearljoin import InputError
from pearljoin_train.word_weights.texts import Article, words_of

__all__ = ["PairSet", "Tweet", "article_pairs", "read_tweets", "split_articles", "tweet_pairs"]

GAP = 2
"""Words skipped between the two texts of a related pair."""
MINUTES_APART = 15
FEWEST_WORDS = 5
ALIKE = 0.5
UNINFORMATIVE = frozenset({"#breaking", "#update", "#news"})
TRIES = 50
"""Draws for each unrelated pair of tweets before it is given up."""

HASHTAG = re.compile(r"#\w+")
OUTSIDE = re.compile(r"https?://\S+|www\.\S+|@\w+")


@dataclass(frozen=True)
class PairSet:
    """Pairs of texts.

    Attributes
    ----------
    first, second
        The two texts of each pair: words with single spaces between them.
    related
        bool of shape (n_pairs,): whether they belong together.
    """

    first: tuple[str, ...]
    second: tuple[str, ...]
    related: NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.first)

    def take(self, rows: NDArray[np.int64]) -> PairSet:
        """Return the pairs at these positions."""
        first = tuple(self.first[row] for row in rows)
        second = tuple(self.second[row] for row in rows)
        return PairSet(first, second, self.related[rows])

    @classmethod
    def of(
        cls, related: Sequence[tuple[str, str]], unrelated: Sequence[tuple[str, str]]
    ) -> PairSet:
        """Put related and unrelated pairs into one set."""
        pairs = [*related, *unrelated]
        return cls(
            tuple(one for one, _ in pairs),
            tuple(other for _, other in pairs),
            np.arange(len(pairs)) < len(related),
        )


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
        (number, one, other)
        for number, article in enumerate(articles)
        for paragraph in article.paragraphs
        for one, other in _cut_paragraph(paragraph, lengths, step, rng)
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
    related = [(one, other) for _, one, other in cut]
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


@dataclass(frozen=True)
class Tweet:
    """One tweet.

    Attributes
    ----------
    words
        Its words in lower case, numbers as "0"; hashtags, mentions and addresses left out.
    hashtags
        Its hashtags in lower case, without those that say nothing (#breaking, #update, #news).
    minute
        When it was sent, in minutes since some fixed time; NaN where that is not known.
    """

    words: tuple[str, ...]
    hashtags: frozenset[str]
    minute: float

    @classmethod
    def parse(cls, text: str, minute: float) -> Tweet:
        """Read a tweet's text."""
        text = OUTSIDE.sub(" ", text.lower())
        hashtags = frozenset(HASHTAG.findall(text)) - UNINFORMATIVE
        return cls(words_of(HASHTAG.sub(" ", text)), hashtags, minute)


def read_tweets(path: Path) -> list[Tweet]:
    """Read tweets: a line each, the time (ISO 8601), a tab, the text.

    Raises
    ------
    InputError
        If a line has no tab or its time cannot be read.
    """
    tweets = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        time, tab, text = line.partition("\t")
        try:
            if not tab:
                raise ValueError("there is no tab")
            minute = datetime.fromisoformat(time).timestamp() / 60
        except ValueError as error:
            raise InputError(
                f"Line {number} of {str(path)!r} is not a tweet ({error}). Got {line[:80]!r}. "
                "Hint: write 2015-08-31T12:00:00<TAB>text."
            ) from error
        tweets.append(Tweet.parse(text, minute))
    return tweets


def tweet_pairs(
    tweets: Sequence[Tweet],
    rng: np.random.Generator,
    *,
    minutes_apart: float | None = MINUTES_APART,
    at_most: int | None = None,
) -> PairSet:
    """Pair tweets by the heuristics of section 4.2.

    Parameters
    ----------
    tweets
        The tweets.
    rng
        Draws which pairs are kept, and unrelated ones.
    minutes_apart
        The most that two related tweets may lie apart (rule 3). None leaves the rule out, for
        tweets whose time is not known; the pairs are noisier then.
    at_most
        Keep so many related pairs.

    Returns
    -------
    pairs
        Related: at least 5 words each (rule 1), Jaccard similarity of the hashtags at least 0.5
        (rule 2), at most 15 minutes apart (rule 3), Jaccard similarity of the words below 0.5
        (rule 4). As many unrelated ones: no hashtag shared, rules 1 and 4. A hashtag outside
        the overlap stays in the text as a word; the overlap is taken out.
    """
    long_enough = [tweet for tweet in tweets if len(tweet.words) >= FEWEST_WORDS]
    related = sorted(_related_tweets(long_enough, minutes_apart))
    if at_most is not None and len(related) > at_most:
        related = [related[place] for place in np.sort(rng.permutation(len(related))[:at_most])]
    tagged = [place for place, tweet in enumerate(long_enough) if tweet.hashtags]
    unrelated = list(_unrelated_tweets(long_enough, tagged, len(related), rng))
    texts = [
        [_two_texts(long_enough[a], long_enough[b]) for a, b in r] for r in (related, unrelated)
    ]
    return PairSet.of(texts[0], texts[1])


def _related_tweets(tweets: Sequence[Tweet], minutes_apart: float | None) -> set[tuple[int, int]]:
    by_hashtag: dict[str, list[int]] = defaultdict(list)
    for place, tweet in enumerate(tweets):
        for hashtag in tweet.hashtags:
            by_hashtag[hashtag].append(place)
    found = set()
    for places in by_hashtag.values():
        places.sort(key=lambda place: tweets[place].minute)
        minutes = [tweets[place].minute for place in places]
        for rank, one in enumerate(places):
            last = len(places)
            if minutes_apart is not None:
                last = bisect_left(minutes, np.nextafter(minutes[rank] + minutes_apart, np.inf))
            for other in places[rank + 1 : last]:
                if _same_event(tweets[one], tweets[other]):
                    found.add((min(one, other), max(one, other)))
    return found


def _same_event(one: Tweet, other: Tweet) -> bool:
    words_differ = jaccard(frozenset(one.words), frozenset(other.words)) < ALIKE
    return words_differ and jaccard(one.hashtags, other.hashtags) >= ALIKE


def _unrelated_tweets(
    tweets: Sequence[Tweet], tagged: Sequence[int], count: int, rng: np.random.Generator
) -> Iterator[tuple[int, int]]:
    for _ in range(count):
        for _ in range(TRIES):
            one, other = (tagged[place] for place in rng.integers(len(tagged), size=2))
            alike = jaccard(frozenset(tweets[one].words), frozenset(tweets[other].words))
            if alike < ALIKE and not tweets[one].hashtags & tweets[other].hashtags:
                yield one, other
                break


def jaccard(one: frozenset[str], other: frozenset[str]) -> float:
    """Return shared over all members, in [0, 1]; 0 where both are empty.

    Examples
    --------
    >>> jaccard(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    return len(one & other) / max(len(one | other), 1)


def _two_texts(one: Tweet, other: Tweet) -> tuple[str, str]:
    shared = one.hashtags & other.hashtags
    texts = [
        " ".join([*tweet.words, *(tag[1:] for tag in sorted(tweet.hashtags - shared))])
        for tweet in (one, other)
    ]
    return texts[0], texts[1]
