"""Background knowledge of words, and term weights held to it: by hand and against counting."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pearljoin._search.tfidf import count, word_columns
from pearljoin._text.background import bundled_background
from pearljoin._text.term_weights import BACKGROUND_TEXTS, FEW_COLUMNS, TermWeights

N_COLUMNS = 2 << 20
WORDS = ["gmbh", "bank", "of", "zzqq", "xxyy", "oslo", "acme"]
TEXTS = st.lists(st.lists(st.sampled_from(WORDS), max_size=4).map(" ".join), max_size=8)


# Background -------------------------------------------------------------------------------------


def test_the_background_is_of_the_columns_that_texts_have() -> None:
    background = bundled_background()
    columns = np.arange(N_COLUMNS)
    shares, unmatched = background.shares(columns), background.unmatched(columns[N_COLUMNS // 2 :])
    assert (shares.shape, unmatched.shape) == ((N_COLUMNS,), (N_COLUMNS // 2,))
    assert shares.dtype == unmatched.dtype == np.float32
    assert ((shares >= 0) & (shares <= 1)).all()
    known = unmatched[~np.isnan(unmatched)]
    assert 0 < len(known) < len(unmatched)
    assert ((known >= 0) & (known <= 1)).all()
    with np.errstate(divide="ignore"):
        weights = np.minimum(1 - np.log(shares), np.float32(7))
    np.testing.assert_array_equal(background.weights(np.float32(7)), weights)
    assert bundled_background() is background


def test_common_words_are_known_to_be_common_and_dispensable() -> None:
    columns = word_columns(["gmbh", "oslo", "of", "zzqq"])
    gmbh, oslo, of, unknown = bundled_background().shares(columns)
    assert unknown == 0 < oslo < of
    assert gmbh > 0
    unmatched = bundled_background().unmatched(columns)
    assert np.isnan(unmatched[3])
    assert unmatched[0] > unmatched[1]


def test_equivalents_go_both_ways_and_are_never_equal() -> None:
    equivalents = bundled_background().equivalents
    assert equivalents["robert"]["bob"] == equivalents["bob"]["robert"] > 0
    for word, others in equivalents.items():
        assert word not in others
        for other, strength in others.items():
            assert 0 < strength < 1
            assert equivalents[other][word] == strength


# Term weights -----------------------------------------------------------------------------------


@settings(derandomize=True, deadline=None, max_examples=40)
@given(TEXTS)
def test_weights_are_as_by_counting_texts(texts: list[str]) -> None:
    weights = TermWeights.of(count(texts))
    assert weights.n_texts == len(texts)
    shares = bundled_background().shares(word_columns(WORDS)).astype(float)
    n_texts = len(texts) + BACKGROUND_TEXTS
    wanted = []
    for word, at_large in zip(WORDS, shares, strict=True):
        n_with = sum(word in text.split() for text in texts)
        share = (n_with + BACKGROUND_TEXTS * at_large) / n_texts if n_with else at_large
        wanted.append(1 - np.log(min(1, max(share, 1 / n_texts))))
    found = weights.of_words(WORDS)
    assert found.dtype == np.float32
    assert found == pytest.approx(np.array(wanted), rel=1e-4)
    assert (found <= weights.heaviest + 1e-5).all()
    assert weights.idf.min() >= 1


@settings(derandomize=True, deadline=None, max_examples=40)
@given(TEXTS)
def test_a_few_columns_have_the_weights_that_they_have_among_all(texts: list[str]) -> None:
    asked = np.append(word_columns([*WORDS, "lima"]), [0, 7, 7, N_COLUMNS - 1])
    few, all_of_them = (TermWeights.of(count(texts)) for _ in range(2))
    found = few[asked]
    assert "idf" not in vars(few)
    assert found.dtype == np.float32
    assert found.tolist() == all_of_them.idf[asked].tolist() == all_of_them[asked].tolist()
    many = few[np.arange(FEW_COLUMNS + 1)]
    assert many.tolist() == all_of_them.idf[: FEW_COLUMNS + 1].tolist()


def test_an_unseen_word_of_a_query_has_its_background_weight() -> None:
    weights = TermWeights.of(count(["acme", "bank oslo", "lima"]))
    common, unknown = weights.of_words(["of", "zzqq"])
    assert unknown == pytest.approx(weights.heaviest)
    share = float(bundled_background().shares(word_columns(["of"]))[0])
    assert common == pytest.approx(1 - np.log(share), rel=1e-4)
    assert common < unknown - 0.5
    # The larger the reference, the lighter are words that are fairly common at large.
    large = TermWeights.of(count([f"w{n}" for n in range(5000)]))
    ltd, unknown = large.of_words(["ltd", "zzqq"])
    assert ltd < unknown - 0.5


def test_what_all_texts_have_weighs_little_however_few_they_are() -> None:
    few, many = (TermWeights.of(count([f"zzqq w{n}" for n in range(m)])) for m in (2, 2000))
    assert many.of_words(["zzqq"])[0] == pytest.approx(1 - np.log(2000 / 2300), rel=1e-4)
    assert few.of_words(["zzqq"])[0] > 3


def test_no_texts_are_the_background() -> None:
    nothing = TermWeights.of(count([]))
    assert nothing.n_texts == 0
    assert nothing.of_words(["zzqq"])[0] == pytest.approx(nothing.heaviest)
    assert nothing.of_words([]).shape == (0,)
    share = float(bundled_background().shares(word_columns(["of"]))[0])
    assert nothing.of_words(["of"])[0] == pytest.approx(1 - np.log(share), rel=1e-4)
