"""Blocking recall: rules counted for each pair, and what they say of matches that none saw."""

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder

import pearljoin as pj
from pearljoin._candidates.rule_counts import ALL_COMPARED
from pearljoin._decision import blocking_recall
from pearljoin._decision.blocking_recall import estimate_blocking_recall
from pearljoin._scoring.ranking import Candidates


class Counted:
    """A comparison whose likely matches were proposed by given numbers of rules."""

    calibrated = True
    networks = None

    def __init__(self, counts: list[int], n_rules: int, scores: list[float], n_equal: int) -> None:
        n = len(counts)
        equality = np.zeros(n, dtype=np.int8)
        equality[:n_equal] = 1
        rows = np.arange(n)
        self.n_left = n
        self.counts = np.array(counts), n_rules
        self.found = Candidates(rows, rows, np.array(scores, dtype=np.float32), equality)

    def candidate_parts(self, _constraint: str) -> list[Candidates]:
        return [self.found]

    def sample(self, _most: int) -> np.ndarray:
        return np.arange(self.n_left)

    def count_rules(self, left_at: np.ndarray, _right_at: np.ndarray) -> tuple[np.ndarray, int]:
        return self.counts[0][left_at].copy(), self.counts[1]


def estimate(counts: list[int], n_rules: int, *, score: float = 1.0, n_equal: int = 0) -> float:
    scores = [score] * len(counts)
    return estimate_blocking_recall(Counted(counts, n_rules, scores, n_equal), "many_to_one")


def test_the_estimate_is_that_of_chao() -> None:
    counts = [1] * 6 + [2] * 9 + [3] * 25
    # (t - 1) / t * f1 (f1 - 1) / (2 (f2 + 1)) of 3 rules
    missed = 2 / 3 * 6 * 5 / (2 * 10)
    assert estimate(counts, 3) == pytest.approx(40 / (40 + missed))


def test_what_every_rule_sees_leaves_nothing_unseen() -> None:
    assert estimate([4] * 30, 4) == 1.0
    assert estimate([ALL_COMPARED] * 30, 0) == 1.0


def test_equal_keys_tell_nothing_of_the_rules() -> None:
    counts = [1] * 20 + [2] * 20
    assert estimate(counts, 2, n_equal=20) == 1.0
    assert estimate(counts, 2) < 0.9


def test_pairs_that_are_hardly_matches_do_not_count() -> None:
    assert np.isnan(estimate([1] * 20, 2, score=0.4))


def test_two_independent_rules_tell_how_many_both_missed(monkeypatch) -> None:
    monkeypatch.setattr(blocking_recall, "SAMPLE", 20_000)
    rng = np.random.default_rng(0)
    seen = rng.random((20_000, 2)) < (0.8, 0.7)
    counts = seen.sum(axis=1)
    estimated = estimate(counts[counts > 0].tolist(), 2)
    assert estimated == pytest.approx(1 - 0.2 * 0.3, abs=0.02)


def test_a_small_table_is_compared_with_all() -> None:
    names = [f"{a} {b}" for a in ("red", "blue", "old") for b in ("inn", "road", "hall")]
    left = [name.replace("o", "0") for name in names]
    assert pj.match(left, names).blocking_recall == 1.0


def test_rules_are_counted_pair_by_pair() -> None:
    rng = np.random.default_rng(1)
    letters = list("abcdefghijklmnop")
    names = ["".join(rng.choice(letters, 9)) for _ in range(120)]
    left = pd.DataFrame({"name": [name[:-1] for name in names[:30]], "n": range(30)})
    right = pd.DataFrame({"name": names, "n": range(120)})
    for on in ("name", ["name", "n"]):
        result = pj.match(left, right, on=on)
        counts, n_rules = result.comparison.count_rules(*result.comparison.candidate_pairs)
        assert n_rules >= 2
        # Every candidate but for equal keys was proposed by a rule, and by each at most once.
        assert counts.min() >= 1
        assert counts.max() <= n_rules
        assert 0.9 < result.blocking_recall <= 1


def test_similarities_have_no_estimate() -> None:
    result = pj.match(["red"], ["red inn"], encoder=TrigramEncoder(), threshold=0.1)
    assert np.isnan(result.blocking_recall)


def test_the_log_line_says_it(caplog) -> None:
    caplog.set_level("INFO", "pearljoin")
    pj.match(["Acme Corp"], ["ACME Corp", "Siemens"]).matches()
    lines = [record.getMessage() for record in caplog.records]
    assert lines[-1].endswith("1 of 1 left rows matched (100.0 %); blocking recall about 100.0 %")
