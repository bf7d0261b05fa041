"""Notebook views, plots, and the accessors of pandas and polars."""

import re
import subprocess
import sys
from html.parser import HTMLParser

import matplotlib as mpl
import numpy as np
import pandas as pd
import polars as pl
import pytest
from frames import TrigramEncoder
from made_report import HOSTILE, NAMES, hostile_result

import pearljoin as pj
from pearljoin._explain.explanation import without_slight
from pearljoin._plots.results import plot_waterfall

mpl.use("Agg")
from matplotlib import pyplot as plt


class Reader(HTMLParser):
    """Collects the tags and the text of HTML."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag, attrs) -> None:
        self.tags.add(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_data(self, data: str) -> None:
        self.text += data


TAGS = {"div", "strong", "b", "table", "thead", "tbody", "tr", "th", "td", "bdi", "caption", "span"}


def test_a_result_shows_its_figures_and_doubtful_matches(result) -> None:
    shown = Reader(result._repr_html_())
    assert shown.tags <= TAGS
    n = len(result.matches())
    for text in ("MatchResult", "left rows 99", f"matches {n}", "name = company (text)"):
        assert text in shown.text
    assert f"threshold {result.threshold:.4g}" in shown.text
    matches = result.matches()
    doubtful = matches.score[np.argsort(np.abs(matches.score - result.threshold))[0]]
    assert f"{doubtful:.3f}" in shown.text


def test_views_hold_text_only() -> None:
    result = hostile_result()
    views = [result, *(result.explain(row) for row in range(len(HOSTILE)))]
    for view in views:
        assert Reader(view._repr_html_()).tags <= TAGS
    assert HOSTILE[0] in Reader(result.explain(0)._repr_html_()).text
    assert max(len(view._repr_html_()) for view in views[1:-1]) < 120_000


def test_an_explanation_shows_its_steps(result) -> None:
    found = result.explain(41)
    shown = Reader(found._repr_html_()).text
    assert f"{found.left} ≠ {found.right}" in shown
    assert "for and against, in log odds" in shown
    for step in found.waterfall():
        if abs(step.effect) >= 0.1:
            assert f"{step.kind}{step.effect:+.2f}" in shown
    assert "outcome no match, the key is null" in Reader(result.explain(98)._repr_html_()).text


def test_an_explanation_of_two_rows_is_printed_and_shown() -> None:
    table = {"name": ["Anna Schmidt", "Schmidt, Anna", "<b>"], "city": ["Rome", None, "Oslo"]}
    found = pj.find_duplicates(pd.DataFrame(table), on=["name", "city"]).explain(0, 1)
    lines = repr(found).splitlines()
    assert lines[0].startswith("'Anna Schmidt | Rome' ")
    assert found.outcome in lines[0]
    assert f"({found.score:.2f}, threshold {found.threshold:.2f})" in lines[0]
    assert lines[1] == "  log odds:"
    printed = [(name, float(effect)) for name, effect in (li.rsplit(None, 1) for li in lines[2:])]
    steps = [(step.kind, round(step.effect, 2)) for step in found.waterfall()]
    assert [(name.strip(), effect) for name, effect in printed] == steps
    shown = Reader(found._repr_html_())
    assert shown.tags <= TAGS
    assert f"outcome {found.outcome} · score {found.score:.3f}" in shown.text
    assert all(f"{kind}{effect:+.2f}" in shown.text for kind, effect in steps)
    odd = Reader(pj.find_duplicates(HOSTILE).explain(0, 1)._repr_html_())
    assert odd.tags <= TAGS
    assert HOSTILE[0] in odd.text


def test_a_matcher_shows_its_reference() -> None:
    matcher = pj.Matcher(on="name", by="c", encoder=TrigramEncoder())
    assert "not fitted yet" in Reader(matcher._repr_html_()).text
    table = pd.DataFrame({"name": ["Acme", "Globex"], "c": ["x", "<y>"]})
    shown = Reader(matcher.fit(table)._repr_html_())
    assert "reference rows 2 · keys name · by c" in shown.text
    assert shown.tags <= TAGS


@pytest.fixture(autouse=True)
def _plots_are_closed():
    yield
    plt.close("all")


def test_plots_take_and_return_axes(result) -> None:
    _, axes = plt.subplots(1, 3)
    assert result.plot_scores(axes[0]) is axes[0]
    assert result.plot_precision_recall(axes[1]) is axes[1]
    assert result.plot_waterfall(0, ax=axes[2]) is axes[2]
    alone = result.plot_scores()
    assert alone not in axes
    assert alone.figure is plt.gcf()


def test_the_histogram_has_the_scores_and_the_threshold(result) -> None:
    ax = result.plot_scores()
    best = result.all_matches().score
    heights = [bar.get_height() for bar in ax.patches]
    assert heights == np.histogram(best[best < 1], 50, (0, 1))[0].tolist()
    assert ax.lines[0].get_xdata()[0] == result.threshold


def test_curves_are_those_of_the_result(result) -> None:
    precision, recall = result.plot_precision_recall().lines[:2]
    curve = result.curve()
    np.testing.assert_array_equal(precision.get_xydata(), np.c_[curve.threshold, curve.precision])
    np.testing.assert_array_equal(recall.get_xydata(), np.c_[curve.threshold, curve.recall])
    similar = pj.match(["a b"], ["a c"], encoder=TrigramEncoder())
    with pytest.raises(pj.InputError, match="Scores are similarities"):
        similar.plot_precision_recall()


def test_a_waterfall_adds_up_to_the_score(result) -> None:
    found = result.explain(3)
    bars = result.plot_waterfall(3).patches
    steps = without_slight(found.waterfall())
    assert len(bars) == len(steps) + 1
    assert [bar.get_width() for bar in bars[:-1]] == pytest.approx([s.effect for s in steps])
    ends = np.cumsum([0, *(step.effect for step in steps)])
    assert [bar.get_x() for bar in bars[:-1]] == pytest.approx(ends[:-1].tolist(), abs=1e-9)
    assert 1 / (1 + np.exp(-bars[-1].get_width())) == pytest.approx(found.score, abs=1e-4)


def test_no_effect_of_a_waterfall_is_less_than_nothing() -> None:
    ax = plot_waterfall([("base", -0.04), ("words", -0.3)], "log odds", "Acme = ACME")
    assert [text.get_text() for text in ax.texts] == ["+0.0", "-0.3", "-0.3"]


def test_equal_keys_have_a_waterfall_too() -> None:
    ax = pj.match(["$a $b"], ["$A $B"]).plot_waterfall(0)
    ax.figure.canvas.draw()
    assert all(np.isfinite(bar.get_width()) for bar in ax.patches)


@pytest.fixture(scope="module")
def duplicates():
    table = pl.DataFrame({"name": [*NAMES[:30], *(f"{name} Co." for name in NAMES[:30]), NAMES[0]]})
    return pj.find_duplicates(table)


def test_plots_of_duplicates_take_and_return_axes(duplicates) -> None:
    _, axes = plt.subplots(1, 3)
    assert duplicates.plot_scores(axes[0]) is axes[0]
    assert duplicates.plot_precision_recall(axes[1]) is axes[1]
    assert duplicates.plot_waterfall(0, 30, ax=axes[2]) is axes[2]
    assert duplicates.plot_scores() not in axes


def test_the_histogram_of_duplicates_counts_pairs_of_rows(duplicates) -> None:
    ax = duplicates.plot_scores()
    score = duplicates.pairs(0.0)["score"].to_numpy()
    heights = [bar.get_height() for bar in ax.patches]
    assert heights == np.histogram(score[score < 1], 50, (0, 1))[0].tolist()
    assert sum(heights) > 30
    assert ax.lines[0].get_xdata()[0] == duplicates.threshold


def test_curves_of_duplicates_are_those_of_clusters_at_each_threshold(duplicates) -> None:
    precision, recall = duplicates.plot_precision_recall().lines[:2]
    thresholds = precision.get_xdata()
    assert len(thresholds) == 20
    np.testing.assert_allclose(thresholds, np.arange(1, 21) / 20)
    for at in (0, 9, 17):
        there = float(thresholds[at])
        wanted = duplicates.expected_precision(there), duplicates.expected_recall(there)
        found = precision.get_ydata()[at], recall.get_ydata()[at]
        np.testing.assert_allclose(found, wanted, atol=1e-4)
    similar = pj.find_duplicates(["a b", "a c"], encoder=TrigramEncoder())
    with pytest.raises(pj.InputError, match="Scores are similarities"):
        similar.plot_precision_recall()


@pytest.mark.parametrize("pair", [(0, 30), (0, 31), (5, 40)])
def test_a_waterfall_of_duplicates_adds_up_to_the_score(duplicates, pair) -> None:
    found = duplicates.explain(*pair)
    assert found.score < 1
    bars = duplicates.plot_waterfall(*pair).patches
    steps = found.waterfall()
    assert [step.kind for step in steps] == ["name", "tables"]
    assert [bar.get_width() for bar in bars[:-1]] == pytest.approx([s.effect for s in steps])
    assert 1 / (1 + np.exp(-bars[-1].get_width())) == pytest.approx(found.score, abs=1e-6)


def test_waterfalls_of_equal_null_and_similar_keys() -> None:
    result = pj.find_duplicates(["$a $b", "$a $b", None, "$A  $B"])
    assert [step.kind for step in result.explain(0, 1).waterfall()][-1] == "equal keys"
    assert result.explain(0, 2).waterfall() == ()
    for other in (1, 2, 3):
        ax = result.plot_waterfall(0, other)
        ax.figure.canvas.draw()
        assert all(np.isfinite(bar.get_width()) for bar in ax.patches)
    similar = pj.find_duplicates(["ab cd", "ab ce"], encoder=TrigramEncoder()).explain(0, 1)
    assert sum(step.effect for step in similar.waterfall()) == pytest.approx(similar.score)


def test_the_title_of_a_waterfall_fits_above_it() -> None:
    long = pd.DataFrame({"name": [f"Acme {'tools and ' * 9}bolts"], "note": ["sold " * 60]})
    ax = pj.match(long, long, on=["name", "note"]).plot_waterfall(0)
    figure = ax.figure
    figure.canvas.draw()
    title = ax.title.get_window_extent()
    assert "Acme" in ax.get_title()
    assert title.x0 >= 0
    assert title.x1 <= figure.bbox.x1
    assert title.y1 <= figure.bbox.y1


def test_phrases_are_drawn_near_their_like() -> None:
    encoder = pj.PhraseEncoder().fit(NAMES)
    fruit = ["apple", "green apple", "apple juice", "red apples", "apple pie", "baked apple"]
    trade = ["steel bolt", "steel screw", "steel nail", "bolt of steel", "steel rivet", "steel pin"]
    phrases = [*fruit, *trade, fruit[0]]
    labels = ["fruit"] * 6 + ["trade"] * 6 + ["fruit"]
    ax = encoder.plot_phrases(pd.Series(phrases, index=range(50, 63)), pd.Series(labels))
    places = [group.get_offsets() for group in ax.collections]
    assert [len(group) for group in places] == [6, 6]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["fruit", "trade"]
    assert {text.get_text() for text in ax.texts} == set(phrases)
    apart = np.linalg.norm(places[0].mean(0) - places[1].mean(0))
    assert apart > max(group.std(0).max() for group in places)
    with pytest.raises(pj.InputError, match=r"at least 4 of them. Got 2"):
        encoder.plot_phrases(["a", "b"])
    with pytest.raises(pj.InputError, match=r"label for each row. Got 2 for 13 rows"):
        encoder.plot_phrases(phrases, ["x", "y"])


def test_matplotlib_is_not_loaded_unless_asked() -> None:
    code = (
        "import sys, pearljoin as pj; pj.MatchResult, pj.PhraseEncoder; print(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = set(re.findall(r"'(\w+)'", done.stdout))
    assert "numpy" in loaded
    assert loaded.isdisjoint({"matplotlib", "jinja2"})


def test_pandas_tables_have_the_functions() -> None:
    import pearljoin.pandas  # noqa: F401

    left = pd.DataFrame({"name": ["Acme Corp.", "Zzz"]}, index=[7, 8])
    right = pd.DataFrame({"name": ["ACME Corp"], "n": [1]})
    options = {"on": "name", "how": "inner", "score": None}
    pd.testing.assert_frame_equal(
        left.pearljoin.join(right, **options), pj.fuzzy_join(left, right, **options)
    )
    pd.testing.assert_frame_equal(left.pearljoin.deduplicate(), pj.deduplicate(left))


@pytest.mark.parametrize("kind", [pl.DataFrame, pl.LazyFrame])
def test_polars_tables_have_the_functions(kind) -> None:
    import pearljoin.polars  # noqa: F401

    left, right = kind({"name": ["Acme Corp.", "Zzz"]}), kind({"name": ["ACME Corp"], "n": [1]})
    joined = left.pearljoin.join(right, on="name", how="inner")
    assert type(joined) is kind
    assert (
        joined.lazy()
        .collect()
        .equals(pj.fuzzy_join(left, right, on="name", how="inner").lazy().collect())
    )
    assert left.pearljoin.deduplicate().lazy().collect()["cluster"].to_list() == [0, 1]
