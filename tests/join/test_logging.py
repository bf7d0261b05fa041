"""The log of a join: one INFO line, DEBUG lines of its stages; and its display on a terminal."""

import logging
import sys

import pandas as pd
import pytest
from frames import TrigramEncoder, join, match

import pearljoin as pj
from pearljoin import _progress

LEFT = pd.DataFrame({"name": ["red inn", "blue cafe", None, "zzz"], "city": ["rome"] * 4})
RIGHT = pd.DataFrame({"title": ["red inn", "blue caffe"], "city": ["rome", "rome"]})
KEYS = {"left_on": "name", "right_on": "title"}


@pytest.fixture
def lines(caplog):
    """The INFO lines, as they come."""
    caplog.set_level(logging.INFO, "pearljoin")

    def listed() -> list[str]:
        found = [r for r in caplog.records if r.name == "pearljoin" and r.levelno == logging.INFO]
        return [record.getMessage() for record in found]

    return listed


ONE_LINE = [
    "matched on name = title (text); by city: threshold 0.350, many_to_one, "
    "2 of 4 left rows matched (50.0 %)"
]


def test_a_join_is_one_line(lines) -> None:
    join(LEFT, RIGHT, **KEYS, by="city")
    assert lines() == ONE_LINE


def test_a_match_is_one_line_however_often_it_is_asked(lines) -> None:
    result = match(LEFT, RIGHT, **KEYS, by="city")
    result.matches()
    result.matches(threshold=0.9)
    result.join("inner")
    result.pairs()
    assert lines() == ONE_LINE


def test_the_line_tells_the_threshold_that_was_asked_first(lines) -> None:
    match(LEFT, RIGHT, **KEYS).matches(threshold=1.0, constraint="1:1")
    assert lines() == [
        "matched on name = title (text): threshold 1.000, one_to_one, "
        "1 of 4 left rows matched (25.0 %)"
    ]


def test_each_match_of_a_matcher_is_a_line(lines) -> None:
    matcher = pj.Matcher(**KEYS, by="city", encoder=TrigramEncoder(), threshold=0.35).fit(RIGHT)
    assert lines() == []
    matcher.match(LEFT).matches()
    matcher.match(LEFT.head(1)).matches()
    assert lines() == [
        *ONE_LINE,
        ONE_LINE[0].replace("2 of 4", "1 of 1").replace("50.0", "100.0"),
    ]


def test_a_transformer_logs_what_it_transforms(lines) -> None:
    joiner = pj.FuzzyJoiner(RIGHT, **KEYS, by="city", encoder=TrigramEncoder(), threshold=0.35)
    joiner.fit(LEFT)
    assert lines() == []
    joiner.transform(LEFT)
    assert lines() == ONE_LINE


def test_clusters_are_one_line(lines) -> None:
    table = pd.DataFrame({"name": ["red inn", "blue cafe", "Red Inn"]})
    pj.deduplicate(table, encoder=TrigramEncoder())
    assert lines() == [
        "deduplicated on name (text), guessed: threshold 0.750, "
        "2 of 3 rows in a cluster with others (66.7 %)"
    ]


def test_vetoes_and_several_kinds_are_named(lines) -> None:
    left = pd.DataFrame({"x": ["red", "blue"], "n": [1, 2], "city": ["rome", "oslo"]})
    match(left, left, on=["x", "n"], veto="city").matches(0.5)
    assert lines() == [
        "matched on x (text), n (number); veto city: threshold 0.500, many_to_one, "
        "2 of 2 left rows matched (100.0 %)"
    ]


def test_a_table_without_rows_is_a_line_at_debug(caplog) -> None:
    caplog.set_level(logging.DEBUG, "pearljoin")
    join(LEFT.head(0), RIGHT, **KEYS)
    (line,) = [r for r in caplog.records if r.getMessage().startswith("matched")]
    assert line.levelno == logging.DEBUG
    assert line.getMessage().endswith("0 of 0 left rows matched")


FIT = ["read"]
# The second search is among the reference's own rows.
MATCH = ["read", "encode", "encode", "search", "features", "search", "scoring", "calibrate"]


def test_stages_are_logged_with_their_seconds(caplog) -> None:
    caplog.set_level(logging.DEBUG, "pearljoin")
    pj.fuzzy_join(LEFT, RIGHT, **KEYS, verbose=False)
    debug = [r.getMessage() for r in caplog.records if r.levelno == logging.DEBUG]
    stages = [line.split(": ")[0] for line in debug if r"matched" not in line]
    assert stages == [*FIT, *MATCH, "decision", "decision"]
    assert all(float(line.split(": ")[1].removesuffix(" s")) >= 0 for line in debug)


def test_nothing_is_logged_unless_asked(capfd) -> None:
    join(LEFT, RIGHT, **KEYS)
    assert capfd.readouterr() == ("", "")


def test_the_display_covers_the_whole_join(monkeypatch) -> None:
    shown: list[str] = []

    class Display(_progress._Display):
        def show(self, name: str) -> None:
            shown.append(name)
            super().show(name)

    monkeypatch.setattr(_progress, "_Display", Display)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    pj.fuzzy_join(LEFT, RIGHT, **KEYS)
    named = [name for at, name in enumerate(shown) if name and name != shown[at - 1]]
    assert [name for name in named if name in ("encode", "search", "features")] == [
        "encode",
        "encode",
        "search",
        "features",
        "search",
    ]
    assert named[0] == "read"
    assert named[-1] == "decision"
    shown.clear()
    pj.fuzzy_join(LEFT, RIGHT, **KEYS, verbose=False)
    assert shown == []
