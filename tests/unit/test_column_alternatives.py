"""What alternatives in one of several columns say, by how far the other columns agree."""

import numpy as np
import pytest

from pearljoin._scoring.alternatives import LOWERED, find_alternatives
from pearljoin._scoring.column_alternatives import (
    DOUBTFUL_TEXT,
    FEWEST_SEEN,
    ColumnAlternatives,
    learn_beside,
)

COLOURS = ["black", "blue", "red"]
THINGS = ["shirt", "tent", "glove"]
SHIRTS = [f"{thing} {colour}" for thing in THINGS for colour in COLOURS]


def all_pairs(texts):
    return np.triu_indices(len(texts), 1)


def learned(weight_of):
    """Learn of the shirts, tents and gloves; `weight_of` two texts is that of the other columns."""
    first, second = all_pairs(SHIRTS)
    others = np.array([weight_of(SHIRTS[a], SHIRTS[b]) for a, b in zip(first, second, strict=True)])
    return learn_beside(find_alternatives(SHIRTS), others, SHIRTS, first, second)


def lowered(alternatives, one, other, *, others, log_odds=3.0, of_texts=0.0):
    found = alternatives.lower(
        np.array([log_odds], np.float32),
        np.array([of_texts], np.float32),
        np.array([others]),
        ([one], [other]),
        (np.array([0]), np.array([0])),
    )
    return log_odds - float(found[0])


def same_thing(one, other):
    return 1.0 if one.split()[0] == other.split()[0] else 0.1


def test_where_the_other_columns_agree_as_a_rule_alternatives_are_told_apart():
    found = learned(same_thing)
    assert lowered(found, "tent red", "tent blue", others=1.0) == LOWERED
    assert lowered(found, "tent red", "tent red large", others=1.0) == 0


def test_where_the_other_columns_agree_by_exception_two_words_name_one_thing():
    found = learned(lambda one, other: 0.1)
    assert lowered(found, "tent red", "tent blue", others=0.1) == LOWERED
    assert lowered(found, "tent red", "tent blue", others=1.0) == 0


def test_words_that_the_other_columns_say_to_be_one_are_no_alternatives():
    cities = ["munich", "munchen", "vienna", "wien"]
    texts = [f"{place} {city}" for place in ("airport", "opera", "zoo") for city in cities]
    first, second = all_pairs(texts)
    one = {"munchen": "munich", "wien": "vienna"}
    places = [(text.split()[0], one.get(text.split()[1], text.split()[1])) for text in texts]
    others = np.array([float(places[a] == places[b]) for a, b in zip(first, second, strict=True)])
    found = learn_beside(find_alternatives(texts), others, texts, first, second)
    assert found.names.pairs == (("munchen", "munich"), ("vienna", "wien"))
    assert lowered(found, "opera munich", "opera munchen", others=0.0) == 0
    assert lowered(found, "opera munich", "opera wien", others=0.0) == LOWERED
    assert lowered(found, "opera munich", "opera wien", others=np.nan) == 0


def test_a_new_word_in_the_place_of_many_is_another_thing():
    many = [
        f"{thing} {colour}" for thing in THINGS for colour in (*COLOURS, "white", "grey", "pink")
    ]
    first, second = all_pairs(many)
    others = np.array([same_thing(many[a], many[b]) for a, b in zip(first, second, strict=True)])
    found = learn_beside(find_alternatives(many), others, many, first, second)
    assert lowered(found, "tent red", "tent purple", others=1.0) == LOWERED
    assert lowered(learned(same_thing), "tent red", "tent purple", others=1.0) == 0


def test_of_words_that_are_seldom_replaced_nothing_is_known():
    first, second = all_pairs(SHIRTS)
    some = np.arange(FEWEST_SEEN - 1)
    few = learn_beside(
        find_alternatives(SHIRTS), np.zeros(len(some)), SHIRTS, first[some], second[some]
    )
    assert few.beside == {}
    assert lowered(few, "tent red", "tent blue", others=0.0) == 0


@pytest.mark.parametrize(
    "pair", [{"log_odds": -5.0}, {"of_texts": DOUBTFUL_TEXT + 1}, {"of_texts": np.nan}]
)
def test_of_clear_pairs_and_missing_texts_nothing_is_asked(pair):
    assert lowered(learned(same_thing), "tent red", "tent blue", others=1.0, **pair) == 0


def test_without_alternatives_nothing_is_lowered():
    assert lowered(ColumnAlternatives(find_alternatives([])), "a red", "a blue", others=0.0) == 0
