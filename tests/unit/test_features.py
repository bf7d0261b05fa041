"""Evidence on a pair: every column against values worked out by hand."""

from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from pearljoin import _lexical
from pearljoin._features import (
    LONGEST,
    NAMES,
    TextFacts,
    lead,
    pair_features,
    text_facts,
    usual_rival,
)
from pearljoin._text import normalise


def count(texts: list[str], vocabulary: dict[str, int]) -> csr_matrix:
    """What `_lexical.count` gives, without n-grams and of the fewest columns that do."""
    counts = np.zeros((len(texts), 2 * len(vocabulary)), dtype=np.float32)
    for row, text in enumerate(texts):
        for word in text.split():
            counts[row, len(vocabulary) + vocabulary[word]] += 1
    return csr_matrix(counts)


def facts_of(left: list[str], right: list[str]) -> tuple[TextFacts, TextFacts]:
    words = dict.fromkeys(" ".join([*left, *right, "another"]).split())
    vocabulary = {word: at for at, word in enumerate(words)}
    counts = count(left, vocabulary), count(right, vocabulary)
    idf = _lexical.inverse_document_frequency(*counts)
    return text_facts(left, counts[0], idf), text_facts(right, counts[1], idf)


def features(
    left: list[str],
    right: list[str],
    rows: list[int],
    columns: list[int],
    cosine=0.5,
    ngrams=0.5,
    words=0.5,
    known=True,
) -> dict[str, np.ndarray]:
    """Features by name; a record is a text here, and a number stands for every pair."""
    given_numbers = [np.broadcast_to(np.float32(v), len(rows)) for v in (cosine, ngrams, words)]
    places = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)
    mask = np.broadcast_to(np.asarray(known, dtype=bool), len(rows))
    table = pair_features(*facts_of(left, right), *given_numbers, mask, *places, *places)
    assert table.dtype == np.float32
    assert table.shape == (len(rows), len(NAMES))
    return dict(zip(NAMES, table.T, strict=True))


def of_pair(left: str, right: str) -> dict[str, float]:
    return {name: float(column[0]) for name, column in features([left], [right], [0], [0]).items()}


def test_similarities_are_passed_through() -> None:
    found = features(
        ["a", "b"], ["c"], [0, 1], [0, 0], cosine=[-0.25, 0.5], ngrams=[0.1, 0.2], words=[0.3, 0.4]
    )
    assert found["cosine"].tolist() == [-0.25, 0.5]
    assert found["ngrams"] == pytest.approx([0.1, 0.2])
    assert found["words"] == pytest.approx([0.3, 0.4])


@pytest.mark.parametrize(
    ("name", "left", "right", "wanted"),
    [
        # m = 6 letters in common, t = 1 transposition, then 3 letters of common start.
        ("jaro_winkler", "martha", "marhta", 17 / 18 + 3 * 0.1 * (1 - 17 / 18)),
        # Longest common subsequence "ittn": 2 * 4 / (6 + 7).
        ("ratio", "kitten", "sitting", 8 / 13),
        ("token_sort", "york new", "new york", 1.0),
        # Sorted "ab cd" and "ab cd ef": 2 * 5 / (5 + 8).
        ("token_sort", "cd ab", "ef cd ab", 10 / 13),
        ("token_set", "cd ab", "ef cd ab", 1.0),
        ("token_set", "ab", "cd", 0.0),
        # The best window, "york", has three letters in common: 2 * 3 / (4 + 4).
        ("partial", "yorx", "new york", 6 / 8),
        ("ratio", "same", "same", 1.0),
        ("jaro_winkler", "abc", "xyz", 0.0),
    ],
)
def test_string_measures_lie_between_0_and_1(name, left, right, wanted: float) -> None:
    assert of_pair(left, right)[name] == pytest.approx(wanted, abs=1e-6)


def test_string_measures_look_at_the_start_of_a_long_text() -> None:
    start = "x" * LONGEST
    assert of_pair(start + "abc", start + "def")["ratio"] == 1
    assert of_pair(start[1:] + "a", start)["ratio"] == pytest.approx(1 - 1 / LONGEST)


def test_covered_shares_weigh_words_by_rarity() -> None:
    found = of_pair("blue note", "note")
    # Of two texts both hold "note" (idf 1) and one "blue" (idf ln(3/2) + 1).
    assert found["left_covered"] == pytest.approx(1 / (1 + (log(3 / 2) + 1) ** 2))
    assert found["right_covered"] == pytest.approx(1)
    strangers = of_pair("blue", "note")
    assert strangers["left_covered"] == strangers["right_covered"] == 0


def test_a_repeated_word_covers_no_more() -> None:
    assert of_pair("note note", "note")["left_covered"] == pytest.approx(1)
    twice, once = of_pair("blue note note", "note"), of_pair("blue note", "note")
    assert twice["left_covered"] == pytest.approx(once["left_covered"])


AGREE, CONFLICT, MISSING, NONE = (1, 0, 0), (0, 1, 0), (0, 0, 1), (0, 0, 0)


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ("henry", "henry", NONE),
        ("henry 8", "henry 8", AGREE),
        ("henry 8", "henry 7", CONFLICT),
        ("henry 8", "henry", MISSING),
        ("henry", "henry 8", MISSING),
        ("henry viii", "henry 8", AGREE),
        ("henry viii", "henry vii", CONFLICT),
        ("xv", "15", AGREE),
        ("xvi", "16", MISSING),  # Roman numerals are read up to fifteen.
        ("first bank", "1 bank", AGREE),
        ("first bank", "1st bank", AGREE),
        ("ninth", "ix", AGREE),
        ("second", "third", CONFLICT),
        ("2019 2020", "2020 2019", AGREE),
        ("2019 2020", "2020", MISSING),
        ("2019 2020", "2020 2021", CONFLICT),
        ("7 7", "7", AGREE),
        ("007", "7", AGREE),
        ("route 66a", "route 66", AGREE),
        ("٣ dogs", "3 dogs", AGREE),
        ("9" * 400, "9" * 400, AGREE),
        ("viking", "6", MISSING),  # A numeral is a word of its own.
    ],
)
def test_numbers(left: str, right: str, wanted: tuple[int, int, int]) -> None:
    found = of_pair(left, right)
    names = ("numbers_agree", "numbers_conflict", "numbers_missing")
    assert tuple(int(found[name]) for name in names) == wanted


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [
        ("ibm", "international business machines", 1),
        ("international business machines", "ibm", 1),
        ("i b m", "international business machines", 1),
        ("uoc", "university of california", 1),
        ("uc", "university of california", 1),
        ("ib", "international business machines", 0),
        ("ibx", "international business machines", 0),
        ("x", "xylophone", 0),
        ("h", "the house", 0),  # One word is left without the small one: no initials.
        ("", "", 0),
        ("", "the of", 0),
        ("a b", "alpha beta", 1),
    ],
)
def test_acronym(left: str, right: str, wanted: int) -> None:
    assert of_pair(left, right)["acronym"] == wanted


@pytest.mark.parametrize(
    ("left", "right", "wanted"),
    [("data base", "database", 1), ("data base", "data bases", 0), ("ab", "ba", 0), ("", "", 1)],
)
def test_compact_equal(left: str, right: str, wanted: int) -> None:
    assert of_pair(left, right)["compact_equal"] == wanted


def test_lengths_and_words_are_logarithms() -> None:
    found = of_pair("abcd", "a cdefgh")
    assert found["length_ratio"] == pytest.approx(log(4 / 8))
    assert found["left_words"] == 0
    assert found["right_words"] == pytest.approx(log(2))
    empty = of_pair("", "abc")
    assert empty["length_ratio"] == pytest.approx(log(1 / 3))
    assert empty["left_words"] == 0


def test_vector_known_and_table_size() -> None:
    found = features(["a"], ["b", "c", "d"], [0, 0, 0], [0, 1, 2], known=[True, False, True])
    assert found["vector_known"].tolist() == [1, 0, 1]
    assert found["table_size"] == pytest.approx([log(3) / log(10)] * 3)


# Rivals -----------------------------------------------------------------------------------------

RIVALS = {
    "left": ["a", "b"],
    "right": ["c", "d"],
    "rows": [0, 0, 1],
    "columns": [0, 1, 0],
    "cosine": [0.9, 0.5, 0.7],
    "ngrams": [0.8, 0.4, 0.6],
    "words": [0.4, 0.2, 0.2],  # The mean of the two is 0.6, 0.3, 0.4.
}


def test_leads_are_over_the_best_other_one() -> None:
    found = features(**RIVALS)
    # The last pair is alone in its row: it is compared with the other row's second best.
    assert found["cosine_lead"] == pytest.approx([0.4, -0.4, 0.7 - 0.5])
    assert found["spelling_lead"] == pytest.approx([0.3, -0.3, 0.4 - 0.3])
    # Mean of meaning and spelling: 0.75, 0.4, 0.55; the first and the last share a column.
    assert found["column_lead"] == pytest.approx([0.2, 0.4 - 0.4, -0.2], abs=1e-6)
    assert found["table_rival"] == pytest.approx([0.4] * 3)


def test_without_a_vector_spelling_stands_for_meaning() -> None:
    found = features(**RIVALS, known=[False, True, True])
    # Now 0.6, 0.4, 0.55.
    assert found["column_lead"] == pytest.approx([0.05, 0.4 - 0.4, -0.05], abs=1e-6)
    assert found["table_rival"] == pytest.approx([0.4] * 3)
    assert found["cosine_lead"] == pytest.approx([0.4, -0.4, 0.7 - 0.5])


def test_a_negative_cosine_means_nothing() -> None:
    found = features(**{**RIVALS, "cosine": [0.9, -0.5, 0.7]})
    # Meaning 0 and spelling 0.3 are 0.15, less than a rival's usual (0.4 + 0.15) / 2.
    assert found["column_lead"] == pytest.approx([0.2, 0.15 - 0.275, -0.2])
    assert found["table_rival"] == pytest.approx([0.275] * 3)
    # A cosine counts as it is, and a rival's is 0.4 at least.
    assert found["cosine_lead"] == pytest.approx([1.4, -1.4, 0.7 - 0.4])


def test_a_lone_pair_is_compared_with_a_usual_rival() -> None:
    found = features(["a"], ["b"], [0], [0], cosine=0.9, ngrams=0.8, words=0.4)
    assert found["cosine_lead"] == pytest.approx([0.9 - 0.4])
    assert found["spelling_lead"] == pytest.approx([0.6 - 0.15])
    assert found["column_lead"] == pytest.approx([0.75 - 0.275])
    assert found["table_rival"] == pytest.approx([0.275])


def test_the_tables_rival_is_the_median_of_second_bests() -> None:
    values = np.array([0.9, 0.5, 0.8, 0.7, 0.1, 0.6, 0.6, 0.99], dtype=np.float32)
    rows = np.array([0, 0, 1, 1, 1, 2, 2, 3])
    assert usual_rival(values, rows, 0.1) == pytest.approx(0.6)  # Of 0.5, 0.7 and 0.6.
    assert usual_rival(values, rows, 0.65) == 0.65
    assert usual_rival(values, np.arange(8), 0.3) == 0.3


def test_lead_of_ties_is_nothing() -> None:
    values = np.array([0.5, 0.5, 0.2, 0.3], dtype=np.float32)
    found = lead(values, np.array([3, 3, 3, 1]), 0.25)
    assert found == pytest.approx([0, 0, -0.3, 0.05], abs=1e-6)


def test_the_order_of_pairs_changes_nothing() -> None:
    plain = features(**RIVALS)
    turned = features(
        **{k: v[::-1] if k not in ("left", "right") else v for k, v in RIVALS.items()}
    )
    for name in NAMES:
        assert turned[name][::-1].tolist() == plain[name].tolist(), name


# Any input --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("left", "right"), [([], []), ([], ["a"]), (["a"], []), (["a"], ["b"])])
def test_no_pairs_have_no_rows(left: list[str], right: list[str]) -> None:
    found = features(left, right, [], [])
    assert {len(column) for column in found.values()} == {0}


ODD = st.text(st.characters(exclude_categories=()), max_size=12) | st.sampled_from(
    ["", " ", "0", "٣", "²", "Ⅷ", "\x00", "\ud800", "i", "the of", "9" * 5000, "-1.5", "🎉", "ß"]
)
TEXTS = st.lists(ODD.map(normalise), min_size=1, max_size=4)
PLAIN = {
    "jaro_winkler", "ratio", "token_sort", "token_set", "partial", "left_covered",
    "right_covered", "numbers_agree", "numbers_conflict", "numbers_missing", "acronym",
    "compact_equal",
}  # fmt: skip


@settings(derandomize=True, deadline=None, max_examples=30)
@given(TEXTS, TEXTS, st.booleans())
def test_odd_texts_have_finite_features(left, right, known: bool) -> None:
    rows, columns = np.indices((len(left), len(right))).reshape(2, -1).tolist()
    found = features(left, right, rows, columns, known=known)
    for name, column in found.items():
        assert np.isfinite(column).all(), name
        if name in PLAIN:
            assert (column >= 0).all(), name
            assert (column <= 1 + 1e-6).all(), name
    told = found["numbers_agree"] + found["numbers_conflict"] + found["numbers_missing"]
    assert (told <= 1).all()


@settings(derandomize=True, deadline=None, max_examples=20)
@given(ODD.map(normalise))
def test_a_text_agrees_with_itself(text: str) -> None:
    found = of_pair(text, text)
    assert found["compact_equal"] == 1
    assert found["length_ratio"] == 0
    assert found["numbers_conflict"] == found["numbers_missing"] == 0
    if text:
        assert found["jaro_winkler"] == found["ratio"] == 1
        assert found["left_covered"] == pytest.approx(1, abs=1e-5)
