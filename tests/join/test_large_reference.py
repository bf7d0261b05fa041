"""References so large that they are searched by lists: what is learned of that is frozen."""

import logging
from pathlib import Path

import numpy as np
import pytest
from frames import TrigramEncoder
from made_up import names_of_syllables

import pearljoin as pj
from pearljoin._fitted import checked_folder, save_matcher
from pearljoin._search import approximate, weighing
from pearljoin._search.rounded_vectors import RoundedVectors
from pearljoin._search.search_plan import SearchPlan

N_NAMES = 400


@pytest.fixture(scope="module")
def names() -> list[str]:
    return names_of_syllables(N_NAMES)


@pytest.fixture(autouse=True)
def lists_from_fifty_rows(monkeypatch) -> None:
    monkeypatch.setattr(approximate, "EXACT_ROWS", 50)


def fitted(names: list[str]) -> pj.Matcher:
    return pj.Matcher(threshold=0.5, encoder=TrigramEncoder()).fit(names)


def plan_of(matcher: pj.Matcher) -> SearchPlan:
    plan = matcher._check_fitted().learned().reference.search_plan
    assert plan is not None
    return plan


def test_it_finds_what_an_exact_search_finds(names, monkeypatch) -> None:
    left = [name[:-1] for name in names]
    by_lists = fitted(names).match(left).matches()
    monkeypatch.setattr(approximate, "EXACT_ROWS", N_NAMES)
    exact = fitted(names).match(left).matches()
    found = set(zip(by_lists.left.tolist(), by_lists.right.tolist(), strict=True))
    expected = set(zip(exact.left.tolist(), exact.right.tolist(), strict=True))
    assert len(expected) > 0.9 * N_NAMES
    assert len(found & expected) > 0.98 * len(expected)


def vectors_of(matcher: pj.Matcher) -> RoundedVectors:
    vectors = matcher._check_fitted().learned().reference.values[0].vectors
    assert isinstance(vectors, RoundedVectors)
    return vectors


def test_its_vectors_are_rounded_and_those_of_a_small_one_are_not(names) -> None:
    exact = TrigramEncoder().encode(names)
    assert np.abs(vectors_of(fitted(names))[:] - exact).max() <= 0.5001 / 32_767
    small = fitted(names[:50])._check_fitted().learned().reference.values[0].vectors
    assert small.dtype == np.float32
    np.testing.assert_allclose(small, exact[:50], atol=1e-6)


def test_vectors_stay_as_they_are_when_rows_come_and_go(names) -> None:
    matcher = fitted(names[:300])
    before = vectors_of(matcher).steps
    matcher.add(names[300:])
    assert np.array_equal(vectors_of(matcher).steps[:300], before)
    matcher.remove(names[40:])
    # Few rows are left, but what is found must not change with those that went.
    assert np.array_equal(vectors_of(matcher).steps, before[:40])


def test_a_folder_of_version_four_is_rounded_when_it_is_read(names, tmp_path, monkeypatch) -> None:
    matcher, left = fitted(names), [name[1:] for name in names]
    with monkeypatch.context() as earlier:
        earlier.setattr(checked_folder, "VERSION", 4)
        earlier.setattr(save_matcher, "to_arrays", lambda vectors, name: {name: vectors[:]})
        matcher.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    assert np.array_equal(vectors_of(loaded).steps, vectors_of(matcher).steps)
    one, other = matcher.match(left).matches(), loaded.match(left).matches()
    assert one.score.tolist() == other.score.tolist()


def test_kept_counts_give_what_vectors_give(names, monkeypatch) -> None:
    left = [name[:-1] for name in names]
    expected = fitted(names).match(left).matches()
    monkeypatch.setattr(weighing, "MANY_ROWS", 50)
    monkeypatch.setattr(weighing, "ROWS_AT_ONCE", 70)
    found = fitted(names).match(left).matches()
    assert found.right.tolist() == expected.right.tolist()
    assert found.score.tolist() == expected.score.tolist()


def test_one_row_and_a_batch_find_the_same(names) -> None:
    matcher, left = fitted(names), [name[1:] for name in names[:40]]
    batch = matcher.match(left).matches()
    alone = [matcher.match([text]).matches() for text in left]
    assert batch.right.tolist() == [row for found in alone for row in found.right.tolist()]
    assert batch.score.tolist() == [score for found in alone for score in found.score.tolist()]


def test_rows_come_and_go_and_the_plan_stays(names) -> None:
    matcher = fitted(names[:300])
    plan = plan_of(matcher)
    matcher.add(names[300:])
    assert plan_of(matcher) is plan
    assert matcher.match([names[350]]).matches().right.tolist() == [350]
    matcher.remove(names[:100])
    assert plan_of(matcher) is plan
    assert matcher.match([names[350]]).matches().right.tolist() == [250]


def test_a_loaded_matcher_searches_as_the_saved_one(names, tmp_path: Path, monkeypatch) -> None:
    # Arrays of this size are mapped as large ones are.
    monkeypatch.setattr(checked_folder, "MAPPED_BYTES", 1_000)
    matcher, left = fitted(names), [name[1:] for name in names]
    matcher.save(tmp_path / "m")
    loaded = pj.Matcher.load(tmp_path / "m", encoder=TrigramEncoder())
    assert np.array_equal(plan_of(loaded).centroids, plan_of(matcher).centroids)
    assert plan_of(loaded).n_probes == plan_of(matcher).n_probes
    one, other = matcher.match(left).matches(), loaded.match(left).matches()
    assert np.array_equal(one.right, other.right)
    assert np.array_equal(one.score, other.score)
    loaded.save(tmp_path / "m")
    assert loaded.match(left[:1]).matches().right.tolist() == one.right[:1].tolist()


def test_the_log_says_how_it_is_searched(names, caplog) -> None:
    with caplog.at_level(logging.INFO, "pearljoin"):
        fitted(names).match(names[:1]).matches()
    assert "400 reference vectors are searched by 10 lists" in caplog.text
    assert "of the exact neighbours of sampled rows" in caplog.text
