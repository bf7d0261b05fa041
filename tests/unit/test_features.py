"""Evidence on a pair: every column against values worked out by hand."""

from math import log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin import _parallel
from pearljoin._features.pair_features import PairBlock, Similarities
from pearljoin._features.registry import REGISTRY, RivalMargin
from pearljoin._features.text_profiles import Texts, text_profiles
from pearljoin._features.token_alignment import align
from pearljoin._search import tfidf
from pearljoin._text.normalise import normalise
from pearljoin._text.term_weights import TermWeights
from pearljoin._text.tokens import LONGEST

NAMES = REGISTRY.names
ROW_LEADS = [
    feature.name for feature in REGISTRY.features if isinstance(feature.compute, RivalMargin)
]
"""Margins over the rivals of left records."""


def features(
    left: list[str],
    right: list[str],
    rows: list[int],
    columns: list[int],
    cosine=0.5,
    centred=0.5,
    ngrams=0.5,
    words=0.5,
    known=True,
    brackets=("", ""),
    sibling=0.4,
    n_before_comma=(0, 0),
    reference=None,
) -> dict[str, np.ndarray]:
    """Features by name; a record is a text here, and a number stands for every pair."""
    numbers = (
        np.array(np.broadcast_to(v, len(rows)), dtype=np.float32)
        for v in (cosine, centred, ngrams, words, sibling)
    )
    mask = np.array(np.broadcast_to(known, len(rows)), dtype=bool)
    places = np.array(rows, dtype=np.int64), np.array(columns, dtype=np.int64)
    *first, sibling_cosines = numbers
    alike = Similarities(*first, mask, sibling_cosines)
    sides = (
        as_texts(texts, inside, n_before)
        for texts, inside, n_before in zip((left, right), brackets, n_before_comma, strict=True)
    )
    weights = EVEN if reference is None else TermWeights.of(tfidf.count(reference))
    facts = text_profiles(*sides, weights)
    tokens = align(*facts, *places)
    table = REGISTRY.compute(PairBlock(*facts, alike, *places, *tokens), places[0])
    assert table.dtype == np.float32
    assert table.shape == (len(rows), len(NAMES))
    return dict(zip(NAMES, table.T, strict=True))


class Even(TermWeights):
    """Every word weighs 2, except that "common" weighs 1."""

    def of_words(self, words: list[str]) -> np.ndarray:
        return np.array([1 if word == "common" else 2 for word in words], dtype=np.float32)

    @property
    def heaviest(self) -> float:
        return 2.0


EVEN = Even(np.zeros(0, np.int64), np.zeros(0, np.float32), 0)


def as_texts(texts: list[str], inside: str, n_before: int) -> Texts:
    """Texts that end with the same words in brackets, and begin with as many before a comma."""
    bare = [text.removesuffix(inside).strip() for text in texts]
    return Texts(texts, bare, [inside] * len(texts), [n_before] * len(texts))


def of_pair(left: str, right: str, **options) -> dict[str, float]:
    found = features([left], [right], [0], [0], **options)
    return {name: float(column[0]) for name, column in found.items()}


def test_similarities_are_passed_through() -> None:
    found = features(
        ["a", "b"], ["c"], [0, 1], [0, 0],
        cosine=[-0.25, 0.5], centred=[0.75, -0.5], ngrams=[0.1, 0.2], words=[0.3, 0.4],
        known=[True, False],
    )  # fmt: skip
    assert found["cosine"].tolist() == [-0.25, 0.5]
    assert found["centred"].tolist() == [0.75, -0.5]
    assert found["vector_known"].tolist() == [1, 0]
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
    found = of_pair("blue common", "common")
    assert found["left_covered"] == pytest.approx(1 / (1 + 2**2))
    assert found["right_covered"] == pytest.approx(1)
    strangers = of_pair("blue", "note")
    assert strangers["left_covered"] == strangers["right_covered"] == 0


def test_a_repeated_word_covers_no_more() -> None:
    assert of_pair("note note", "note")["left_covered"] == pytest.approx(1)
    twice, once = of_pair("blue note note", "note"), of_pair("blue note", "note")
    assert twice["left_covered"] == pytest.approx(once["left_covered"])


# Words ------------------------------------------------------------------------------------------

ONCE = TWICE = 2.0
"""Weight of a word of a pair of texts, whether one of them has it or both do."""


def test_another_spelling_covers_as_far_as_it_is_alike() -> None:
    # One slip, letters changed about, among six letters.
    found, alike = of_pair("martha king", "marhta king"), 1 - 3 * 1 / 6
    share = (TWICE**2 + ONCE**2 * alike) / (TWICE**2 + ONCE**2)
    assert found["left_spelled"] == pytest.approx(share)
    assert found["right_spelled"] == pytest.approx(share)
    assert found["left_covered"] == pytest.approx(TWICE**2 / (TWICE**2 + ONCE**2))
    assert found["left_lacks"] == found["right_lacks"] == pytest.approx(1 - alike, abs=1e-6)


@pytest.mark.parametrize(
    ("left", "right"),
    [("kitten king", "sitting king"), ("andi people", "gbandi people"), ("seattle", "settlers")],
)
def test_words_too_different_are_no_spellings_of_one(left: str, right: str) -> None:
    found = of_pair(left, right)
    assert found["left_spelled"] == pytest.approx(found["left_covered"])


def test_numbers_are_no_spellings_of_each_other() -> None:
    found = of_pair("model 12345", "model 12346")
    assert found["left_spelled"] == pytest.approx(TWICE**2 / (TWICE**2 + ONCE**2))


def test_what_a_side_lacks_is_its_heaviest_word_that_the_other_does_not_say() -> None:
    found = of_pair("blue note records", "note records")
    assert found["left_lacks"] == pytest.approx(1)  # "blue", as rare as any.
    assert found["right_lacks"] == found["both_lack"] == pytest.approx(0, abs=1e-6)
    conflict = of_pair("blue note", "green note")
    assert conflict["left_lacks"] == conflict["right_lacks"] == conflict["both_lack"] == 1
    # The heaviest word that is lacking counts.
    assert of_pair("x", "blue common")["right_lacks"] == pytest.approx(1)
    assert of_pair("blue", "blue common")["right_lacks"] == pytest.approx(1 / 2)


@pytest.mark.parametrize(
    ("left", "right", "wanted", "other"),
    [
        ("j smith", "john smith", 1, TWICE**2 / (TWICE**2 + ONCE**2)),
        ("univ oslo", "university oslo", 1, TWICE**2 / (TWICE**2 + ONCE**2)),
        ("same words", "same words", 1, 1),
        ("ohn", "john", 0, 0),
        ("3", "31", 0, 0),  # A number does not begin another.
    ],
)
def test_words_that_begin_the_others(left: str, right: str, wanted: float, other: float) -> None:
    found = of_pair(left, right)
    assert found["left_begun"] == pytest.approx(wanted)
    assert found["right_begun"] == pytest.approx(other)


@pytest.mark.parametrize(
    ("left", "right", "share"),
    [
        ("ibm", "international business machines", 1),
        ("ibm research", "international business machines", 1 / 2),
        ("uc", "the university of california", 1),
        ("bm", "international business machines", 1),
        ("i", "international business machines", 0),
        ("mbi", "international business machines", 0),
    ],
)
def test_words_that_are_initials_of_the_others(left: str, right: str, share: float) -> None:
    assert of_pair(left, right)["left_acronyms"] == pytest.approx(share)
    assert of_pair(right, left)["right_acronyms"] == pytest.approx(share)
    assert of_pair(left, right)["right_acronyms"] == 0


@pytest.mark.parametrize(
    ("left", "right", "agree", "conflict", "core"),
    [
        ("acme inc", "acme incorporated", 1, 0, 1),
        ("acme gmbh", "acme ltd", 0, 1, 1),
        ("acme gmbh", "acme", 0, 0, 1),
        ("acme", "acme", 0, 0, 1),
        ("acme co ltd", "acme ltd", 1, 0, 1),
        ("bank of oslo", "the oslo bank", 0, 0, 1),
        ("acme inc", "apex inc", 1, 0, 0),
        ("inc", "ltd", 0, 1, 0),  # Nothing is left to be equal.
    ],
)
def test_legal_forms(left: str, right: str, agree: int, conflict: int, core: int) -> None:
    found = of_pair(left, right)
    assert found["legal_agree"] == agree
    assert found["legal_conflict"] == conflict
    assert found["core_equal"] == core


def test_first_and_last_words() -> None:
    assert of_pair("a b c", "a c d")["first_word"] == 1
    assert of_pair("a b c", "a c d")["last_word"] == 0
    assert of_pair("a b c", "d c")["first_word"] == 0
    assert of_pair("a b c", "d c")["last_word"] == 1
    assert of_pair("a", "a")["first_word"] == of_pair("a", "a")["last_word"] == 1


# Numbers ----------------------------------------------------------------------------------------

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
        ("xxiv", "24", AGREE),
        ("xxv", "25", MISSING),  # Roman numerals are read up to twenty-four.
        ("seven samurai", "7 samurai", AGREE),
        ("season 2008 09", "season 2008 2009", AGREE),
        ("1999 00", "1999 2000", AGREE),
        ("2008 10", "2008 2010", CONFLICT),  # No span of two years.
        ("first bank", "1 bank", AGREE),
        ("first bank", "1st bank", AGREE),
        ("ninth", "ix", AGREE),
        ("second", "third", CONFLICT),
        ("2019 2020", "2020 2019", AGREE),
        ("2019 2020", "2020", MISSING),
        ("2019 2020", "2020 2021", CONFLICT),
        ("7 7", "7", AGREE),
        ("1 1 dichloroethane", "1 2 dichloroethane", CONFLICT),
        ("1 1 2", "1 2 2", CONFLICT),
        ("1 1 1", "1 1 2", CONFLICT),
        ("1 1 1 2", "1 1 2 2", CONFLICT),
        ("1 n 1st st", "12 n 1st st", CONFLICT),
        ("1 n 1st st", "1 n 2nd st", CONFLICT),
        ("1 n 1st st", "1 n 1st street", AGREE),
        ("7 7 5", "7 611960", CONFLICT),  # 7 again has the column of 611960 among repeats.
        ("rocky 2 rocky ii", "rocky 2 1979", MISSING),
        ("1990 film 1990", "1990 film 2", MISSING),
        ("2008 09 season 2008", "2008 09 season 3", MISSING),
        ("apartment 5 5 main st 90210", "5 main st apt 5", MISSING),
        ("1990 film 1990", "1990 film", AGREE),
        ("007", "7", AGREE),
        ("route 66a", "route 66", AGREE),
        ("route 66b", "route 66", CONFLICT),
        ("12b elm road", "12 elm road", CONFLICT),
        ("12a elm road", "12 elm road", CONFLICT),
        ("12b elm road", "12 b elm road", MISSING),
        ("fuse 8a", "fuse 8 amp", AGREE),
        ("cola 1.5 l", "cola 1 l", CONFLICT),
        ("golf 1.4 l tsi", "golf 1.4 tsi", MISSING),
        ("p hansen@globex dk", "p jansen@globex dk", CONFLICT),
        ("ann hansen@globex dk", "hansen@globex dk", MISSING),
        ("ann hansen@globex dk", "ann hansen@globex dk", AGREE),
        ("ann hansen@globex dk", "bo hansen@globex dk", CONFLICT),
        ("ann hansen", "ann hansen@globex dk", MISSING),
        ("ann hansen a hansen@globex dk aarhus", "ann hansen h@globex dk aarhus", NONE),
        ("2d battalion", "2nd battalion", AGREE),
        ("1 church lane york yo1 7hh", "11 church lane york yo1 7hh", CONFLICT),
        ("floor 3 room 4", "floor 4 room 3", CONFLICT),
        ("floor 3 room 4", "room 4 floor 3", AGREE),
        ("floor 4 room 4", "floor 3 room 4", CONFLICT),
        ("season 2008", "season 2007 2008", MISSING),
        ("concert june 5", "concert 5 june 2005", MISSING),
        ("rice 5 kg pack 2", "rice 2 pack 5 kg", AGREE),
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


def test_a_word_in_two_is_said() -> None:
    found = of_pair("christian union", "christianunion netherlands", brackets=("", "netherlands"))
    assert found["bare_equal"] == found["left_spelled"] == 1
    assert found["left_covered"] == found["left_lacks"] == 0
    assert found["right_spelled"] == pytest.approx(0.5)
    assert of_pair("pc world", "pc worlds")["bare_equal"] == 0
    # A space between digits parts two numbers.
    assert of_pair("season 1 1", "season 11")["bare_equal"] == 0
    assert of_pair("season 1 b", "season 1b")["bare_equal"] == 1


def test_lengths_and_words_are_logarithms() -> None:
    found = of_pair("abcd", "a cdefgh")
    assert found["length_ratio"] == pytest.approx(log(4 / 8))
    assert found["left_words"] == 0
    assert found["right_words"] == pytest.approx(log(2))
    empty = of_pair("", "abc")
    assert empty["length_ratio"] == pytest.approx(log(1 / 3))
    assert empty["left_words"] == 0


# Rivals -----------------------------------------------------------------------------------------

RIVALS = {
    "left": ["a", "b"],
    "right": ["c", "d"],
    "rows": [0, 0, 1],
    "columns": [0, 1, 0],
    "cosine": [0.9, 0.5, 0.7],
    "centred": [0.8, 0.1, 0.5],
    "ngrams": [0.8, 0.4, 0.6],
    "words": [0.4, 0.2, 0.2],  # The mean of the two is 0.6, 0.3, 0.4.
}


def test_leads_are_over_the_best_other_one() -> None:
    found = features(**RIVALS)
    # The last pair is alone in its row: it is compared with what a rival usually reaches.
    assert found["cosine_lead"] == pytest.approx([0.4, -0.4, 0.7 - 0.4])
    assert found["spelling_lead"] == pytest.approx([0.3, -0.3, 0.4 - 0.15])
    assert found["centred_lead"] == pytest.approx([0.7, -0.7, 0.5 - 0.3])


def test_without_a_vector_spelling_stands_for_meaning() -> None:
    found = features(**RIVALS, known=[False, True, True])
    assert found["cosine_lead"] == pytest.approx([0.4, -0.4, 0.7 - 0.4])
    # Centred, the first pair counts as its spelling, 0.6.
    assert found["centred_lead"] == pytest.approx([0.5, -0.5, 0.5 - 0.3])


def test_a_negative_cosine_counts_as_it_is() -> None:
    found = features(**{**RIVALS, "cosine": [0.9, -0.5, 0.7]})
    assert found["cosine_lead"] == pytest.approx([1.4, -1.4, 0.7 - 0.4])


def test_a_row_is_described_as_it_is_by_itself() -> None:
    whole = features(**RIVALS)
    names = ("cosine", "centred", "ngrams", "words")
    alone = features(["b"], ["c", "d"], [0], [0], **{name: RIVALS[name][2:] for name in names})
    for name in NAMES:
        assert alone[name].tolist() == whole[name][2:].tolist(), name


def test_a_pair_is_compared_with_its_nearest_sibling() -> None:
    found = of_pair("a", "b", cosine=0.9, sibling=0.95)
    assert found["sibling_cosine"] == pytest.approx(0.95)
    assert found["sibling_lead"] == pytest.approx(-0.05, abs=1e-6)


def test_a_lone_pair_is_compared_with_a_usual_rival() -> None:
    found = features(["a"], ["b"], [0], [0], cosine=0.9, ngrams=0.8, words=0.4)
    assert found["cosine_lead"] == pytest.approx([0.9 - 0.4])
    assert found["spelling_lead"] == pytest.approx([0.6 - 0.15])


def test_without_a_rival_a_pair_is_described_as_if_it_had_never_been_there() -> None:
    rng = np.random.default_rng(0)
    left = ["new york 2", "york city", "oslo"]
    right = ["york 3", "new york city 2", "lima 2", "oslo"]
    rows, columns = [0, 0, 0, 1, 1, 2, 2], [0, 1, 2, 0, 1, 2, 3]
    numbers = rng.random((4, 7))
    known = np.array([True, False, True, True, True, True, False])
    whole = features(left, right, rows, columns, *numbers, known=known)
    kept = np.array([0, 2, 4, 5, 6])
    wanted = features(
        left, right, [rows[at] for at in kept], [columns[at] for at in kept],
        *numbers[:, kept], known=known[kept],
    )  # fmt: skip
    table = np.stack(list(whole.values()), axis=1)[kept]
    found = dict(zip(NAMES, REGISTRY.without_rivals(table, np.array(rows)[kept]).T, strict=True))
    for name in ROW_LEADS:
        assert found[name] == pytest.approx(wanted[name], abs=1e-6)
    for name in ROW_LEADS:
        assert not np.allclose(found[name], whole[name][kept]), name
    # Everything else is as it was.
    for name in set(NAMES) - set(ROW_LEADS):
        assert np.array_equal(found[name], whole[name][kept])


def test_the_lead_by_spelled_words() -> None:
    found = features(["blue note"], ["blue note", "blue"], [0, 0], [0, 1])
    lead = 1 - sqrt(1 / 2)
    assert found["words_lead"] == pytest.approx([lead, -lead])


def test_leads_by_what_each_side_says_of_the_other() -> None:
    left = ["pacific nations cup", "pacific cup"]
    right = ["pacific cup", "irb pacific nations cup"]
    found = features(left, right, [0, 0, 1, 1], [0, 1, 0, 1])
    for name in ("left_spelled", "right_spelled"):
        share = found[name]
        assert found[f"{name}_lead"] == pytest.approx(
            [share[0] - share[1], share[1] - share[0], share[2] - share[3], share[3] - share[2]]
        )
    # The whole of the first left text is said by the second right one alone.
    assert found["left_spelled"].tolist() == [pytest.approx(found["left_spelled"][0]), 1, 1, 1]
    assert found["left_spelled_lead"][1] > 0.2
    # What it lacks of the first right one is a lead for the other, which lacks nothing.
    assert found["left_lacks_lead"] == pytest.approx(
        found["left_lacks"][0] * np.array([-1, 1, 0, 0])
    )
    assert found["right_lacks_lead"][:2] == pytest.approx(
        found["right_lacks"][1] * np.array([1, -1])
    )


def test_leads_by_numbers() -> None:
    left, right = ["season 12", "season 13"], ["season 12", "season 13", "season"]
    found = features(left, right, [0, 0, 0, 1, 1], [0, 1, 2, 1, 2])
    # They agree, conflict, and are missing.
    assert found["numbers_lead"].tolist() == [1, -2, -1, 1, -1]


def test_a_lone_pair_lacks_as_much_as_a_usual_rival() -> None:
    found = of_pair("season 12", "season 13")
    for side in ("left", "right"):
        assert found[f"{side}_lacks_lead"] == pytest.approx(0.5 - found[f"{side}_lacks"])
        assert found[f"{side}_spelled_lead"] == pytest.approx(found[f"{side}_spelled"] - 0.3)
    assert found["numbers_lead"] == -1


def test_pairs_described_in_parts_are_described_the_same(monkeypatch) -> None:
    left = ["bank of america (us)", "b of a", "season 12", "café", "a b c"]
    right = ["bnk of america", "boa (us)", "season 13", "cafe", "alpha beta co"]
    rows, columns = [n // 5 for n in range(25)], [n % 5 for n in range(25)]
    brackets = "(us)", "(us)"
    whole = features(left, right, rows, columns, brackets=brackets)
    monkeypatch.setattr(_parallel, "PART", 4)
    parts = features(left, right, rows, columns, brackets=brackets)
    for name in NAMES:
        assert parts[name].tolist() == whole[name].tolist(), name
    assert sum(len(set(column.tolist())) > 1 for column in whole.values()) > 25


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
    "right_covered", "left_spelled", "right_spelled", "left_lacks", "right_lacks", "both_lack",
    "left_begun", "right_begun", "left_acronyms", "right_acronyms", "acronym", "numbers_agree",
    "numbers_conflict", "numbers_missing", "legal_agree", "legal_conflict", "core_equal",
    "compact_equal", "first_word", "last_word",
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


@pytest.mark.parametrize(
    ("left", "right", "inside", "agree", "conflict", "missing"),
    [
        ("hello adele", "hello richie", ("adele", "richie"), 0, 1, 0),
        ("hello adele", "hello adele", ("adele", "adele"), 1, 0, 0),
        ("line cta", "line chicago transit authority",
         ("cta", "chicago transit authority"), 0.5, 0.5, 0),
        ("hello richie", "hello ritchie", ("richie", "ritchie"), 1 - 3 / 7, 3 / 7, 0),
        ("rocky i", "rocky ii", ("i", "ii"), 0, 1, 0),
        ("class a", "class ab", ("a", "ab"), 0, 1, 0),
        ("town ma", "town massachusetts", ("ma", "massachusetts"), 0.5, 0.5, 0),
        ("hello adele", "hello", ("adele", ""), 0, 0, 1),
        ("hello", "hello adele", ("", "adele"), 0, 0, 1),
        ("hello adele", "hello richie", ("", ""), 0, 0, 0),
    ],
)  # fmt: skip
def test_brackets(
    left: str, right: str, inside: tuple[str, str], agree: float, conflict: float, missing: float
) -> None:
    found = of_pair(left, right, brackets=inside)
    said = [found[f"brackets_{name}"] for name in ("agree", "conflict", "missing")]
    assert said == pytest.approx([agree, conflict, missing])


def test_names_are_compared_without_brackets() -> None:
    found = of_pair("john lewis politician", "lewis john", brackets=("politician", ""))
    assert found["bare_equal"] == 0, "in another order"
    assert found["bare_token_sort"] == 1
    assert found["token_sort"] < 1
    assert of_pair("hello adele", "hello richie", brackets=("adele", "richie"))["bare_equal"] == 1
    same = of_pair("john lewis", "lewis jon")
    assert same["bare_token_sort"] == same["token_sort"], "as the whole where there are none"
