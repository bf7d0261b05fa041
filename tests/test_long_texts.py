"""The time of a long text grows no faster than n log n, whatever it is made of."""

import random
import time
from collections.abc import Callable

import numpy as np
import pytest
from odd_texts import SHAPES, SIGNS, Shape
from repetitions import few

import pearljoin as pj
from pearljoin._kinds.comparers import fit_comparer
from pearljoin._kinds.protocol import KINDS, Kind
from pearljoin._kinds.recognise import recognise
from pearljoin._text.normalise import normalise
from pearljoin._text.token_similarity import TokenShapes, TokenSimilarity
from pearljoin._typing import IntVector

SHORT, LONG = 25_000, 100_000
"""Characters: n log n grows by 4.6 from the one to the other, the square by 16."""

PART_SHORT, PART_LONG = 6_000, 24_000

PARTS = 4
"""Parts of the shapes that each kind reads; `make test` has one of them."""

MOST_GROWTH = 9

SETTLED, SOON = 0.2, 0.02
"""Seconds of processor time: shorter ones say little. Readers of single values take less."""


@pytest.fixture(scope="module", autouse=True)
def _loaded() -> None:
    """Load the model first."""
    pj.match(["a"], ["b"]).matches()


def matched(text: str) -> None:
    # A near copy and one that is turned round are candidates, so that every measure is taken.
    result = pj.match([text, "x y"], [text[7:], text[::-1], "x y z"], threshold=0.5)
    assert len(result.matches()) <= 2


def seconds(run: Callable[[str], object], text: str) -> float:
    start = time.process_time()
    run(text)
    return time.process_time() - start


def check_growth(
    run: Callable[[str], object], make: Shape, first: int, then: int, settled: float = SETTLED
) -> None:
    """Check that the time grows no faster than n log n from one length to another."""
    # First a length at which even the square is soon done.
    assert seconds(run, make(first // 8)) < 2
    short = seconds(run, make(first))
    assert short < 8
    for _ in range(3):  # another process may have disturbed it
        grown = seconds(run, make(then)) / max(short, settled)
        if grown < MOST_GROWTH:
            break
        short = seconds(run, make(first))
    assert grown < MOST_GROWTH


@pytest.mark.filterwarnings("ignore::pearljoin.DuplicateReferenceWarning")
@pytest.mark.parametrize(
    ("shape", "run"),
    [*((shape, normalise) for shape in SHAPES), *few(((shape, matched) for shape in SHAPES), 3)],
)
def test_time_grows_no_faster_than_n_log_n(shape: str, run: Callable[[str], object]) -> None:
    check_growth(run, SHAPES[shape], SHORT, LONG)


# Pairs of long texts --------------------------------------------------------------------------


def made_texts(n_texts: int, n_words: int) -> list[str]:
    """Texts of a vocabulary that does not grow with them."""
    rng = random.Random(n_words)
    syllables = ["ra", "sto", "mer", "li", "vak", "do", "pex", "nor"]
    words = ["".join(rng.choices(syllables, k=3)) for _ in range(400)]
    return [" ".join(rng.choices(words, k=n_words)) for _ in range(n_texts)]


def test_tokens_of_long_texts_are_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = []
    compare = TokenShapes.compare

    def counting(shapes: TokenShapes, first: IntVector, second: IntVector) -> TokenSimilarity:
        compared.append(len(first))
        return compare(shapes, first, second)

    monkeypatch.setattr(TokenShapes, "compare", counting)
    counts = []
    for n_words in (50, 150):
        texts = made_texts(40, n_words)
        compared.clear()
        pj.match([text[20:] for text in texts], texts, encoder="pearl-nano").matches()
        counts.append(sum(compared))
    # Pairs of tokens of all pairs of texts would be nine times as many.
    assert counts[1] < 1.5 * counts[0]
    assert counts[1] < 40 * 40 * 50


@pytest.mark.timing
def test_time_of_pairs_of_long_texts_hardly_grows() -> None:
    def join(n_words: int) -> float:
        texts = made_texts(60, n_words)
        start = time.process_time()
        pj.match([text[20:] for text in texts], texts, encoder="pearl-nano").matches()
        return time.process_time() - start

    join(10)
    growth = min(join(200) / join(50) for _ in range(3))
    assert growth < 3  # words are four times as many, their pairs sixteen times


# Parts that are tried with every shape, at lengths whose ratio is the same --------------------


@pytest.mark.parametrize("kind", sorted(set(KINDS) - {"name", "coordinate"}))
@pytest.mark.parametrize("part", few(range(PARTS), 1))
def test_every_kind_reads_and_compares_long_texts(kind: Kind, part: int) -> None:
    comparer = fit_comparer(kind, ["a"], phone_region="US" if kind == "phone" else None)

    def read(text: str) -> None:
        values = [text, text[7:], text[::-1]]
        parsed = comparer.read(values)
        comparer.compare(parsed, parsed, *np.indices((3, 3)).reshape(2, -1))

    # Each kind begins with another shape, so that its first part is another, too.
    first = (sorted(KINDS).index(kind) + part) % PARTS
    for make in list((SHAPES | SIGNS).values())[first::PARTS]:
        check_growth(read, make, PART_SHORT, PART_LONG, SOON)


def test_kinds_are_recognised_in_long_texts() -> None:
    for make in (SHAPES | SIGNS).values():
        check_growth(
            lambda text: recognise([text, text[7:]] * 3), make, PART_SHORT, PART_LONG, SOON
        )


@pytest.mark.parametrize("shape", few(SHAPES, 3))
def test_duplicates_of_long_texts(shape: str) -> None:
    def grown(text: str) -> None:
        deduplicator = pj.Deduplicator(encoder="pearl-nano").fit([text, text[7:], "x y"])
        deduplicator.add([text[::-1], "x y z"])

    check_growth(grown, SHAPES[shape], PART_SHORT, PART_LONG)
