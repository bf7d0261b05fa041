"""What a report says, against brute force: pairs, figures by threshold, differences, groups."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from frames import TrigramEncoder
from hypothesis import given
from hypothesis import strategies as st
from made_report import HOSTILE, hostile_result, plain_result, two_column_result
from reading import data_of
from repetitions import few

import pearljoin as pj
from pearljoin._report.differences import different_spans
from pearljoin._report.pair_pool import choose_pairs

OPTIONS = few([{}, {"constraint": "1:1"}, {"constraint": "m:m", "threshold": 0.4}], 2)


class Reported(NamedTuple):
    options: dict[str, Any]
    result: pj.MatchResult
    data: dict[str, Any]


@pytest.fixture(scope="module", params=OPTIONS)
def reported(request, tmp_path_factory: pytest.TempPathFactory) -> Reported:
    """A join with some options, and what its report holds."""
    result = plain_result(**request.param)
    path = result.report(tmp_path_factory.mktemp("reported") / "report.html")
    return Reported(request.param, result, data_of(path))


def test_every_distinct_match_and_best_candidate_is_there(reported: Reported) -> None:
    _, result, data = reported
    shown = {(p["left_row"], p["right_row"]): p for p in data["pairs"]}
    assert len(shown) == len(data["pairs"])
    matches = result.matches()
    wanted = set(zip(matches.left.tolist(), matches.right.tolist(), strict=True))
    assert {pair for pair, p in shown.items() if p["is_match"]} == wanted
    assert {left for left, _ in shown} == set(range(98))  # of 99, the last is null
    left, right = (
        side.columns[name].to_list()
        for side, name in ((result._left, "name"), (result._right, "company"))
    )
    texts = [(pair["left"], pair["right"]) for pair in shown.values()]
    assert texts == [(left[at], right[to]) for at, to in shown]
    # An explanation takes a hundredth of a second, and m:m has thousands of pairs.
    for (at, to), pair in list(shown.items())[:: 1 + len(shown) // 100]:
        assert pair["score"] == pytest.approx(result.explain(at, to).score, abs=1e-6)


def test_figures_by_threshold_are_those_of_the_result(reported: Reported) -> None:
    options, result, data = reported
    grid = data["grid"]
    assert grid["in_force"]["matches"] == len(result.matches())
    for name in ("precision", "recall"):
        expected = getattr(result, f"expected_{name}")()
        assert grid["in_force"][name] == pytest.approx(expected, abs=1e-4)
    if options.get("constraint") == "1:1":
        return  # the page says that its other thresholds are those of one assignment
    for at in (0, 20, 77, 120, 199, 200):
        threshold = at * grid["step"]
        assert grid["matches"][at] == len(result.matches(threshold)), threshold
        for name in ("precision", "recall"):
            expected = getattr(result, f"expected_{name}")(threshold)
            assert grid[name][at] == pytest.approx(expected, abs=1e-3, nan_ok=True)


def test_the_histogram_counts_every_row(tmp_path: Path) -> None:
    left = ["Acme Corp", "Acme Corp.", "Globex", "Globex", "Initech"] * 3 + [None]
    result = pj.match(left, ["Acme Corporation", "Globex"])
    path = result.report(tmp_path / "report.html")
    counts = data_of(path)["histogram"]["counts"]
    best = result.all_matches()
    unequal = best.score[best.score < 1]
    assert counts == np.histogram(unequal, 50, (0, 1))[0].tolist()
    assert sum(counts) + int((best.score >= 1).sum()) == 15
    said = path.read_text(encoding="utf-8")
    assert "are counted. Not drawn: " in said
    assert "left rows without a candidate (1). The dashed line" in said


def test_steps_add_up_to_the_log_odds(report: Path, tmp_path: Path) -> None:
    for path in (report, two_column_result().report(tmp_path / "report.html")):
        data = data_of(path)
        # Equal keys are certain, whatever the steps say; most other pairs are nearly so.
        checked = [pair for pair in data["pairs"] if pair["steps"] and pair["score"] < 0.999]
        assert len(checked) > 20
        assert sum(1e-3 < pair["score"] < 0.999 for pair in checked) > 5
        for pair in checked:
            total = sum(effect for _, effect in pair["steps"])
            assert 1 / (1 + np.exp(-total)) == pytest.approx(pair["score"], abs=0.01)


def test_similarities_have_no_expected_precision(tmp_path: Path) -> None:
    result = pj.match(["red apple"], ["red apples", "pear"], encoder=TrigramEncoder())
    path = result.report(tmp_path / "report.html")
    assert data_of(path)["grid"]["precision"] is None
    assert "Expected precision" not in path.read_text(encoding="utf-8").split("<script")[0]


@pytest.mark.parametrize(
    ("left", "right"),
    [([], ["a"]), ([None, None], ["a"]), (["zzz"], ["Le Monde"]), (["Le Monde"], ["Le Monde"])],
)
def test_tables_with_little_in_them_are_reported(left, right, tmp_path: Path) -> None:
    result = pj.match(pd.Series(left, dtype=object), pd.Series(right), threshold=0.9)
    data = data_of(result.report(tmp_path / "report.html"))
    assert data["grid"]["in_force"]["matches"] == len(result.matches())


def test_rows_on_one_right_row_and_rows_without_candidates(tmp_path: Path) -> None:
    left = {"name": ["Acme Corp", "Acme Corporation", "Globex"], "c": ["US", "US", "FR"]}
    right = {"name": ["Acme Corporation", "Globex"], "c": ["US", "DE"]}
    tables = pd.DataFrame(left), pd.DataFrame(right)
    html = pj.match(*tables, on="name", by="c").report(tmp_path / "r.html").read_text("utf-8")
    groups = html[html.index('id="groups"') : html.index('id="lonely"')]
    assert "2 left keys" in groups
    assert "<bdi>Acme Corp</bdi>" in groups
    lonely = html[html.index('id="lonely"') : html.index('id="how"')]
    assert "<bdi>Globex</bdi>" in lonely
    assert "compared with no right row: 1, of which 0 with a null key" in lonely


@pytest.mark.thorough
def test_a_report_stays_small_whatever_the_cells_hold(tmp_path: Path) -> None:
    # Each of these characters takes six in JSON that stands in HTML.
    left = [f"{n} " + "<&>'" * 100 + f" {n}" for n in range(1_500)]
    right = [f"{n} " + "<&>" * 120 + f" {n}" for n in range(1_500)]
    result = pj.match(left, right, encoder=TrigramEncoder(), threshold=0.5)
    path = result.report(tmp_path / "report.html")
    assert path.stat().st_size < 5_000_000
    assert 100 < len(data_of(path)["pairs"]) < 1_500


def test_hostile_cells_are_in_the_data_and_nowhere_else(tmp_path: Path) -> None:
    path = hostile_result().report(tmp_path / "report.html", title="<b>bold</b>")
    html = path.read_text(encoding="utf-8")
    assert "<img" not in html
    assert "window.hacked = 1</script>" not in html
    assert "<title>&lt;b&gt;bold&lt;/b&gt;</title>" in html
    texts = {pair["right"] for pair in data_of(path)["pairs"]}
    assert set(HOSTILE[:6]) <= texts


@pytest.mark.parametrize("name", ["nowhere/report.html", ".", f"{'x' * 300}.html"])
def test_a_report_that_cannot_be_written_is_told(name: str, result, tmp_path: Path) -> None:
    with pytest.raises(pj.InputError, match=r"The report cannot.*Hint: give a file in a folder"):
        result.report(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_report_that_fails_leaves_the_one_before(result, tmp_path: Path, monkeypatch) -> None:
    path = result.report(tmp_path / "report.html", title=7)
    before = path.read_bytes()
    assert b"<h1>7</h1>" in before
    monkeypatch.setattr("pearljoin._report.write._policy", lambda scripts: 1 / 0)
    with pytest.raises(ZeroDivisionError, match="division"):
        result.report(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("most", [1, 97, 98])
def test_no_more_pairs_are_embedded_than_fit(
    most: int, result, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.setattr("pearljoin._report.match_report.MOST_PAIRS", most)
    path = result.report(tmp_path / "report.html")
    data = data_of(path)
    assert len(data["pairs"]) == most
    assert data["review"] == list(range(len(data["review"])))
    assert f"{most} of 98 distinct pairs{',' if most == 98 else ':'}" in path.read_text("utf-8")
    # What is counted is counted over all of them.
    whole = data_of(result.report(tmp_path / "whole.html"))
    assert (data["grid"], data["histogram"]) == (whole["grid"], whole["histogram"])


@given(st.lists(st.floats(0, 1, width=32), max_size=200), st.floats(0, 1), st.integers(1, 150))
def test_chosen_pairs_are_the_doubtful_and_a_sample(scores, threshold, most) -> None:
    score = np.array(scores, dtype=np.float32)
    chosen = choose_pairs(score, threshold, most)
    assert len(chosen) == min(most, len(score)) == len(set(chosen.tolist()))
    doubt = np.abs(score.astype(float) - threshold) + 2 * (score >= 1)
    assert (np.diff(doubt[chosen]) >= 0).all()
    nearest = np.sort(doubt)[: min(most // 2, len(doubt))]
    assert np.sort(doubt[chosen])[: len(nearest)].tolist() == nearest.tolist()
    # Equal keys only where there is room for them.
    n_unequal = int((score < 1).sum())
    assert (score[chosen] < 1).sum() == min(most, n_unequal)


def test_every_range_of_the_score_is_sampled() -> None:
    score = np.concatenate([np.linspace(0.5, 0.6, 10_000), np.linspace(0, 1, 400)[:-1]])
    chosen = score[choose_pairs(score.astype(np.float32), 0.55, 1_000)]
    counts, _ = np.histogram(chosen, 20, (0, 1))
    assert counts.min() >= 15


WORDS = st.lists(st.sampled_from(["Acme", "ACME", "corp", "co.", "(the)", "ßtrasse", "İ", " "]))


@given(WORDS.map(" ".join), WORDS.map(" ".join))
def test_without_what_is_marked_texts_are_the_same(left: str, right: str) -> None:
    rests = []
    for text, spans in zip((left, right), different_spans(left, right), strict=True):
        assert spans == sorted(spans)
        assert len(spans) % 2 == 0
        kept = [c for at, c in enumerate(text) if not _within(at, spans)]
        rests.append("".join("".join(kept).lower().split()))
    assert rests[0] == rests[1]


def _within(at: int, spans: list[int]) -> bool:
    return any(start <= at < end for start, end in zip(spans[::2], spans[1::2], strict=True))


def test_differences_are_few() -> None:
    assert different_spans("Lisbon", "Lisboa") == ([5, 6], [5, 6])
    assert different_spans("The Acme Co", "Acme Co Ltd") == ([0, 3], [8, 11])
    assert different_spans("same", "SAME") == ([], [])


@pytest.mark.parametrize(
    ("left", "right", "marked"),
    [
        # Long words are aligned rather than many short ones.
        ("S. Textiles", "Underhill Textiles S.A.", (["S."], ["Underhill", "S.A."])),
        # Letters are marked in slips of the pen, not in other words.
        ("Eriksen Logisitcs", "Eriksen Logistics Ltd", (["t"], ["t", "Ltd"])),
        ("Yamada Capital Ltd", "Yamada Steel Limited", (["Capital Ltd"], ["Steel Limited"])),
        ("Face book", "Facebook Inc", ([" "], [" Inc"])),
        ("a a a", "A", (["a a"], [])),
    ],
)
def test_what_a_reader_would_mark_is_marked(left: str, right: str, marked) -> None:
    spans = different_spans(left, right)
    found = tuple(
        [text[a:b] for a, b in zip(own[::2], own[1::2], strict=True)]
        for text, own in zip((left, right), spans, strict=True)
    )
    assert found == marked
