"""The partial ratio of long texts, against rapidfuzz."""

import random

import numpy as np
import pytest
from rapidfuzz import fuzz

from pearljoin._features import partial_similarity as partial
from pearljoin._text.tokens import LONGEST


def texts_of(letters: str, n: int) -> list[str]:
    """Texts of one length, some with a part of another; and one of the same letter."""
    rng = random.Random(0)
    texts = ["q" * LONGEST]
    while len(texts) < n:
        text = "".join(rng.choices(letters, k=LONGEST))
        start = rng.randrange(LONGEST)
        texts.append((rng.choice(texts)[start:] + text)[:LONGEST])
    return texts


@pytest.mark.parametrize("letters", ["ab ", "etaoin shrdlu", "ab\ud800 é中"])
@pytest.mark.parametrize("most", [7, 4_096])
def test_it_is_that_of_rapidfuzz_to_the_last_bit(letters, most, monkeypatch) -> None:
    monkeypatch.setattr(partial, "PAIRS_IN_TABLE", most)
    monkeypatch.setattr(partial, "PAIRS_AT_ONCE", 5)
    texts = np.array([*texts_of(letters, 12), "a short text", ""], dtype=object)
    left, right = np.indices((len(texts), len(texts))).reshape(2, -1)
    found = partial.partial_similarity(texts, texts, left, right)
    expected = [fuzz.partial_ratio(texts[a], texts[b]) for a, b in zip(left, right, strict=True)]
    assert found.tolist() == (np.array(expected, np.float32) / np.float32(100)).tolist()


def test_texts_of_many_letters_are_left_to_rapidfuzz() -> None:
    letters = "".join(map(chr, range(0x4E00, 0x4E00 + 2 * partial.MOST_LETTERS)))
    texts = np.array(texts_of(letters, 10), dtype=object)
    left, right = np.indices((10, 10)).reshape(2, -1)
    assert partial._of_one_length(texts, texts, left, right) is None
    found = partial.partial_similarity(texts, texts, left, right)
    assert found.reshape(10, 10).diagonal().tolist() == [1] * 10
    assert found[1] == np.float32(fuzz.partial_ratio(texts[0], texts[1])) / np.float32(100)
