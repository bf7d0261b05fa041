"""Splitting a column into words and spelling words as tokens, against the plain ways to do it."""

import json
import re
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pearljoin._encoders.model_folder import MODELS
from pearljoin._word_vectors import DocumentFrequencies
from pearljoin._word_vectors.pooling import sort_by_idf
from pearljoin._word_vectors.split import split_words
from pearljoin._word_vectors.store import WordRows, checksums
from pearljoin._word_vectors.token_table import WordTokenizer

# Characters that lower-casing and splitting treat unlike plain letters.
ODD = "ΣσİıẞßǅÅé中字ﬁ_-'’ \t\n\r\x85\u2028\u0307٣½²aZ09\ud800"
TEXTS = st.lists(st.text(st.sampled_from(ODD) | st.characters(), max_size=12), max_size=8)

find_words = re.compile(r"[^\W_]+").findall


class TestSplitting:
    @given(TEXTS, st.booleans())
    def test_the_column_is_split_as_each_text_is(self, texts: list[str], lowercase: bool) -> None:
        expected = [find_words(text.lower() if lowercase else text) for text in texts]
        split = split_words(texts, lowercase=lowercase)
        words = [split.distinct[code] for code in split.codes]
        assert words == [word for text in expected for word in text]
        assert split.lengths.tolist() == [len(text) for text in expected]
        assert len(set(split.distinct)) == len(split.distinct)
        assert set(split.distinct) == set(words)

    @given(TEXTS)
    def test_documents_are_counted_once_a_text(self, texts: list[str]) -> None:
        expected = Counter(word for text in texts for word in set(find_words(text.lower())))
        found = DocumentFrequencies.from_texts(texts)
        assert found == DocumentFrequencies(dict(expected), max(len(texts), 1))

    def test_documents_are_counted_over_many_chunks(self) -> None:
        texts = [f"all {i % 7}" for i in range(70_000)]
        found = DocumentFrequencies.from_texts(texts)
        assert found.counts == {"all": 70_000, **{str(i): 10_000 for i in range(7)}}


class TestSorting:
    def test_by_text_then_idf_then_checksum_without_the_unknown(self) -> None:
        split = split_words(["low high unknown high", "", "twin same"])
        ids = np.array([3, 0, -1, 2, 1])  # low, high, unknown, twin, same
        idf = np.array([5.0, 2.0, 2.0, 1.0], dtype=np.float32)
        ties = np.array([0, 1, 9, 0], dtype=np.uint64)
        words = sort_by_idf(split, WordRows(ids, np.zeros((4, 1), np.float32), idf, ties))
        assert words.ids.tolist() == [0, 0, 3, 1, 2]
        assert words.lengths.tolist() == [3, 0, 2]
        np.testing.assert_array_equal(words.idf, idf[words.ids])

    def test_words_that_share_a_crc_have_checksums_of_their_own(self) -> None:
        one, other = checksums(["plumless", "buckeroo"])
        assert one >> np.uint64(32) == other >> np.uint64(32)
        assert one != other


def tokenizer_json(**changes) -> bytes:
    folder = next(path.parent for path in sorted(MODELS.glob("*/tokenizer.json")))
    content = json.loads((folder / "tokenizer.json").read_bytes())
    return json.dumps(content | changes).encode()


@pytest.fixture(scope="module")
def tokenizer() -> WordTokenizer:
    return WordTokenizer(tokenizer_json())


class TestSpelling:
    @given(words=st.lists(st.text("abcdefghijklmnopqrstuvwxyz0123456789", min_size=1), min_size=1))
    def test_plain_words_are_split_as_by_the_library(self, tokenizer, words: list[str]) -> None:
        assert tokenizer._pieces is not None
        found = tokenizer._pieces(words)
        assert found == tokenizer._by_library(words)

    @given(words=st.lists(st.text(min_size=1, max_size=8) | st.sampled_from(["the", "playing"])))
    def test_plain_and_other_words_keep_their_order(self, tokenizer, words: list[str]) -> None:
        ids, lengths = tokenizer.split(words)
        expected_ids, expected_lengths = tokenizer._by_library(words)
        assert ids.tolist() == expected_ids
        assert lengths.tolist() == expected_lengths

    def test_longer_words_than_the_tokenizer_takes_are_unknown(self, tokenizer) -> None:
        ids, lengths = tokenizer.split(["a" * 100, "a" * 101])
        assert lengths[0] > 0 == lengths[1]
        assert len(ids) == lengths[0]

    @pytest.mark.parametrize(
        "changes",
        [
            {"normalizer": None},
            {"pre_tokenizer": {"type": "Whitespace"}},
            {"added_tokens": [{"id": 2003, "content": "is", "special": False, "single_word": False,
                               "lstrip": False, "rstrip": False, "normalized": False}]},
        ],
        ids=["another normaliser", "another pre-tokeniser", "an added token within words"],
    )  # fmt: skip
    def test_other_tokenizers_are_left_to_the_library(self, changes) -> None:
        other = WordTokenizer(tokenizer_json(**changes))
        assert other._pieces is None
        words = ["this", "isolated", "zzyzx"]
        assert other.split(words)[0].tolist() == other._by_library(words)[0]
