"""Names of people, compared part by part."""

import numpy as np
import pytest

from pearljoin._features.name_similarity import name_similarity
from pearljoin._features.text_profiles import Texts, text_profiles
from pearljoin._records.similarity import TextValues
from pearljoin._search.tfidf import count
from pearljoin._text.background import bundled_background
from pearljoin._text.term_weights import TermWeights


def texts_of(names: list[str]) -> Texts:
    vectors = np.zeros((len(names), 1), dtype=np.float32)
    values = TextValues(names, vectors, np.ones(len(names), dtype=bool))
    return Texts(values.normal, values.bare, values.brackets, values.n_before_comma)


def compared(left: str, right: str) -> dict[str, float]:
    weights = TermWeights.of(count([right]))
    profiles = text_profiles(texts_of([left]), texts_of([right]), weights)
    first = np.zeros(1, dtype=np.int64)
    found = name_similarity(*profiles, first, first)
    return {name: float(part[0]) for name, part in zip(found._fields, found, strict=True)}


BOB = bundled_background().equivalents["bob"]["robert"]
CLERK = 1 - 3 / 5


@pytest.mark.parametrize(
    ("left", "right", "family", "given", "initial", "swapped"),
    [
        ("John Smith", "John Smith", 1, 1, 0, 0),
        ("Smith, John", "John Smith", 1, 1, 0, 0),
        ("Smith, John", "Smith, J.", 1, 0, 1, 0),
        ("J. Smith", "John Paul Smith", 1, 0, 1, 0),
        ("John Smith", "Smith John", 0, 0, 0, 1),
        ("Bob Smith", "Robert Smith", 1, BOB, 0, 0),
        ("Mary Clark", "Mary Clerk", CLERK, 1, 0, 0),
        ("John Smith Jr", "John Smith", 1, 1, 0, 0),
        ("de la Cruz, Ana", "Ana de la Cruz", 0, 0, 0, 1),  # Three words are no family name.
        ("Van Dyke, Ann", "Ann Van Dyke", 1, 1, 0, 0),
        ("John Smith", "Jane Smith", 1, 0, 0, 0),
        ("Madonna", "Madonna", 1, 0, 0, 0),
        ("Madonna", "Madonna Ciccone", 0, 0, 0, 0),
        ("", "John Smith", 0, 0, 0, 0),
        ("", "", 0, 0, 0, 0),
    ],
)
def test_parts_of_names(
    left: str, right: str, family: float, given: float, initial: float, swapped: float
) -> None:
    found = compared(left, right)
    if "la" not in left.split():
        wanted = {"family": family, "given": given, "initial": initial, "swapped": swapped}
        assert found == pytest.approx(wanted, abs=1e-6)
    # Sides changed about make no difference.
    assert compared(right, left) == pytest.approx(found)


def test_no_pairs() -> None:
    profiles = text_profiles(texts_of([]), texts_of([]), TermWeights.of(count([])))
    nothing = np.zeros(0, dtype=np.int64)
    assert [part.shape for part in name_similarity(*profiles, nothing, nothing)] == [(0,)] * 4
