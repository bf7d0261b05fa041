"""Pairs of tweets by their hashtags and times (De Boom et al., section 4.2)."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import numpy as np

from pearljoin import InputError
from pearljoin_train.word_weights.pairs import PairSet
from pearljoin_train.word_weights.texts import words_of

__all__ = ["Tweet", "read_tweets", "tweet_pairs"]

MINUTES_APART = 15
FEWEST_WORDS = 5
ALIKE = 0.5
UNINFORMATIVE = frozenset({"#breaking", "#update", "#news"})
TRIES = 50
"""Draws for each unrelated pair of tweets before it is given up."""

HASHTAG = re.compile(r"#\w+")
OUTSIDE = re.compile(r"https?://\S+|www\.\S+|@\w+")


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
        for rank, left in enumerate(places):
            last = len(places)
            if minutes_apart is not None:
                last = bisect_left(minutes, np.nextafter(minutes[rank] + minutes_apart, np.inf))
            for right in places[rank + 1 : last]:
                if _same_event(tweets[left], tweets[right]):
                    found.add((min(left, right), max(left, right)))
    return found


def _same_event(left: Tweet, right: Tweet) -> bool:
    words_differ = jaccard(frozenset(left.words), frozenset(right.words)) < ALIKE
    return words_differ and jaccard(left.hashtags, right.hashtags) >= ALIKE


def _unrelated_tweets(
    tweets: Sequence[Tweet], tagged: Sequence[int], count: int, rng: np.random.Generator
) -> Iterator[tuple[int, int]]:
    for _ in range(count):
        for _ in range(TRIES):
            left, right = (tagged[place] for place in rng.integers(len(tagged), size=2))
            alike = jaccard(frozenset(tweets[left].words), frozenset(tweets[right].words))
            if alike < ALIKE and not tweets[left].hashtags & tweets[right].hashtags:
                yield left, right
                break


def jaccard(left: frozenset[str], right: frozenset[str]) -> float:
    """Return the Jaccard similarity, in [0, 1]; 0 where both sets are empty.

    Examples
    --------
    >>> jaccard(frozenset("abc"), frozenset("bcd"))
    0.5
    """
    return len(left & right) / max(len(left | right), 1)


def _two_texts(left: Tweet, right: Tweet) -> tuple[str, str]:
    shared = left.hashtags & right.hashtags
    texts = [
        " ".join([*tweet.words, *(tag[1:] for tag in sorted(tweet.hashtags - shared))])
        for tweet in (left, right)
    ]
    return texts[0], texts[1]
