"""Words that a reference has with and without: learned from its texts, and asked of pairs."""

from itertools import product

import numpy as np
import pytest

from pearljoin._scoring.alternatives import LOWERED
from pearljoin._scoring.qualifiers import NO_QUALIFIERS, Qualifiers, find_qualifiers

PARKS = ["blue bay park", "red creek lodge", "long ridge museum", "old harbor bridge", "deep lake"]
EAST = [f"{park} east" for park in PARKS]


def test_words_that_names_have_and_lack_are_found() -> None:
    texts = [*PARKS, *EAST, *(f"{park} big box" for park in PARKS)]
    assert find_qualifiers(texts).phrases == ("big box", "east")


@pytest.mark.parametrize(
    "texts",
    [
        [*PARKS, *EAST[:2]],  # twice is chance
        [*PARKS[:3], *EAST, *(f"{at} east" for at in "fghijklmnopq")],  # rarely without
        [*PARKS, *(f"{park} ltd" for park in PARKS)],
        [*PARKS, *(f"the {park}" for park in PARKS)],
        # A word alone is no name without itself.
        ["east", "west", "north", "south"],
        [],
    ],
)
def test_words_that_tell_nothing_are_not(texts) -> None:
    assert find_qualifiers(texts) == NO_QUALIFIERS


def test_a_reference_that_names_things_twice_tells_nothing() -> None:
    shirts = [f"shirt {colour} {size}" for colour, size in product(("red", "blue"), "smlx")]
    written = [*shirts[:5], *(text.replace("shirt", "shirt size") for text in shirts)]
    assert find_qualifiers(written).phrases == ("size",)
    assert find_qualifiers([*written, *written[:6]]) == NO_QUALIFIERS
    turned = [" ".join(text.split()[::-1]) for text in written[:6]]
    assert find_qualifiers([*written, *turned]) == NO_QUALIFIERS


def test_it_does_not_depend_on_the_order_of_texts() -> None:
    texts = [*PARKS, *EAST]
    assert find_qualifiers(texts[::-1]) == find_qualifiers(texts) != NO_QUALIFIERS


def test_texts_without_the_word_are_looked_for_among_all() -> None:
    texts = [*PARKS, *EAST]
    assert find_qualifiers(texts, EAST[:3]).phrases == ("east",)
    assert find_qualifiers(texts, EAST[:2]) == NO_QUALIFIERS


@pytest.mark.parametrize(
    ("one", "other", "differ"),
    [
        ("blue bay park", "blue bay park east", True),
        ("blue bay park east", "blue bay park", True),
        ("bleu bya park", "blue bay park east", True),
        ("bluebay park", "blue bay park east", True),
        ("blue bay park", "blue bay park big box", True),
        ("blue bay park", "blue bay park box", False),
        ("blue bay park east", "blue bay park east", False),
        ("east blue bay park", "blue bay park east", False),
        ("blue bay park est", "blue bay park east", False),
        ("blue bay park e", "blue bay park east", False),
        ("blue bay parkeast", "blue bay park east", False),
        ("blue bay park orient", "blue bay park east", False),
        ("blue bay", "blue bay park", False),
        ("", "blue bay park", False),
    ],
)
def test_a_pair_is_told_apart_where_nothing_stands_for_the_word(one, other, differ) -> None:
    found = Qualifiers(("big box", "east"))
    assert found.tell_apart(one.split(), other.split()) is differ
    assert found.tell_apart(other.split(), one.split()) is differ


def test_only_doubtful_pairs_are_lowered() -> None:
    log_odds = np.array([2.0, 4.5, -4.0, 1.0], dtype=np.float32)
    first, second = np.zeros(4, dtype=np.int64), np.array([1, 1, 1, 0])
    known = log_odds, PARKS[:1], [PARKS[0], EAST[0]], first, second
    expected = [2.0 - LOWERED, 4.5, -4.0, 1.0]
    np.testing.assert_allclose(Qualifiers(("east",)).lower(*known), expected)
    assert NO_QUALIFIERS.lower(*known) is log_odds
