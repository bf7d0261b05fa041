"""Joins whose left texts are mistyped."""

from random import Random

import pytest

from pearljoin_train.augment.character import misspell_code
from pearljoin_train.data.join import Join
from pearljoin_train.scorer.joins import letters_of
from pearljoin_train.scorer.mistyped_joins import mistyped_joins

NAMES = [f"{first} {last}" for first in ("Anna", "Bernard") for last in ("Hoffmann", "Lindqvist")]
JOIN = Join("people", NAMES, NAMES, [frozenset([name]) for name in NAMES])


def made(seed: int, n: int = 60) -> list[Join]:
    return list(mistyped_joins([JOIN] * n, seed=seed))


def test_texts_are_mistyped_and_keep_their_answers() -> None:
    joins = made(0)
    assert any(join.left == NAMES for join in joins)
    changed = 0
    for join in joins:
        assert join.right == NAMES
        assert len(join.left) == len(join.answers) == len(NAMES)
        assert [*map(set, join.answers)] == [{name} for name in NAMES]
        changed += sum(text != name for text, name in zip(join.left, NAMES, strict=True))
    assert 0.1 < changed / (len(joins) * len(NAMES)) < 0.5


def test_the_same_seed_makes_the_same_slips() -> None:
    assert made(1) == made(1)
    assert made(1) != made(2)


def test_no_text_becomes_another_one() -> None:
    names = ["ab", "ba", "b", "a", "bb", "aa", "aab", "abb"]
    join = Join("short", names, names[:4], [frozenset(names[:4]) & {name} for name in names])
    for found in mistyped_joins([join] * 100, seed=0):
        # Two texts may be mistyped alike: what then stands there asks for both.
        assert len(set(found.left)) == len(found.left) >= len(names) // 2
        assert set().union(*found.answers) == set(names[:4])
        for text, answer in zip(found.left, found.answers, strict=True):
            assert text not in names[:4] or answer == {text}
            assert text in names or letters_of(text) not in names


@pytest.mark.parametrize("text", ["Makita DDF484Z drill", "Bosch GSR18V-55 18 V, 2 Ah"])
def test_slips_of_codes_change_no_other_word(text: str) -> None:
    code = text.split()[1]
    for seed in range(30):
        changed = misspell_code(text, Random(seed))
        assert changed.replace(changed.split()[1], code) == text
    assert {misspell_code(text, Random(seed)) for seed in range(30)} - {text}


@pytest.mark.parametrize("text", ["", "iPhone 14", "M8x40 120x200cm 5kg", "Smith & Sons", "1984"])
def test_sizes_and_words_are_no_codes(text: str) -> None:
    assert all(misspell_code(text, Random(seed)) == text for seed in range(10))
