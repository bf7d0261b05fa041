"""encoder="auto": chosen by the reference's size when it is fitted, and kept."""

import logging
from pathlib import Path

import numpy as np
import pytest

import pearljoin as pj
from pearljoin._fitted import encoder_source
from pearljoin._fitted.encoder_source import chosen_by_size

SMALL = ["Le Monde", "Die Zeit"]
LARGE = [*SMALL, "The New York Times", "El Pais", "La Stampa"]


@pytest.fixture(autouse=True)
def three_phrases_for_mini(monkeypatch) -> None:
    monkeypatch.setattr(encoder_source, "MOST_FOR_MINI", 3)


def chosen(matcher: pj.Matcher) -> str:
    encoder = matcher._check_fitted().learned().reference.encoder
    return encoder.name


def test_the_distinct_phrases_of_the_reference_decide() -> None:
    assert (chosen_by_size(3), chosen_by_size(4)) == ("pearl-mini", "pearl-nano")
    for names, expected in ((SMALL * 5, "pearl-mini"), (LARGE, "pearl-nano")):
        assert chosen(pj.Matcher(encoder="auto").fit(names)) == expected


def test_it_gives_what_the_encoder_by_name_gives() -> None:
    left = ["le monde", "new york times", "stampa"]
    by_size = pj.Matcher(encoder="auto").fit(LARGE).match(left).matches(threshold=0.0)
    by_name = pj.Matcher(encoder="pearl-nano").fit(LARGE).match(left).matches(threshold=0.0)
    assert np.array_equal(by_size.right, by_name.right)
    assert np.array_equal(by_size.score, by_name.score)


def test_adding_never_switches_and_fitting_again_may() -> None:
    matcher = pj.Matcher(encoder="auto").fit(SMALL).add(LARGE[2:])
    assert chosen(matcher) == "pearl-mini"
    assert chosen(matcher.refit()) == "pearl-nano"


def test_the_left_side_plays_no_part() -> None:
    matcher = pj.Matcher(encoder="auto").fit(SMALL)
    matcher.match(LARGE)
    matcher.calibrate(LARGE)
    assert chosen(matcher) == "pearl-mini"


def test_a_saved_matcher_keeps_the_choice(tmp_path: Path, monkeypatch) -> None:
    matcher = pj.Matcher(encoder="auto").fit(LARGE)
    matcher.save(tmp_path / "m")
    monkeypatch.setattr(encoder_source, "MOST_FOR_MINI", 1_000)
    loaded = pj.Matcher.load(tmp_path / "m")
    assert chosen(loaded) == "pearl-nano"
    assert chosen(loaded.add(["Corriere"])) == "pearl-nano"
    assert chosen(loaded.refit()) == "pearl-mini"


def test_log_and_repr_tell_it(caplog) -> None:
    with caplog.at_level(logging.INFO, "pearljoin"):
        matcher = pj.Matcher(encoder="auto").fit(LARGE)
    assert "encoder='auto': pearl-nano, for 5 distinct reference phrases" in caplog.text
    assert "encoded by pearl-nano" in repr(matcher)


def test_joins_and_deduplication_take_it() -> None:
    assert pj.fuzzy_join(["le monde"], SMALL, encoder="auto") is not None
    assert len(pj.deduplicate(LARGE, encoder="auto")) == len(LARGE)
