"""Cutting text into pairs, telling books apart, and the heuristics for tweets."""

from datetime import datetime
from pathlib import Path

import numpy as np
import pytest

from pearljoin import InputError
from pearljoin_train.word_weights.articles import article_pairs, split_articles
from pearljoin_train.word_weights.books import GAP, split_books
from pearljoin_train.word_weights.texts import Article, parse_wikitext, words_of
from pearljoin_train.word_weights.tweets import Tweet, read_tweets, tweet_pairs

WIKITEXT = """
 = Robert <unk> =

 Robert <unk> is an actor @-@ director . He did n't sing in 1 @,@ 234 shows .

 = = Career = =

 In 2000 he starred .
 = Du Fu =
 Du Fu was a poet .
"""


def article(name: str, n_words: int = 100, paragraphs: int = 1) -> Article:
    words = [tuple(f"{name}{p}w{i}" for i in range(n_words)) for p in range(paragraphs)]
    return Article(name, tuple(words))


class TestTexts:
    def test_cleaning(self) -> None:
        assert words_of("The 1980s: 3.5 km, (at) 12,000 ft!") == (
            "the", "0s", "0", "km", "at", "0", "ft",
        )  # fmt: skip

    def test_articles_and_paragraphs(self) -> None:
        first, second = parse_wikitext(WIKITEXT)
        assert (first.title, second.title) == ("Robert <unk>", "Du Fu")
        assert first.paragraphs == (
            ("robert", "is", "an", "actor", "director", "he", "didn", "t", "sing", "in", "0",
             "shows"),
            ("in", "0", "he", "starred"),
        )  # fmt: skip
        assert second.paragraphs == (("du", "fu", "was", "a", "poet"),)

    def test_books_are_told_apart_by_their_names(self) -> None:
        chapters = [
            f"so {name} met {other} and saw {name} go. " * 700
            for name, other in [("Emma", "Harriet")] * 3 + [("Ahab", "Starbuck")] * 2
        ]
        books = split_books(GAP.join(chapters))
        assert [book.count("Emma") for book in books] == [4200, 0]
        assert GAP.join(books) == GAP.join(chapters)


class TestArticlePairs:
    def test_related_texts_follow_each_other_two_words_apart(self) -> None:
        pairs = article_pairs([article("a"), article("b")], (5, 5), np.random.default_rng(0))
        first = [text.split() for text in pairs.first]
        second = [text.split() for text in pairs.second]
        assert first[0] == [f"a0w{i}" for i in range(5)]
        assert second[0] == [f"a0w{i}" for i in range(7, 12)]
        assert first[1][0] == "a0w12"  # the next pair begins where the last one ended
        assert int(pairs.related.sum()) == 16
        assert len(pairs) == 32

    def test_pairs_stay_in_their_paragraph_and_unrelated_ones_in_no_article(self) -> None:
        articles = [article(name, 40, paragraphs=3) for name in "abc"]
        pairs = article_pairs(articles, (10, 15), np.random.default_rng(0))
        for one, other, related in zip(pairs.first, pairs.second, pairs.related, strict=True):
            # Words begin with the names of their article and paragraph.
            assert one[:2] == other[:2] if related else one[0] != other[0]
            assert 10 <= len(one.split()) <= 15
            assert 10 <= len(other.split()) <= 15

    def test_a_step_makes_overlapping_pairs_and_a_limit_draws_among_them(self) -> None:
        articles = [article("a", 30), article("b", 30)]
        rng = np.random.default_rng(0)
        assert article_pairs(articles, (5, 5), rng, step=1).related.sum() == 2 * (30 - 12 + 1)
        limited = article_pairs(articles, (5, 5), rng, step=1, at_most=7)
        assert limited.related.sum() == 7
        assert len(limited) == 14

    def test_one_article_is_too_little(self) -> None:
        with pytest.raises(InputError, match="at least 12 words in two articles"):
            article_pairs([article("a")], (5, 5), np.random.default_rng(0))

    def test_articles_are_dealt_out_whole_by_words(self) -> None:
        articles = [article(f"n{i}x", 100 + 10 * (i % 7)) for i in range(100)]
        parts = split_articles(articles, (0.5, 0.3, 0.2), np.random.default_rng(0))
        assert sorted(a.title for part in parts for a in part) == sorted(a.title for a in articles)
        words = np.array([sum(len(a.paragraphs[0]) for a in part) for part in parts])
        np.testing.assert_allclose(words / words.sum(), [0.5, 0.3, 0.2], atol=0.01)


STORM = "Heavy storm hits the northern coast tonight"
OTHER = "Thousands of homes lose power after winds"


def tweet(text: str, minute: float = 0.0) -> Tweet:
    return Tweet.parse(text, minute)


class TestTweets:
    def test_parsing(self) -> None:
        found = tweet("BREAKING: 12 ships @bbc https://t.co/x sink #Storm #breaking")
        assert found.words == ("breaking", "0", "ships", "sink")
        assert found.hashtags == frozenset({"#storm"})

    def related(self, *tweets: Tweet, **options) -> list[tuple[str, str]]:
        pairs = tweet_pairs(tweets, np.random.default_rng(0), **options)
        return [
            (one, other)
            for one, other, is_related in zip(pairs.first, pairs.second, pairs.related, strict=True)
            if is_related
        ]

    def test_a_related_pair_without_the_hashtags_it_shares(self) -> None:
        found = self.related(tweet(f"{STORM} #storm #north"), tweet(f"{OTHER} #storm", 15.0))
        assert found == [(f"{STORM.lower()} north", OTHER.lower())]

    @pytest.mark.parametrize(
        ("one", "other", "minutes"),
        [
            ("Too few words here #storm", f"{OTHER} #storm", 0.0),
            (f"{STORM} #a #storm", f"{OTHER} #b #storm", 0.0),
            (f"{STORM} #storm", f"{OTHER} #storm", 15.1),
            (f"{STORM} #storm", f"{STORM} again #storm", 0.0),
        ],
        ids=["rule 1: words", "rule 2: hashtags", "rule 3: minutes", "rule 4: same words"],
    )
    def test_each_rule(self, one: str, other: str, minutes: float) -> None:
        assert self.related(tweet(one), tweet(other, minutes)) == []

    def test_without_times_rule_3_is_left_out(self) -> None:
        nan = float("nan")
        tweets = [tweet(f"{STORM} #storm", nan), tweet(f"{OTHER} #storm", nan)]
        assert len(self.related(*tweets, minutes_apart=None)) == 1

    def test_unrelated_pairs_share_no_hashtag(self) -> None:
        tweets = [
            tweet(f"{text} {n} #{tag}", 0.0)
            for tag in ("storm", "vote")
            for n, text in enumerate([STORM, OTHER])
        ]
        pairs = tweet_pairs(tweets, np.random.default_rng(0))
        assert pairs.related.tolist() == [True, True, False, False]
        for one, other in zip(pairs.first[2:], pairs.second[2:], strict=True):
            assert {one.split()[-1], other.split()[-1]} == {"storm", "vote"}

    def test_reading_a_file(self, tmp_path: Path) -> None:
        path = tmp_path / "tweets.tsv"
        path.write_text(f"2015-08-31T12:00:00\t{STORM} #storm\n2015-08-31T12:10:00\t{OTHER}\n")
        found = read_tweets(path)
        assert found[0].hashtags == {"#storm"}
        assert found[1].minute - found[0].minute == pytest.approx(10)
        assert found[0].minute == datetime(2015, 8, 31, 12).timestamp() / 60

    @pytest.mark.parametrize("line", ["no tab", "yesterday\tsome text"])
    def test_a_line_that_is_not_a_tweet(self, tmp_path: Path, line: str) -> None:
        path = tmp_path / "tweets.tsv"
        path.write_text(f"{line}\n")
        with pytest.raises(InputError, match=r"Line 1 of .* is not a tweet"):
            read_tweets(path)
