"""Words that come and go among the texts of one thing, and pairs that differ in these alone."""

from itertools import combinations, product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import pearljoin as pj
from pearljoin._clusters.table_pairs import TablePairs
from pearljoin._scoring import passing_words
from pearljoin._scoring.passing_words import FLOOR, differ_in_passing, find_passing

NAMES = ["Arden", "Brockwell", "Cresting", "Dunmore", "Ellery", "Farrow", "Galston", "Hexby"]
FIELDS = ["physics", "chemistry", "law", "music", "history", "botany", "dentistry", "nursing"]
CITIES = ["oslo", "bergen", "tromso", "malmo", "lund", "uppsala", "aarhus", "odense"]
PLACES = ["norway", "sweden", "denmark", "scandinavia", "europe"]

SCHOOLS = [f"university of {name.lower()}" for name in NAMES]

CORES = [
    "Arden Polytechnic",
    "Brockwell Medical School",
    "Royal Cresting Academy",
    "Dunmore State University",
    "Ellery Institute of Technology",
    "Farrow College",
    "Galston Research Laboratory",
    "National Hexby Observatory",
]


def _written(cores: list[str], apart: str, prefix: str) -> list[tuple[str, int]]:
    """Each name with and without one of four departments, two cities and two countries."""
    rows = []
    for thing, core in enumerate(cores):
        parts = [
            ["", *(options[(thing + step) % len(options)] for step in range(n))]
            for options, n in ((FIELDS, 4), (CITIES, 2), (PLACES, 2))
        ]
        for field, city, place in product(*parts):
            written = [f"{prefix} of {field}" if field else "", core, city, place]
            rows.append((apart.join(part for part in written if part), thing))
    return rows


def _passing(texts: list[str], owner: list[int]) -> tuple[str, ...]:
    """What texts teach of which all pairs of a thing, and no others, are likely."""
    pairs = list(combinations(range(len(texts)), 2))
    first, second = np.array(pairs).T
    log_odds = [2.0 if owner[one] == owner[other] else -2.0 for one, other in pairs]
    return find_passing(texts, first, second, np.array(log_odds, dtype=np.float32))


def test_words_that_stand_beside_others_come_and_go() -> None:
    texts, owner = zip(*_written(SCHOOLS, " ", "department"), strict=True)
    found = _passing(list(texts), list(owner))
    assert set(found) == {"department", *FIELDS, *CITIES, *PLACES}
    assert list(found) == sorted(found)


def test_the_only_word_that_branches_add_to_their_parent_does_not_come_and_go() -> None:
    added = ["", "bank", "insurance", "travel", "media"]
    texts = [f"{name} {word}".strip().lower() for name, word in product(NAMES, added)]
    owner = [at for at, _ in enumerate(NAMES) for _ in added]
    assert _passing(texts, owner) == ()


def test_legal_forms_come_and_go_without_others_beside_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(passing_words, "FEWEST_WORDS", 3)
    added = ["", "ltd", "insurance", "inc", "gmbh"]
    texts = [f"{name} {word}".strip().lower() for name, word in product(NAMES, added)]
    owner = [at for at, _ in enumerate(NAMES) for _ in added]
    assert _passing(texts, owner) == ("gmbh", "inc", "ltd")


SONGS = ["", "Live", "Live Remix", "Remix", "Live Acoustic", "Acoustic Remix", "Live Radio Edit"]
HOTELS = ["", "Hotel", "Beach Hotel", "Beach Resort", "Hotel Resort Spa", "City Hotel"]


@pytest.mark.parametrize("versions", [SONGS, HOTELS])
def test_a_handful_of_words_that_come_and_go_name_versions(versions: list[str]) -> None:
    texts = [f"{name} {version}".strip().lower() for name, version in product(NAMES, versions)]
    owner = [at for at, _ in enumerate(NAMES) for _ in versions]
    assert _passing(texts, owner) == ()


def test_pairs_that_differ_in_passing_words_alone() -> None:
    passing = ["chemistry", "department", "norway", "physics"]
    texts = [
        "department of physics university of arden",
        "universty of arden norway",  # a slip
        "univ of arden chemistry",  # an abbreviation
        "university of brockwell",
        "arden 2",
        "arden 3",
        "physics department",
        "department chemistry",
        "",
    ]
    pairs = [(0, 1), (0, 2), (1, 2), (0, 3), (4, 5), (6, 7), (7, 8), (8, 8)]
    first, second = np.array(pairs).T
    found = differ_in_passing(texts, first, second, passing)
    #  "of" counts as a word like any other: it is what all institutions share.
    assert found.tolist() == [True, True, True, False, False, False, False, False]
    assert found.tolist() == differ_in_passing(texts, second, first, passing).tolist()


def test_nothing_is_learned_where_nothing_is_likely() -> None:
    nothing = np.zeros(0, dtype=np.int64)
    assert find_passing([], nothing, nothing, nothing.astype(np.float32)) == ()
    assert not len(differ_in_passing([], nothing, nothing, ["law"]))


def test_institutions_of_many_spellings_are_found(tmp_path: Path) -> None:
    rows = _written(CORES, ", ", "Department")
    table = pd.DataFrame({"id": range(len(rows)), "name": [text for text, _ in rows]})
    fitted = pj.Deduplicator(ids="id", on="name", encoder="pearl-nano").fit(table)
    comparison = fitted.result.comparison
    assert isinstance(comparison, TablePairs)
    passing = set(comparison.weights.passing)
    assert {"department", "norway", "oslo", "sweden"} <= passing
    assert not passing & set(" ".join(CORES).lower().replace("of", "").split())
    scored = pj.evaluate(fitted.result, [thing for _, thing in rows])
    assert scored.precision > 0.95
    assert scored.recall > 0.2  # .03 without
    # What was learned is frozen, and kept where it is saved.
    fitted.save(tmp_path / "fitted")
    loaded = pj.Deduplicator.load(tmp_path / "fitted")
    later = pd.DataFrame({"id": [-1], "name": ["Arden Polytechnic, oslo, norway"]})
    assert fitted.add(later).tolist() == loaded.add(later).tolist()
    assert fitted.add(later.assign(id=-2)).tolist() == [fitted.clusters()[0]]


def test_floor_is_a_likely_match() -> None:
    assert 0.9 < 1 / (1 + np.exp(-FLOOR)) < 1
